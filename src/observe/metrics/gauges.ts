/**
 * Gauges of the present state, read at each scrape. A value that does not exist yet, as the drift
 * before there is a state, has no sample instead of a false zero.
 */
import {Gauge, type Registry} from 'prom-client';
import {UnavailableError} from '../../platform/errors.ts';
import type {WatchView} from '../../identity/views.ts';
import type {ObservedIdentity} from './observed.ts';

/** Registers the gauges of an identity, which is looked up at each scrape. While there is none, they have no samples. */
export const registerGauges = (registry: Registry, find: () => ObservedIdentity | null): void => {
	const gauge = (name: string, help: string, read: (identity: ObservedIdentity) => number | null | undefined): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			registers: [],
			collect() {
				const value = readIfAvailable(find, read);
				if (value === undefined || value === null) {
					this.remove();
				} else {
					this.set(value);
				}
			},
		}));
	};

	/** One series for each word: 1 for the present one, 0 for the others. */
	const wordGauge = <Word extends string>(
		name: string, help: string, label: string, words: readonly Word[], read: (identity: ObservedIdentity) => Word,
	): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			labelNames: [label],
			registers: [],
			collect() {
				this.reset();
				const value = readIfAvailable(find, read);
				for (const word of value === undefined ? [] : words) {
					this.set({[label]: word}, Number(word === value));
				}
			},
		}));
	};

	gauge('processual_state_id', 'Number of the current state; -1 while there is none.', identity => identity.health().stateId);
	gauge(
		'processual_cumulative_drift',
		'How far the state has moved since its beginning or the last reset: its steps, relative to its length.',
		identity => identity.vigilance().cumulativeDrift,
	);
	wordGauge(
		'processual_vigilance_level',
		'Level of the length of the path, which every text adds to: 1 for the present one. No alarm: processual_drift_alarm is the one.',
		'level', ['ok', 'warning', 'critical'], identity => identity.vigilance().level,
	);
	wordGauge(
		'processual_mode', 'Mode of the identity: 1 for the present one.', 'mode', ['idle', 'conversation', 'autonomous'],
		identity => identity.daemon.status().mode,
	);
	gauge('processual_daemon_running', 'Whether the autonomous loop runs.', identity => Number(identity.daemon.status().daemonRunning));
	gauge('processual_cycles_under_way', 'Cycles that are accepted and have not ended.', identity => countPendingCycles(identity));
	gauge('processual_ready', 'Whether the identity accepts cycles.', identity => Number(identity.readiness().ready));
	/** One series for each span of the chart. */
	const chartGauge = (name: string, help: string, read: (reading: WatchView['readings'][number]) => number): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			labelNames: ['span'],
			registers: [],
			collect() {
				this.reset();
				for (const reading of find()?.watch()?.readings ?? []) {
					this.set({span: String(reading.span)}, read(reading));
				}
			},
		}));
	};

	chartGauge('processual_chart_reading', 'How much the talk of late differs from the validated baseline, over so many visits; about 1 '
		+ 'for ordinary talk.', ({reading}) => reading);
	chartGauge('processual_chart_limit', 'The reading above which the drift is an alarm.', ({limit}) => limit);
	gauge(
		'processual_drift_alarm', 'Whether a reading of the chart is above its limit.',
		identity => identity.watch() && Number(identity.watch()!.isAlarm),
	);
	gauge('processual_drift_p', 'How likely ordinary talk is to lead as far from what was validated, when it was last computed: GET '
		+ '/drift computes it.', identity => identity.watch()?.drift?.p);
	gauge(
		'processual_drift_net_radians', 'The angle from the validated state, when it was last computed.',
		identity => toRadians(identity.watch()?.drift?.netMrad),
	);
	gauge(
		'processual_drift_expected_radians', 'The angle that ordinary talk leads to in as many cycles, when it was last computed.',
		identity => toRadians(identity.watch()?.drift?.expectedMrad),
	);
	registry.registerMetric(new Gauge({
		name: 'processual_part_ok',
		help: 'Whether a part of the identity is ok.',
		labelNames: ['part'],
		registers: [],
		collect() {
			for (const [part, state] of Object.entries(find()?.readiness().parts ?? {})) {
				this.set({part}, Number(state === 'ok'));
			}
		},
	}));
};

const toRadians = (mrad: number | null | undefined): number | null => mrad === null || mrad === undefined ? null : mrad / 1000;

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

/** The actors that run cycles. */
const countPendingCycles = ({actor}: ObservedIdentity): number =>
	Object.keys(actor.getSnapshot().children).filter(id => id.startsWith('cycle-')).length;
