/** Counts live identities, ended cycles with the durations of their steps, failures of the journal, and findings of the watch. */
import {Counter, Gauge, Histogram, type Registry} from 'prom-client';
import {cycleSteps, type CycleSteps} from '../../actors/cycle.ts';
import {isKnown, knownTriggers} from '../../actors/trigger.ts';
import type {ObservedIdentity} from './observed.ts';

type EndedCycle = {trigger: string; steps?: CycleSteps};

const outcomes = ['done', 'failed'] as const;

/** Callers may name any trigger, so unknown ones share a label. */
const labelOf = (trigger: string): string => isKnown(trigger) ? trigger : 'other';

const counted = {
	'journal.failed': ['journal_failures', 'How often the journal has failed, which stops the acceptance of cycles.'],
	'drift.alarm': ['drift_alarms', 'How often a reading of the chart has risen above its limit.'],
	'source.noticed': ['source_notices', 'How often one source was found to push an unusual drift more than chance does.'],
	'source.changed': ['source_changes', 'How often a source was found to talk differently than in the baseline.'],
	'source.taken_up': ['source_uptakes', 'How often the identity was found to speak more like a source in conversations without it.'],
	'cycle.held': ['held', 'Texts that were held back: they wait until they are released or dropped.'],
	'echo.noticed': ['echoes', 'Texts that were nearly one of the identity’s own outputs.'],
} as const;

/** Makes the metrics of a registry. */
export const metricsOf = (registry: Registry) => {
	const registers = [registry];
	return {
		counter: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
			new Counter<Label>({name: `processual_${name}_total`, help, labelNames, registers}),
		histogram: <Label extends string = never>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
			new Histogram<Label>({name: `processual_${name}`, help, buckets, labelNames, registers}),
	};
};

const createDurations = ({counter, histogram}: ReturnType<typeof metricsOf>) => {
	const cycles = counter('cycles', 'Ended cycles, by trigger and outcome.', 'trigger', 'outcome');
	const durations = histogram(
		'cycle_duration_seconds', 'How long successful cycles took, from their acceptance until they were durable.',
		[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], 'trigger',
	);
	const stepDurations = histogram(
		'cycle_step_duration_seconds', 'How long each step of a cycle took, failed cycles included; '
			+ 'embedding includes the wait for the model, queued is the wait for the cycles accepted before.',
		[0.00001, 0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], 'step',
	);

	// A series must start at zero for its first increase to be visible.
	for (const trigger of [...knownTriggers, 'other']) {
		durations.zero({trigger});
		for (const outcome of outcomes) {
			cycles.inc({trigger, outcome}, 0);
		}
	}

	for (const step of cycleSteps) {
		stepDurations.zero({step});
	}

	return {
		countEnd(outcome: (typeof outcomes)[number], {trigger, steps: durationsMs = {}}: EndedCycle): void {
			cycles.inc({trigger: labelOf(trigger), outcome});
			for (const step of cycleSteps) {
				const milliseconds = durationsMs[step];
				if (milliseconds !== undefined) {
					stepDurations.observe({step}, milliseconds / 1000);
				}
			}
		},
		countDuration: (trigger: string, milliseconds: number): void => durations.observe({trigger: labelOf(trigger)}, milliseconds / 1000),
	};
};

/** Makes the functions that start counting an identity and that stop counting all of them. */
export const createCycleCounter = (registry: Registry): {
	observe: (identity: Pick<ObservedIdentity, 'actor'>) => void;
	close: () => void;
} => {
	const {counter, histogram} = metricsOf(registry);
	const {countEnd, countDuration} = createDurations({counter, histogram});
	const chocs = counter('chocs', 'Cycles whose dissonance was a choc.');
	const counters = Object.entries(counted).map(([type, [name, help]]) => ({
		type: type as keyof typeof counted, counter: counter(name, help),
	}));
	const live = new Gauge({name: 'processual_identities_live', help: 'Identities that are in memory.', registers: [registry]});
	const opened = counter('identities_opened', 'How often an identity was opened.');
	// No identity is referenced, so that one that has ended can be garbage-collected while counting continues.
	let isClosed = false;

	return {
		observe({actor}) {
			const leave = () => live.dec();

			live.inc();
			opened.inc();
			actor.subscribe({complete: leave, error: leave});
			const count = <Type extends Parameters<typeof actor.on>[0]>(type: Type, take: Parameters<typeof actor.on<Type>>[1]) =>
				actor.on<Type>(type, event => {
					if (!isClosed) {
						take(event);
					}
				});
			count('cycle.done', event => {
				countEnd('done', event);
				countDuration(event.trigger, event.result.processingTimeMs);
				chocs.inc(Number(event.result.isChoc));
			});
			count('cycle.failed', event => countEnd('failed', event));
			for (const {type, counter: happened} of counters) {
				count(type, () => happened.inc());
			}
		},
		close() {
			isClosed = true;
		},
	};
};
