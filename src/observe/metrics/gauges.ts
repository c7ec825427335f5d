/** Gauges that are read at each scrape, among them those of the present state. */
import {Gauge, type Registry} from 'prom-client';
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

/** Gauges with one series: name, help and value. */
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

/** Gauges with several series: name, label, help and values. */
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

/** Counts the actors that run cycles. */
const countPendingCycles = ({actor}: ObservedIdentity): number =>
	Object.keys(actor.getSnapshot().children).filter(id => id.startsWith('cycle-')).length;
