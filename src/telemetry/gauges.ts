/**
 * How the process stands, read when somebody asks. What there is not yet (a drift before there
 * is a state) has no sample rather than a made-up zero.
 */
import {Gauge, type Registry} from 'prom-client';
import {UnavailableError} from '../errors.ts';
import type {Observed} from './observed.ts';

export const showStanding = (registry: Registry, process: Observed): void => {
	const value = (name: string, help: string, read: () => number): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			registers: [],
			collect() {
				const present = ifThere(read);
				if (present === undefined) {
					this.remove();
				} else {
					this.set(present);
				}
			},
		}));
	};

	/** One series for each word, 1 for the word that holds. */
	const word = <Word extends string>(name: string, help: string, label: string, words: readonly Word[], read: () => Word): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			labelNames: [label],
			registers: [],
			collect() {
				this.reset();
				const present = ifThere(read);
				for (const each of present === undefined ? [] : words) {
					this.set({[label]: each}, Number(each === present));
				}
			},
		}));
	};

	value('processual_state_id', 'Number of the current state; -1 while there is none.', () => process.health().stateId);
	value('processual_cumulative_drift', 'How far the state has moved since its beginning or the last reset: its steps, relative to its length.', () => process.vigilance().cumulativeDrift);
	word('processual_vigilance_level', 'Level of the drift from the reference: 1 for the present one.', 'level', ['ok', 'warning', 'critical'], () => process.vigilance().level);
	word('processual_mode', 'Mode of the process: 1 for the present one.', 'mode', ['idle', 'conversation', 'autonomous'], () => process.daemon.status().mode);
	value('processual_daemon_running', 'Whether the autonomous loop runs.', () => Number(process.daemon.status().daemonRunning));
	value('processual_cycles_under_way', 'Cycles that are accepted and have not ended.', () => cyclesOf(process));
	value('processual_ready', 'Whether the process can take on work.', () => Number(process.readiness().ready));
	registry.registerMetric(new Gauge({
		name: 'processual_part_ok',
		help: 'Whether a part of the process is as it should be.',
		labelNames: ['part'],
		registers: [],
		collect() {
			for (const [part, state] of Object.entries(process.readiness().parts)) {
				this.set({part}, Number(state === 'ok'));
			}
		},
	}));
};

/** What the process can tell by now. */
const ifThere = <Value>(read: () => Value): Value | undefined => {
	try {
		return read();
	} catch (error) {
		if (error instanceof UnavailableError) {
			return undefined;
		}

		throw error;
	}
};

/** The actors that run cycles, without those that wait for one. */
const cyclesOf = ({actor}: Observed): number => {
	const {children, context: {cycles: {waiting}}} = actor.getSnapshot();
	return Object.keys(children).filter((id) => id.startsWith('cycle-')).length - waiting.length;
};
