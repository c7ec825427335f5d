/** Cycles as they end, the time that each of their steps took, translations, and the journal's failures. */
import {Counter, Histogram, type Registry} from 'prom-client';
import {isKnown, knownTriggers} from '../actors/trigger.ts';
import type {Observed} from './observed.ts';

/** The steps of a cycle, in their order. */
const steps = ['embedding', 'corroborating', 'queued', 'dissonance', 'fixation', 'applying', 'recording'] as const;

/** What the end of a cycle tells: of the steps that it went through, their milliseconds. */
type End = {trigger: string; steps?: Partial<Record<(typeof steps)[number], number>>};

const outcomes = ['done', 'failed'] as const;

/** Callers may name any trigger: those that nobody knows are one. */
const labelOf = (trigger: string): string => isKnown(trigger) ? trigger : 'other';

/** Counts from now on, until the function that it returns is called. */
export const countCycles = (registry: Registry, {actor}: Observed): (() => void) => {
	const registers = [registry];
	const cycles = new Counter({
		name: 'processual_cycles_total',
		help: 'Cycles that have ended, by what set them off and how they ended.',
		labelNames: ['trigger', 'outcome'],
		registers,
	});
	const durations = new Histogram({
		name: 'processual_cycle_duration_seconds',
		help: 'How long cycles that were done took, from their acceptance until they were durable.',
		labelNames: ['trigger'],
		buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers,
	});
	const stepDurations = new Histogram({
		name: 'processual_cycle_step_duration_seconds',
		help: 'How long each step of a cycle took, of failed cycles too; embedding includes the wait for the model, queued is the wait for those accepted before.',
		labelNames: ['step'],
		buckets: [0.00001, 0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
		registers,
	});
	const chocs = new Counter({
		name: 'processual_chocs_total',
		help: 'Cycles whose dissonance was a choc.',
		registers,
	});
	const translations = new Counter({
		name: 'processual_translations_total',
		help: 'How often the state was put into words, and whether the text thinks aloud.',
		labelNames: ['reasoning_detected'],
		registers,
	});
	const journalFailures = new Counter({
		name: 'processual_journal_failures_total',
		help: 'How often the journal has failed and the process has stopped accepting cycles for it.',
		registers,
	});

	// A series that begins at zero shows its first increase.
	for (const trigger of [...knownTriggers, 'other']) {
		durations.zero({trigger});
		for (const outcome of outcomes) {
			cycles.inc({trigger, outcome}, 0);
		}
	}

	for (const step of steps) {
		stepDurations.zero({step});
	}

	for (const detected of ['true', 'false']) {
		translations.inc({reasoning_detected: detected}, 0);
	}

	const ended = (outcome: (typeof outcomes)[number], {trigger, steps: taken = {}}: End): void => {
		cycles.inc({trigger: labelOf(trigger), outcome});
		for (const step of steps) {
			const milliseconds = taken[step];
			if (milliseconds !== undefined) {
				stepDurations.observe({step}, milliseconds / 1000);
			}
		}
	};

	const subscriptions = [
		actor.on('cycle.done', (event) => {
			ended('done', event);
			durations.observe({trigger: labelOf(event.trigger)}, event.result.processingTimeMs / 1000);
			chocs.inc(Number(event.result.isChoc));
		}),
		actor.on('cycle.failed', (event) => {
			ended('failed', event);
		}),
		actor.on('translation.done', ({translation}) => {
			translations.inc({reasoning_detected: String(translation.reasoningDetected)});
		}),
		actor.on('journal.failed', () => {
			journalFailures.inc();
		}),
	];
	return () => {
		for (const subscription of subscriptions) {
			subscription.unsubscribe();
		}
	};
};
