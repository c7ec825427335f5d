/** What a cycle is asked for, what it hears, and what it tells its parent. */
import type {TokenReport} from '../embedding/encoder.ts';
import type {CycleRecord} from '../journal/journal.ts';
import type {CycleRules} from '../semiosis/run-cycle.ts';
import type {Dimension} from '../kernel/dimensions.ts';
import type {Place, Turn} from './turns.ts';

/** A text that is to move the state, as it was accepted. */
export type CycleOrder = Omit<Extract<Place, {kind: 'cycle'}>, 'kind' | 'hasFailed'> & {
	readonly content: string;
	readonly metadata: Readonly<Record<string, unknown>>;
};

/** What a cycle is created with. */
export type CycleInput = {
	order: CycleOrder;
	/** What all cycles of the identity have in common, but the kernel. */
	rules: Omit<CycleRules, 'kernel'>;
	/** Its turn, where nothing was accepted before it; else the turn comes as an event. */
	turn: Turn | null;
};

/** What a cycle hears. */
export type CycleEvent =
	/** Everything that was accepted before has had its turn. */
	| ({type: 'turn'} & Turn)
	/** The cycle is not wanted any more. */
	| {type: 'cancel'}
	/** The cycle cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From itself: the append of its record has started. */
	| {type: 'append.started'};

/** The steps that a cycle can go through. */
export type CycleStep = 'embedding' | 'corroborating' | 'queued' | 'dissonance' | 'fixation' | 'applying' | 'recording';

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
};

/** What a cycle made: the next turn's start, the caller's answer, the journal's record. */
export type CycleOutcome = {
	readonly turn: Turn;
	readonly result: Omit<CycleResult, 'processingTimeMs'>;
	readonly record: CycleRecord;
	/** The record's number in the journal, once it is durable. */
	readonly seq: number | null;
};

/** What a cycle tells its parent. */
export type CycleReport = {id: string} & (
	/** It has had its turn, and its record is on its way to the journal. */
	| {type: 'cycle.applied'; turn: Turn}
	/** It is done: its record is durable, or there is no journal. */
	| {type: 'cycle.recorded'; order: CycleOrder; outcome: CycleOutcome; processingTimeMs: number; steps: CycleSteps; tokenReport: TokenReport}
	| {type: 'cycle.failed'; order: Pick<CycleOrder, 'id' | 'actor' | 'trigger' | 'origin'>; error: unknown; steps?: CycleSteps}
	| {type: 'cycle.cancelled'; order: Pick<CycleOrder, 'actor'>}
);

/** What a cycle or a reset that waits tells its parent: the holder of the turn must have stalled. */
export type TurnOverdue = {type: 'turn.overdue'};
