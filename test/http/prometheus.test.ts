/**
 * GET /metrics for Prometheus: who gets the text, and what it contains.
 */
import test, {type ExecutionContext} from 'ava';
import prometheus from 'prom-client';
import type {FleetIdentity, FleetRequest} from '../../src/generated/types.ts';
import {createTelemetry, type Telemetry} from '../../src/observe/metrics/telemetry.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {fakeIdentity} from './fake-identity.ts';
import {readMetrics, valueOf} from './prometheus-text.ts';
import {serve} from './service.ts';

const scrape = async (telemetry: Telemetry) => readMetrics(await telemetry.text());

/** An identity with telemetry, for one test. */
const start = async (t: ExecutionContext, options: Parameters<typeof startIdentity>[0] = {}) => {
	const started = await startIdentity(options);
	const telemetry = createTelemetry(started.identity);
	t.teardown(async () => {
		telemetry.close();
		await started.identity.dispose();
	});
	return {...started, telemetry, read: () => scrape(telemetry)};
};

/** An identity whose events a test emits. */
const emittingIdentity = () => {
	const listeners = new Map<string, (event: object) => void>();
	const actor = {
		on(type: string, listener: (event: object) => void) {
			listeners.set(type, listener);
			return {unsubscribe: () => listeners.delete(type)};
		},
		subscribe() {},
		getSnapshot: () => ({children: {'cycle-1': {}, 'cycle-3': {}, daemon: {}}}),
	};
	return {
		identity: {...fakeIdentity(), actor} as unknown as LocalIdentity,
		emit(type: string, event: object) {
			listeners.get(type)?.({type, ...event});
		},
	};
};

const refuses = (name: string, text: string) => {
	test(`the parser of these tests refuses ${name}`, (t) => {
		t.throws(() => readMetrics(text));
	});
};

const head = '# HELP a_total Of a.\n# TYPE a_total counter\n';
refuses('a text without a final line break', `${head}a_total 1`);
refuses('a sample without a type', 'a_total 1\n');
refuses('a sample of another family', `${head}b_total 1\n`);
refuses('a duplicate series', `${head}a_total{b="c"} 1\na_total{b="c"} 2\n`);
refuses('a label with an open quote', `${head}a_total{b="c} 1\n`);
refuses('a value that is not a number', `${head}a_total undefined\n`);
refuses('a negative counter', `${head}a_total -1\n`);
refuses('a counter without _total in its name', head.replaceAll('_total', ''));
refuses(
	'a histogram whose buckets shrink',
	'# HELP h Of h.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
);

const accepts = (accept: string | undefined, kind: 'json' | 'text') => {
	test(`Accept: ${accept} is answered with ${kind}`, async (t) => {
		const {identity, telemetry} = await start(t);
		const {url} = await serve(t, identity, {metrics: telemetry});
		const response = await fetch(`${url}/metrics`, {headers: {connection: 'close', ...(accept !== undefined && {accept})}});
		t.is(response.status, 200);
		t.true(response.headers.get('vary')?.includes('Accept'));
		if (kind === 'json') {
			t.is(response.headers.get('content-type'), 'application/json; charset=utf-8');
			t.is((await response.json() as {status: string}).status, 'healthy');
		} else {
			t.is(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
			t.true(readMetrics(await response.text()).has('processual_cycles_total'));
		}
	});
};

accepts(undefined, 'json');
accepts('*/*', 'json');
accepts('application/json', 'json');
accepts('application/json, text/plain, */*', 'json');
accepts('text/plain, application/json', 'json');
accepts('text/plain;q=0.5, application/json;q=0.6', 'json');
accepts('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json');
accepts('text/plain;q=0', 'json');
accepts('nonsense', 'json');
accepts('text/plain', 'text');
accepts('TEXT/PLAIN; version=0.0.4', 'text');
accepts('text/plain, */*', 'text');
accepts('text/*', 'text');
accepts('text/plain;q=0.6, application/json;q=0.5', 'text');
accepts('application/openmetrics-text', 'text');
accepts('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1', 'text');
accepts('application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=1.0.0;q=0.3,*/*;q=0.1', 'text');

test('before the identity is ready, the text has the metrics that are known by then', async (t) => {
	const {promise, resolve} = Promise.withResolvers<never>();
	const {createIdentity} = await import('../../src/identity/create-identity.ts');
	const identity = createIdentity({encoder: () => promise, themes: {rumination: [], corpus: []}});
	const telemetry = createTelemetry(identity);
	const {url} = await serve(t, identity, {metrics: telemetry});
	const response = await fetch(`${url}/metrics`, {headers: {connection: 'close', accept: 'text/plain'}});
	const families = readMetrics(await response.text());
	t.is(valueOf(families, 'processual_ready'), 0);
	t.is(valueOf(families, 'processual_state_id'), -1);
	t.is(valueOf(families, 'processual_cycles_under_way'), 0);
	t.deepEqual(families.get('processual_cumulative_drift')?.samples, []);
	t.deepEqual(families.get('processual_vigilance_level')?.samples, []);
	telemetry.close();
	resolve(undefined as never);
	await identity.dispose();
});

test('cycles are counted when they end, by trigger and outcome; an unknown trigger is other', async (t) => {
	const {identity, encoder, read} = await start(t);
	encoder.fail('bad', new Error('It broke.'));
	await identity.cycle({content: 'a'});
	await identity.cycle({content: 'b', trigger: 'veille'});
	await identity.cycle({content: 'c', trigger: 'a dream, in "quotes"'});
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	const families = await read();
	const count = (trigger: string, outcome: string) => valueOf(families, 'processual_cycles_total', {trigger, outcome});
	t.deepEqual([count('user', 'done'), count('user', 'failed'), count('veille', 'done'), count('other', 'done'), count('corpus', 'done')], [
		1, 1, 1, 1, 0,
	]);
	t.is(valueOf(families, 'processual_cycle_duration_seconds_count', {trigger: 'user'}), 1);
	t.is(valueOf(families, 'processual_state_id'), 3);
	t.is(valueOf(families, 'processual_cumulative_drift'), identity.vigilance().cumulativeDrift);
});

test('the text contains no content, metadata, ids, triggers or paths of a caller', async (t) => {
	const {identity, telemetry} = await start(t, {newId: () => 'an-id'});
	const {ask, url} = await serve(t, identity, {metrics: telemetry});
	await ask('POST', '/cycle', {content: 'a secret', trigger_type: 'my trigger', metadata: {where: 'a notebook'}});
	await ask('GET', '/a/secret/path');
	const text = await (await fetch(`${url}/metrics`, {headers: {connection: 'close', accept: 'text/plain'}})).text();
	for (const word of ['secret', 'notebook', 'my trigger', 'an-id']) {
		t.false(text.includes(word), word);
	}
});

test('the durations of cycles and of their steps are in seconds', async (t) => {
	const {identity, emit} = emittingIdentity();
	const telemetry = createTelemetry(identity);
	t.teardown(telemetry.close);
	emit('cycle.done', {
		trigger: 'user',
		result: {processingTimeMs: 1500, isChoc: true},
		steps: {embedding: 1250, dissonance: 0.05, recording: 200},
	});
	emit('cycle.failed', {trigger: 'user', steps: {embedding: 250}});
	emit('cycle.failed', {trigger: 'user'});
	const families = await scrape(telemetry);
	const step = (name: string, part: string) => valueOf(families, `processual_cycle_step_duration_seconds_${part}`, {step: name});
	t.is(valueOf(families, 'processual_cycle_duration_seconds_sum', {trigger: 'user'}), 1.5);
	t.is(valueOf(families, 'processual_cycle_duration_seconds_bucket', {trigger: 'user', le: '1'}), 0);
	t.is(valueOf(families, 'processual_cycle_duration_seconds_bucket', {trigger: 'user', le: '2.5'}), 1);
	t.deepEqual([step('embedding', 'sum'), step('embedding', 'count')], [1.5, 2]);
	t.deepEqual([step('recording', 'sum'), step('recording', 'count')], [0.2, 1]);
	t.deepEqual([step('dissonance', 'count'), step('corroborating', 'count')], [1, 0]);
	t.is(valueOf(families, 'processual_chocs_total'), 1);
	t.is(valueOf(families, 'processual_cycles_under_way'), 2);
});

test('notices of the watch are counted', async (t) => {
	const {identity, emit} = emittingIdentity();
	const telemetry = createTelemetry(identity);
	t.teardown(telemetry.close);
	const counts = async () => {
		const families = await scrape(telemetry);
		return ['drift_alarms', 'source_notices', 'echoes'].map((name) => valueOf(families, `processual_${name}_total`));
	};

	t.deepEqual(await counts(), [0, 0, 0]);
	emit('drift.alarm', {});
	emit('source.noticed', {});
	emit('echo.noticed', {});
	emit('echo.noticed', {});
	t.deepEqual(await counts(), [1, 1, 2]);
});

test('chart and drift have gauges once they are known', async (t) => {
	let view: ReturnType<LocalIdentity['watch']> = null;
	const telemetry = createTelemetry({...emittingIdentity().identity, watch: () => view});
	t.teardown(telemetry.close);
	const names = ['drift_alarm', 'drift_p', 'drift_distance'].map((name) => `processual_${name}`);
	const before = await scrape(telemetry);
	t.deepEqual([...names, 'processual_chart_reading', 'processual_chart_limit'].map((name) => before.get(name)!.samples), [
		[],
		[],
		[],
		[],
		[],
	]);

	view = {
		readings: [{span: 8, reading: 1.5, limit: 1.75}, {span: 32, reading: 2, limit: 1.5}],
		isAlarm: true,
		heard: {p: 0.01, distance: 1.75},
		said: null,
	};
	const families = await scrape(telemetry);
	t.deepEqual(names.map((name) => valueOf(families, name)), [1, 0.01, 1.75]);
	t.deepEqual(
		['8', '32'].map((span) => [valueOf(families, 'processual_chart_reading', {span}), valueOf(families, 'processual_chart_limit', {span})]),
		[[1.5, 1.75], [2, 1.5]],
	);
});

test('the identities of a fleet with the strongest evidence have series; unknown values have none', async (t) => {
	const row = (id: string, p: number | null): FleetIdentity => ({
		id, texts: 1, lastText: null, level: 'ok', held: id === 'ada' ? 3 : 0, revision: null, validated: null, conversations: null,
		alarm: p !== null, p, tailP: p, named: false, distance: p === null ? null : 4, topSource: null, unreadShare: null, readings: [],
		isCurrent: true,
	});
	const asked: FleetRequest[] = [];
	const rows = [row('ada', 0.005), row('ben “2”', null)];
	const telemetry = createTelemetry(() => null, {
		async fleet(request) {
			asked.push(request);
			const sources = [{source: 'Viktor', identities: 12, p: 0.001, named: true}, {source: 'ben', identities: 1, p: 1, named: false}];
			return {identities: rows, next: null, found: 2, total: 300, alarms: 1, named: 1, level: 0.05, unusual: 15, behind: 2, sources};
		},
	});
	t.teardown(telemetry.close);
	const families = await scrape(telemetry);
	t.deepEqual(asked, [{order: 'evidence', limit: 20}], 'one question for all gauges');
	const counts = ['identities', 'alarms', 'named', 'moving_sources', 'unusual', 'behind'];
	t.deepEqual(counts.map((name) => valueOf(families, `processual_fleet_${name}`)), [300, 1, 1, 1, 15, 2]);
	t.deepEqual(families.get('processual_fleet_p')!.samples.map(({labels, value}) => [labels['identity'], value]), [['ada', 0.005]]);
	t.deepEqual(families.get('processual_fleet_held')!.samples.map(({labels, value}) => [labels['identity'], value]), [
		['ada', 3],
		['ben “2”', 0],
	]);

	const other = createTelemetry(() => null, {fleet: async () => Promise.reject(new Error('not now'))});
	t.teardown(other.close);
	const without = await scrape(other);
	t.deepEqual(without.get('processual_fleet_identities')!.samples, []);
	t.deepEqual(without.get('processual_fleet_p')!.samples, []);
});

test('every step of a real cycle is timed', async (t) => {
	const {identity, read} = await start(t, {journal: new FakeJournal()});
	await identity.cycle({content: 'a'});
	const families = await read();
	for (const step of ['embedding', 'dissonance', 'fixation', 'applying', 'recording']) {
		t.is(valueOf(families, 'processual_cycle_step_duration_seconds_count', {step}), 1, step);
	}
});

test('a cycle is under way from its acceptance to its end', async (t) => {
	const {identity, encoder, read} = await start(t);
	const held = encoder.hold('slow');
	const cycle = identity.cycle({content: 'slow'});
	t.is(valueOf(await read(), 'processual_cycles_under_way'), 1);
	held.resolve();
	await cycle;
	t.is(valueOf(await read(), 'processual_cycles_under_way'), 0);
});

test('exactly one level and one mode are 1, and daemon_running follows the loop', async (t) => {
	const {identity, read} = await start(t);
	const labelsAtOne = async (name: string, label: string) =>
		[...(await read()).get(name)!.samples].filter(({value}) => value === 1).map(({labels}) => labels[label]);
	t.deepEqual(await labelsAtOne('processual_mode', 'mode'), ['idle']);
	t.deepEqual(await labelsAtOne('processual_vigilance_level', 'level'), ['ok']);
	t.is(valueOf(await read(), 'processual_daemon_running'), 0);
	identity.daemon.start();
	t.deepEqual(await labelsAtOne('processual_mode', 'mode'), ['autonomous']);
	t.is(valueOf(await read(), 'processual_daemon_running'), 1);
	await identity.cycle({content: 'a'});
	t.deepEqual(await labelsAtOne('processual_mode', 'mode'), ['conversation']);
});

test('a journal that cannot be written is a part that is not ok, and counts a failure', async (t) => {
	const journal = new FakeJournal();
	const {identity, read} = await start(t, {journal});
	t.is(valueOf(await read(), 'processual_part_ok', {part: 'journal'}), 1);
	journal.break('The disk is full.');
	await t.throwsAsync(identity.cycle({content: 'a'}));
	const families = await read();
	t.is(valueOf(families, 'processual_part_ok', {part: 'journal'}), 0);
	t.is(valueOf(families, 'processual_ready'), 0);
	t.is(valueOf(families, 'processual_journal_failures_total'), 1);
});

test('a node reports its readiness and its parts even if no identity is observed', async (t) => {
	const figures = {owned: 0, isMember: false, takeOvers: 0, fenced: 0, lost: 0, forwarded: {}};
	let readiness = {ready: false, parts: {model: 'ok', node: 'This node has lost its session in the database.', journal: 'ok'}};
	const telemetry = createTelemetry(() => null, {node: () => ({...figures, readiness})});
	const families = await scrape(telemetry);
	t.is(valueOf(families, 'processual_ready'), 0);
	t.is(valueOf(families, 'processual_part_ok', {part: 'node'}), 0);
	t.is(valueOf(families, 'processual_part_ok', {part: 'journal'}), 1);
	readiness = {ready: true, parts: {...readiness.parts, node: 'ok'}};
	t.is(valueOf(await scrape(telemetry), 'processual_ready'), 1);
	t.is(valueOf(await scrape(telemetry), 'processual_part_ok', {part: 'node'}), 1);
	telemetry.close();
});

test('commits of the journal are counted by seconds and by records', async (t) => {
	const {telemetry, read} = await start(t);
	telemetry.observeCommit(0.004, 3);
	t.is(valueOf(await read(), 'processual_journal_commit_seconds_bucket', {le: '0.0025'}), 0);
	t.is(valueOf(await read(), 'processual_journal_commit_seconds_bucket', {le: '0.005'}), 1);
	t.is(valueOf(await read(), 'processual_journal_commit_records_bucket', {le: '2'}), 0);
	t.is(valueOf(await read(), 'processual_journal_commit_records_bucket', {le: '4'}), 1);
});

test('requests are counted by method, route and status class; an unknown path is other', async (t) => {
	const {identity, telemetry, read} = await start(t);
	const {ask} = await serve(t, identity, {metrics: telemetry});
	await ask('GET', '/state');
	await ask('GET', '/state?and=more');
	await ask('HEAD', '/state');
	await ask('POST', '/cycle', {content: ''});
	await ask('POST', '/cycle', {content: 'a'});
	await ask('GET', '/no/such/path');
	await ask('DELETE', '/cycle');
	await ask('PATCH', '/cycle');
	const families = await read();
	const count = (method: string, route: string, status: string) =>
		valueOf(families, 'processual_http_requests_total', {method, route, status});
	t.deepEqual([count('GET', '/state', '2xx'), count('HEAD', '/state', '2xx')], [2, 1]);
	t.deepEqual([count('POST', '/cycle', '4xx'), count('POST', '/cycle', '2xx')], [1, 1]);
	t.deepEqual(['GET', 'DELETE', 'other'].map(method => count(method, 'other', '4xx')), [1, 1, 1]);
	t.is(valueOf(families, 'processual_http_request_duration_seconds_count', {route: '/state'}), 3);
});

test('two identities share no metrics, and leave the library’s global registry empty', async (t) => {
	const [one, other] = [await start(t), await start(t)];
	await one.identity.cycle({content: 'a'});
	t.is(valueOf(await one.read(), 'processual_cycles_total', {trigger: 'user', outcome: 'done'}), 1);
	t.is(valueOf(await other.read(), 'processual_cycles_total', {trigger: 'user', outcome: 'done'}), 0);
	t.deepEqual(prometheus.register.getMetricsAsArray(), []);
});

test('an option adds the metrics of the process', async (t) => {
	const {identity, read} = await start(t);
	t.deepEqual([...(await read()).keys()].filter((name) => !name.startsWith('processual_')), []);
	const telemetry = createTelemetry(identity, {defaultMetrics: true});
	t.teardown(telemetry.close);
	const families = await scrape(telemetry);
	t.true(valueOf(families, 'process_resident_memory_bytes') > 1e6);
	t.true(valueOf(families, 'process_cpu_seconds_total') > 0);
	t.true(Math.abs(valueOf(families, 'process_start_time_seconds') - (Date.now() / 1000)) < 86_400);
	t.is(families.get('nodejs_version_info')!.samples[0]!.labels['version'], process.version);
});

test('metrics are in base units', async (t) => {
	const {read} = await start(t);
	for (const name of (await read()).keys()) {
		t.notRegex(name, /_(?:ms|milliseconds|minutes|hours|kilobytes|megabytes|percent)(?:_|$)/);
	}
});

test('a closed telemetry stops counting', async (t) => {
	const {identity, telemetry, read} = await start(t);
	telemetry.close();
	await identity.cycle({content: 'a'});
	t.is(valueOf(await read(), 'processual_cycles_total', {trigger: 'user', outcome: 'done'}), 0);
});
