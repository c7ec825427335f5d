/**
 * A cycle takes one text into the state: embedding → dissonance → fixation → applying → recording.
 *
 * If science has a source, it is asked after the embedding for vectors that corroborate the text. It needs the text's
 * vector but not the state, so it can be asked before the turn. The rules are in `semiosis/run-cycle.ts`. A guard's rules
 * may depend on the watch on drift: while the watch still reads the past, a guarded text waits before it is applied.
 */
import type {Encoder, TokenReport} from '../embedding/encoder.ts';
import type {CycleResponse} from '../generated/types.ts';
import {isOwn, sourceOf} from '../instruments/source-of.ts';
import {unmoved, type CycleRecord, type HeldRecord, type StoredCycle, type StoredHeld} from '../journal/journal.ts';
import {timestampOf} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {affectedDimensions, type Dissonance} from '../semiosis/dissonance.ts';
import {proposalsOf, type Fixation} from '../semiosis/fixation.ts';
import {applyCycle, runDissonance, runFixation, type CycleRules, type EmbeddedText} from '../semiosis/run-cycle.ts';
import {findHoldReason} from './quarantine.ts';
import {checkpointOf, withCycle} from './tally.ts';
import type {MachineDeps} from './deps.ts';
import {corroborate, embed} from './embed-text.ts';
import {oneLine} from './process-context.ts';
import type {CycleEnd} from './process-events.ts';
import type {TurnContext, TurnInput, TurnKind, TurnOutcome, TurnStep} from './turn-machine.ts';
import type {TurnOrder} from './turns.ts';

export type CycleDeps = Pick<MachineDeps, 'kernel' | 'time' | 'corroborate' | 'guard' | 'standings'> & {encoder: Encoder};

/** An accepted text that is to move the state. */
export type CycleOrder = Extract<TurnOrder, {kind: 'cycle'}> & {
	readonly content: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** For an import: when the text was said; ISO 8601, UTC. */
	readonly saidAt?: string;
};

export type CycleInput = TurnInput & {
	order: CycleOrder;
	/** The rules that all cycles of the identity share, without the kernel. */
	rules: Omit<CycleRules, 'kernel'>;
};

/** The steps that a cycle can go through, in order. */
export const cycleSteps = ['embedding', 'corroborating', 'queued', 'dissonance', 'fixation', 'guarding', 'applying', 'recording'] as const;

/** A step of a cycle. */
export type CycleStep = (typeof cycleSteps)[number];

/** The duration of each completed step in milliseconds. */
export type CycleSteps = Partial<Record<CycleStep, number>>;

/** The result of one cycle, for exactly the state that it made. */
export type CycleResult = CycleResponse;

/** The context of a cycle, to which each step adds its part. */
export type CycleContext = TurnContext & CycleInput & {
	/** The text as the rules need it. */
	readonly text?: EmbeddedText;
	readonly tokenReport?: TokenReport;
	readonly dissonance?: Dissonance;
	readonly fixation?: Fixation;
};

type RecordedText = CycleRecord | HeldRecord | StoredCycle | StoredHeld;

/** The part of a record, or of a dry run, that the caller's answer is made from. */
type Measured = Pick<CycleRecord, 'stateId' | 'deltaMagnitude' | 'total' | 'choc' | 'scores'> & {readonly reason?: string};

/** Makes the caller's answer. A cycle that is read from the journal has no processing time. */
export const resultOf = (
	{stateId, deltaMagnitude, total, choc, scores, reason}: Measured, processingTimeMs = 0,
): CycleResult => ({
	stateId, deltaMagnitude, dissonanceTotal: total, isChoc: choc, dimensionsAffected: affectedDimensions(scores),
	...(reason !== undefined && {held: reason}), processingTimeMs,
});

export const cycleKind = (deps: CycleDeps): TurnKind<CycleContext> => {
	const rulesOf = ({rules: {authority, reference}}: CycleContext): CycleRules => ({kernel: deps.kernel, authority, reference});
	const hasScience = (): boolean => deps.corroborate !== null;
	const mustWaitForWatch = (): boolean => deps.standings.isUnknown();
	// Without such rules the state is left out: it would be drawn in inspectors, and sent to them with each cycle.
	const guarding: ReadonlyArray<TurnStep<CycleContext>> = deps.standings.isAsked ? [{
		name: 'guarding',
		guard: mustWaitForWatch,
		async run({order}, signal) {
			await (isGuarded(order) && deps.standings.whenKnown(signal));
			return {};
		},
	}] : [];

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
			...guarding,
			{name: 'applying', compute: context => ({outcome: apply(rulesOf(context), context, deps)})},
		],
	};
};

/** Whether the guard's rules apply: only to texts that others send now. */
const isGuarded = ({trigger, metadata, origin}: CycleOrder): boolean =>
	origin === 'caller' && !isOwn({trigger, metadata, isHashed: false});

/** Makes the next state, unless the text is held, and composes the record. */
const apply = (rules: CycleRules, context: CycleContext, {time, guard}: CycleDeps): TurnOutcome => {
	const {
		order: {id, content, trigger, metadata, origin, saidAt, accepted}, turn, text, dissonance, fixation, tokenReport,
	} = context;
	const [before, {vector}] = [turn!, text!];
	const arriving = {id, trigger, metadata, isHashed: false as const, vector, tokenReport: tokenReport!};
	const reason = findHoldReason(arriving, before.quarantine, isGuarded(context.order) ? guard : []);
	const change = applyCycle(rules, before, text!, dissonance!, fixation!, timestampOf(time));
	const {timestamp} = change.state;
	const {state, vigilance} = reason === null ? change : before;
	const measures = reason === null ? change.measures : {...change.measures, ...unmoved(vigilance.report)};
	const tally = withCycle(before.tally, accepted ?? {type: trigger, timestamp, elapsed: time.elapsed()});
	const {quarantine} = before;
	const record = {
		id, timestamp, ...(saidAt !== undefined && {saidAt}), trigger, origin, content, metadata, vector, tokenReport: tokenReport!,
		...measures, proposals: proposalsOf(fixation!), stateId: state.stateId, thirdness: state.row('thirdness'),
		checkpoint: checkpointOf(tally, vigilance.report.cumulativeDrift),
	};
	const outcome: TurnOutcome = {
		turn: {state, vigilance, tally, quarantine: reason === null ? quarantine : {...quarantine, waiting: quarantine.waiting + 1}},
		record: reason === null ? {kind: 'cycle', ...record} : {kind: 'held', ...record, reason, stateTimestamp: state.timestamp},
	};
	return oneLine(outcome, `outcome: ${state.toJSON()}`);
};

/**
 * Makes the event at the end of a cycle. All listeners receive this object, and its result is the caller's answer. A cycle
 * read from the journal, or of a released text, has no processing time.
 */
export const cycleEnd = (record: RecordedText, processingTimeMs = 0, steps: CycleSteps = {}): Readonly<CycleEnd> => {
	const {kind, id, trigger, origin, scores, tokenReport, timestamp, level, checkpoint: {cumulativeDrift}} = record;
	return deepFreeze({
		type: kind === 'held' ? 'cycle.held' : 'cycle.done', id, trigger, origin,
		result: resultOf(record, processingTimeMs), scores, steps, tokenReport, timestamp, level, cumulativeDrift,
	});
};
