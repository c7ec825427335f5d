/**
 * A cycle: one text's way into the state.
 *
 * embedding → dissonance → fixation → applying → recording. Where science has a source, it is asked for
 * what corroborates the text after the embedding: it knows the text's vector alone, not the state, so it
 * may be asked before the turn. The rules are in `semiosis/run-cycle.ts`.
 */
import type {Encoder, TokenReport} from '../embedding/encoder.ts';
import {sourceOf} from '../instruments/source-of.ts';
import type {CycleRecord, StoredCycle} from '../journal/journal.ts';
import type {Dimension} from '../kernel/dimensions.ts';
import {timestampOf} from '../platform/clock.ts';
import {affectedDimensions, type Dissonance} from '../semiosis/dissonance.ts';
import {proposalsOf, type Fixation} from '../semiosis/fixation.ts';
import {applyCycle, runDissonance, runFixation, type CycleRules, type EmbeddedText} from '../semiosis/run-cycle.ts';
import {checkpointOf, withCycle} from './tally.ts';
import type {MachineDeps} from './deps.ts';
import {corroborate, embed} from './embed-text.ts';
import {oneLine} from './process-context.ts';
import type {TurnContext, TurnInput, TurnKind, TurnOutcome, TurnReport} from './turn-machine.ts';
import type {TurnOrder} from './turns.ts';

export type CycleDeps = Pick<MachineDeps, 'kernel' | 'time' | 'corroborate'> & {encoder: Encoder};

/** A text that is to move the state, as it was accepted. */
export type CycleOrder = Extract<TurnOrder, {kind: 'cycle'}> & {
	readonly content: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** Of a text that is imported: when it was said; ISO 8601, UTC. */
	readonly saidAt?: string;
};

export type CycleInput = TurnInput & {
	order: CycleOrder;
	/** What all cycles of the identity have in common, but the kernel. */
	rules: Omit<CycleRules, 'kernel'>;
};

/** The steps that a cycle can go through, in their order. */
export const cycleSteps = ['embedding', 'corroborating', 'queued', 'dissonance', 'fixation', 'applying', 'recording'] as const;

/** A step of a cycle. */
export type CycleStep = (typeof cycleSteps)[number];

/** Milliseconds that each step took, of those that were left. */
export type CycleSteps = Partial<Record<CycleStep, number>>;

/** The outcome of one cycle, about the very state that it made. */
export type CycleResult = {
	readonly stateId: number;
	/** ‖delta‖, at most 0.001. */
	readonly deltaMagnitude: number;
	readonly dissonanceTotal: number;
	readonly isChoc: boolean;
	/** Dimensions with a score over 0.1, in the dimensions' order. */
	readonly dimensionsAffected: readonly Dimension[];
	readonly processingTimeMs: number;
	/** Why the text is held back, and moved nothing; absent where it moved the state. */
	readonly held?: string;
};

/** What a cycle made, with the caller's answer. */
export type CycleOutcome = TurnOutcome & {
	readonly record: CycleRecord;
	readonly result: Omit<CycleResult, 'processingTimeMs'>;
};

/** What a cycle knows; each step adds its part. */
export type CycleContext = TurnContext & CycleInput & {
	readonly outcome?: CycleOutcome;
	/** The text as the rules know it. */
	readonly text?: EmbeddedText;
	readonly tokenReport?: TokenReport;
	readonly dissonance?: Dissonance;
	readonly fixation?: Fixation;
};

export type CycleReport = TurnReport<'cycle', CycleContext>;

/** The outcome of a cycle that is recorded, but for its time. */
export const resultOf = ({
	stateId, deltaMagnitude, total, choc, scores,
}: Pick<StoredCycle, 'stateId' | 'deltaMagnitude' | 'total' | 'choc' | 'scores'>): CycleOutcome['result'] =>
	({stateId, deltaMagnitude, dissonanceTotal: total, isChoc: choc, dimensionsAffected: affectedDimensions(scores)});

export const cycleKind = (deps: CycleDeps): TurnKind<CycleContext> => {
	const rulesOf = ({rules: {authority, reference}}: CycleContext): CycleRules => ({kernel: deps.kernel, authority, reference});
	const hasScience = (): boolean => deps.corroborate !== null;

	return {
		name: 'cycle',
		prepare: [
			{
				name: 'embedding',
				async run({order: {content, trigger, metadata}}, signal) {
					const source = sourceOf({trigger, metadata, isHashed: false});
					const {vector, report} = await embed(content, deps.encoder, signal, {source});
					return {text: oneLine({vector}, `embedding of ${vector.length} floats`), tokenReport: report};
				},
			},
			{
				name: 'corroborating',
				guard: hasScience,
				async run({text}, signal) {
					const {vector} = text!;
					const corroborating = await corroborate(deps.corroborate!, vector, signal);
					return {text: oneLine({vector, corroborating}, `embedding of ${vector.length} floats, ${corroborating?.length} corroborating`)};
				},
			},
		],
		inTurn: [
			{name: 'dissonance', compute: context => ({dissonance: runDissonance(rulesOf(context), context.turn!, context.text!)})},
			{name: 'fixation', compute: context => ({fixation: runFixation(rulesOf(context), context.text!, context.dissonance!)})},
			{name: 'applying', compute: context => ({outcome: apply(rulesOf(context), context, deps)})},
		],
	};
};

/** Makes the next state, and writes down what the cycle did. */
const apply = (rules: CycleRules, context: CycleContext, {time}: CycleDeps): CycleOutcome => {
	const {
		order: {id, content, trigger, metadata, origin, saidAt, accepted}, turn: before, text, dissonance, fixation, tokenReport,
	} = context;
	const {state, vigilance, measures, affected} = applyCycle(rules, before!, text!, dissonance!, fixation!, timestampOf(time));
	const tally = withCycle(before!.tally, accepted ?? {type: trigger, timestamp: state.timestamp, elapsed: time.elapsed()});
	const outcome: CycleOutcome = {
		turn: {state, vigilance, tally},
		result: {
			stateId: state.stateId,
			deltaMagnitude: measures.deltaMagnitude,
			dissonanceTotal: measures.total,
			isChoc: measures.choc,
			dimensionsAffected: affected,
		},
		record: {
			kind: 'cycle',
			id,
			timestamp: state.timestamp,
			...(saidAt !== undefined && {saidAt}),
			trigger,
			origin,
			content,
			metadata,
			vector: text!.vector,
			tokenReport: tokenReport!,
			...measures,
			proposals: proposalsOf(fixation!),
			stateId: state.stateId,
			thirdness: state.row('thirdness'),
			checkpoint: checkpointOf(tally, vigilance.report.cumulativeDrift),
		},
	};
	return oneLine(outcome, `outcome: ${state.toJSON()}`);
};
