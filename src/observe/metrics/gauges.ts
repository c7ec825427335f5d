/** Gauges that are read at each scrape: of the present state, of readiness, and of a fleet. */
import {Gauge, type Registry} from 'prom-client';
import type {Fleet, FleetIdentity, FleetRequest} from '../../generated/types.ts';
import {UnavailableError} from '../../platform/errors.ts';
import type {WatchView} from '../../identity/watch-view.ts';
import type {NodeFigures, ObservedIdentity} from './observed.ts';

/** A value with its labels; null or undefined for no sample. */
type Sample = readonly [labels: Record<string, string>, value: number | null | undefined];

/**
 * Registers a gauge whose samples are read at each scrape. A value that does not exist yet, such as the drift before there
 * is a state, has no sample instead of a false zero.
 */
export const registerGauge = (
	registry: Registry, {name, help, label}: {name: string; help: string; label?: string},
	read: () => readonly Sample[] | Promise<readonly Sample[]>,
): void => {
	registry.registerMetric(new Gauge({
		name: `processual_${name}`, help, labelNames: label === undefined ? [] : [label], registers: [],
		async collect() {
			const samples = await read();
			// `reset` would set a gauge without labels to zero.
			this[label === undefined ? 'remove' : 'reset']();
			for (const [labels, value] of samples) {
				if (value !== null && value !== undefined) {
					this.set(labels, value);
				}
			}
		},
	}));
};

type Read = (identity: ObservedIdentity) => number | null | undefined;

const values: ReadonlyArray<readonly [name: string, help: string, read: Read]> = [
	['state_id', 'Number of the current state; -1 while there is none.', identity => identity.health().stateId],
	[
		'cumulative_drift', 'How far the state has moved since its beginning or the last reset: its steps, relative to its length.',
		identity => identity.vigilance().cumulativeDrift,
	],
	['daemon_running', 'Whether the autonomous loop runs.', identity => Number(identity.daemon.status().daemonRunning)],
	['cycles_under_way', 'Cycles that are accepted and have not ended.', identity => countPendingCycles(identity)],
	['drift_alarm', 'Whether a reading of the chart is above its limit.', identity => identity.watch() && Number(identity.watch()!.isAlarm)],
	[
		'drift_p', 'How likely ordinary talk ever leads as far from the validated state, at the last look: it stays valid however often '
			+ 'it is looked at.',
		identity => identity.watch()?.heard?.p,
	],
	[
		'drift_distance', 'How far what was heard since the validation lies from ordinary talk, at the last look; 1 is usual.',
		identity => identity.watch()?.heard?.distance,
	],
];

type ReadSeries = (identity: ObservedIdentity) => ReadonlyArray<readonly [label: string, value: number]>;

/** One series per word: 1 for the present word, 0 for the others. */
const oneOf = <Word extends string>(words: readonly Word[], read: (identity: ObservedIdentity) => Word): ReadSeries => identity => {
	const present = read(identity);
	return words.map(word => [word, Number(word === present)]);
};

/** One series per span of the chart. */
const ofChart = (read: (reading: WatchView['readings'][number]) => number): ReadSeries =>
	identity => (identity.watch()?.readings ?? []).map(reading => [String(reading.span), read(reading)]);

const series: ReadonlyArray<readonly [name: string, label: string, help: string, read: ReadSeries]> = [
	[
		'vigilance_level', 'level',
		'Level of the length of the path, which every text adds to: 1 for the present one. No alarm: processual_drift_alarm is the one.',
		oneOf(['ok', 'warning', 'critical'], identity => identity.vigilance().level),
	],
	[
		'mode', 'mode', 'Mode of the identity: 1 for the present one.',
		oneOf(['idle', 'conversation', 'autonomous'], identity => identity.daemon.status().mode),
	],
	[
		'chart_reading', 'span',
		'How much recent talk differs from the validated baseline, over so many conversations; an alarm above its limit.',
		ofChart(({reading}) => reading),
	],
	['chart_limit', 'span', 'The reading above which the drift is an alarm.', ofChart(({limit}) => limit)],
];

/** Registers the gauges of readiness and its parts: those of the node if `ofNode` gives them, otherwise those of the identity. */
export const registerReadiness = (
	registry: Registry, find: () => ObservedIdentity | null, ofNode?: () => NodeFigures['readiness'],
): void => {
	const read = () => ofNode?.() ?? readIfAvailable(find, identity => identity.readiness());
	registerGauge(registry, {name: 'ready', help: 'Whether the identity, or the node, accepts cycles.'}, () => {
		const readiness = read();
		return [[{}, readiness && Number(readiness.ready)]];
	});
	registerGauge(registry, {name: 'part_ok', help: 'Whether a part of the identity, or of the node, is ok.', label: 'part'}, () =>
		Object.entries(read()?.parts ?? {}).map(([part, state]) => [{part}, Number(state === 'ok')]));
};

/** Registers the gauges of an identity, which is looked up at each scrape. Without one, they have no samples. */
export const registerGauges = (registry: Registry, find: () => ObservedIdentity | null): void => {
	for (const [name, help, read] of values) {
		registerGauge(registry, {name, help}, () => [[{}, readIfAvailable(find, read)]]);
	}

	for (const [name, label, help, read] of series) {
		registerGauge(registry, {name, help, label}, () =>
			(readIfAvailable(find, read) ?? []).map(([word, value]) => [{[label]: word}, value]));
	}
};

const readIfAvailable = <Value>(find: () => ObservedIdentity | null, read: (identity: ObservedIdentity) => Value): Value | undefined => {
	try {
		const identity = find();
		return identity ? read(identity) : undefined;
	} catch (error) {
		if (error instanceof UnavailableError) {
			return undefined;
		}

		throw error;
	}
};

const countPendingCycles = ({actor}: ObservedIdentity): number =>
	Object.keys(actor.getSnapshot().children).filter(id => id.startsWith('cycle-')).length;

// Gauges of many identities, from the rows of a fleet: counts over all, and a series for each of the few with the strongest
// evidence of drift. An identity has a series only while it is one of these, so the number of series is bounded.

/** Most identities with a series. */
const maxNamed = 20;

const countNamed = (of: Fleet['sources']): number => of.filter(({named}) => named).length;

const ofAll: ReadonlyArray<readonly [name: string, help: string, read: (fleet: Fleet) => number]> = [
	['identities', 'Number of identities.', ({total}) => total],
	['alarms', 'Identities whose chart has a reading above its limit.', ({alarms}) => alarms],
	['named', 'Identities that are named: of all that are, at most a twentieth are by chance, on average.', ({named}) => named],
	['moving_sources', 'Sources that are named: they move two identities or more.', ({sources}) => countNamed(sources)],
	['unusual', 'Identities with a p of .05 or less: one of twenty ordinary ones has, sooner or later.', ({unusual}) => unusual],
	['behind', 'Identities whose row is not current.', ({behind}) => behind],
];

const ofOne: ReadonlyArray<readonly [name: string, help: string, read: (identity: FleetIdentity) => number | null]> = [
	['p', 'How likely ordinary talk ever leads as far, of those with the strongest evidence.', ({p}) => p],
	['distance', 'How far what was heard was at most from ordinary talk, of the same; 1 is usual.', ({distance}) => distance],
	['alarm', 'Whether a reading of the chart is above its limit, of the same.', ({alarm}) => Number(alarm)],
	['is_named', 'Whether it is named, of the same.', ({named}) => Number(named)],
	['held', 'Texts that wait, of the same.', ({held}) => held],
];

/** Registers the gauges of a fleet, which is read once per scrape. If that fails, they have no samples. */
export const registerFleet = (registry: Registry, ask: (request: FleetRequest) => Promise<Fleet>): void => {
	/** Shared by the gauges of a scrape, which are collected at the same time. */
	let asked: Promise<Fleet | null> | null = null;
	const read = async (): Promise<Fleet | null> => {
		asked ??= ask({order: 'evidence', limit: maxNamed}).catch(() => null).finally(() => {
			asked = null;
		});
		return asked;
	};

	for (const [name, help, valueOf] of ofAll) {
		registerGauge(registry, {name: `fleet_${name}`, help}, async () => {
			const fleet = await read();
			return [[{}, fleet && valueOf(fleet)]];
		});
	}

	for (const [name, help, valueOf] of ofOne) {
		registerGauge(registry, {name: `fleet_${name}`, help, label: 'identity'}, async () =>
			((await read())?.identities ?? []).map(identity => [{identity: identity.id}, valueOf(identity)]));
	}
};
