/**
 * examples/monitoring: the dashboard and the alerts use metrics that a running service has.
 */
import {readFile} from 'node:fs/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import type {FleetIdentity} from '../../src/generated/types.ts';
import {createTelemetry} from '../../src/observe/metrics/telemetry.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {mulberry32, startIdentity} from '../actors/fixtures.ts';
import {startTalk} from '../instruments/simulated-talk.ts';
import {untilWatched, withValidation} from '../identity/validated.ts';
import {readMetrics} from './prometheus-text.ts';
import {serve} from './service.ts';

const read = (name: string) => readFile(new URL(`../../examples/monitoring/${name}`, import.meta.url), 'utf8');

type Target = {refId: string; expr: string; datasource: {type: string; uid: string}};
type Panel = {
	id: number;
	type: string;
	title: string;
	description?: string;
	gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
	datasource?: Target['datasource'];
	targets?: Target[];
};
type Dashboard = {
	title: string;
	uid: string;
	schemaVersion: number;
	panels: Panel[];
	templating: {list: {name: string; type: string; query: unknown; definition?: string}[]};
};

const dashboard = JSON.parse(await read('dashboard.json')) as Dashboard;
const alerts = await read('alerts.yml');
const rules = alerts.split(/^ {6}- alert: /m).slice(1);
const fields = (rule: string, name: string) => [...rule.matchAll(new RegExp(`^ {8,10}${name}: (.+)$`, 'gm'))].map(([, value]) => value!);

const queries = [
	...dashboard.panels.flatMap(({title, targets = []}) => targets.map(({expr}) => ({where: `panel ${title}`, expr}))),
	...dashboard.templating.list
		.filter(({definition}) => definition)
		.map(({name, definition}) => ({where: `variable ${name}`, expr: definition!})),
	...rules.flatMap((rule) => fields(rule, 'expr').map((expr) => ({where: `alert ${rule.split('\n')[0]}`, expr}))),
];

/** The metrics in a query, each with the labels that it selects: `name{label="value", …}`. */
const selectorsIn = (expr: string) => [...expr.matchAll(
	/\b((?:processual|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
)].map(([, name, inBraces = '']) => ({
	name: name!,
	labels: [...inBraces.matchAll(/(\w+)="([^"$]*)"/g)].map(([, label, value]) => [label!, value!] as const),
}));

const collectGarbage = (): void => {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
};

test('a running service has every metric and label of the dashboard and the alerts', async (t) => {
	// The gauges of drift exist after the first look since a validation.
	const {identity} = await startIdentity({journal: await withValidation(new FakeJournal(), startTalk(mulberry32(1)).texts(400))});
	await untilWatched(identity);
	await Promise.all(Array.from({length: 100}, async () => identity.cycle('before')));
	const row: FleetIdentity = {
		id: 'ada', texts: 1, lastText: null, level: 'ok', held: 0, revision: null, validated: null, conversations: 9, alarm: true, p: 0.005,
		tailP: 0.005, named: false,
		distance: 3, topSource: null, unreadShare: 0, readings: [], isCurrent: true,
	};
	const fleet = {identities: [row], next: null, found: 1, total: 1, alarms: 1, named: 0, level: 0.05, unusual: 1, behind: 0, sources: []};
	const telemetry = createTelemetry(identity, {defaultMetrics: true, fleet: async () => fleet});
	t.teardown(async () => {
		telemetry.close();
		await identity.dispose();
	});
	const {url, ask} = await serve(t, identity, {metrics: telemetry});
	await ask('POST', '/cycle', {content: 'a'});
	const scrape = async () => {
		const response = await fetch(`${url}/metrics`, {headers: {connection: 'close', accept: 'text/plain'}});
		return [...readMetrics(await response.text()).values()].flatMap((family) => family.samples);
	};

	// Garbage collections are observed a little after they happen, and there may have been none.
	collectGarbage();
	let samples = await scrape();
	while (!samples.some(({name}) => name === 'nodejs_gc_duration_seconds_sum')) {
		samples = await scrape();
	}

	const selectors = queries.flatMap(({where, expr}) => selectorsIn(expr).map((selector) => ({where, ...selector})));
	t.true(selectors.length > 40);
	for (const {where, name, labels} of selectors) {
		t.true(
			samples.some((sample) => sample.name === name && labels.every(([label, value]) => sample.labels[label] === value)),
			`${where}: ${name} ${JSON.stringify(labels)}`,
		);
	}
});

test('the variables of the dashboard find a node of a cluster, which has no gauges of an identity', async (t) => {
	const figures = {owned: 0, isMember: true, takeOvers: 0, fenced: 0, lost: 0, forwarded: {}};
	const telemetry = createTelemetry(() => null, {node: () => ({...figures, readiness: {ready: true, parts: {node: 'ok'}}})});
	const metrics = readMetrics(await telemetry.text());
	telemetry.close();
	for (const {where, expr} of queries.filter((query) => query.where.startsWith('variable'))) {
		t.true(selectorsIn(expr).every(({name}) => metrics.get(name)!.samples.length > 0), `${where}: ${expr}`);
	}
});

test('every alert has an expression, a duration, a severity, a summary and a description', (t) => {
	t.deepEqual(rules.map((rule) => rule.split('\n')[0]), [
		'ProcessualStateDown',
		'ProcessualStateNotReady',
		'ProcessualStateJournalFailed',
		'ProcessualStateCyclesFailing',
		'ProcessualStateCyclesSlow',
		'ProcessualStateDaemonSilent',
		'ProcessualStateDrift',
		'ProcessualStateFleetDrift',
		'ProcessualStateMovingSource',
		'ProcessualStateHeld',
		'ProcessualStateSourcePushes',
		'ProcessualStateSourceChanged',
		'ProcessualStateEchoes',
	]);
	for (const rule of rules) {
		t.is(fields(rule, 'expr').length, 1, rule);
		t.regex(fields(rule, 'for')[0] ?? '', /^\d+m$/, rule);
		t.regex(fields(rule, 'labels')[0] ?? '', /^\{severity: (?:info|warning|critical)\}$/, rule);
		t.regex(fields(rule, 'summary')[0] ?? '', /^'.*\{\{ \$labels\.instance \}\}.*\.'$/, rule);
		t.regex(fields(rule, 'description')[0] ?? '', /^'.+\.'$/, rule);
	}
});

test('the dashboard queries the data source that its reader chooses', (t) => {
	t.deepEqual(dashboard.templating.list.map(({name, type}) => [name, type]), [
		['datasource', 'datasource'],
		['job', 'query'],
		['instance', 'query'],
	]);
	for (const {title, type, datasource, targets} of dashboard.panels.filter((panel) => panel.type !== 'row')) {
		t.deepEqual(datasource, {type: 'prometheus', uid: '${datasource}'}, `${title} ${type}`);
		t.true(targets!.length > 0, title);
		for (const target of targets!) {
			t.deepEqual(target.datasource, datasource, title);
			t.true(target.expr.includes('job=~"$job"'), title);
		}
	}
});

test('the panels have unique ids, titles and descriptions, and do not overlap', (t) => {
	const {panels} = dashboard;
	t.is(new Set(panels.map(({id}) => id)).size, panels.length);
	const taken = new Set<string>();
	for (const {title, type, description, gridPos: {x, y, w, h}} of panels) {
		t.true(title.length > 0);
		t.true(type === 'row' || (description ?? '').endsWith('.'), title);
		t.true(x >= 0 && w > 0 && x + w <= 24, title);
		for (let column = x; column < x + w; column++) {
			for (let row = y; row < y + h; row++) {
				t.false(taken.has(`${column} ${row}`), title);
				taken.add(`${column} ${row}`);
			}
		}
	}
});
