/** The process's context: plain data. Readers see durable states only; the turns may be ahead of them. */
import {MovedError, UnavailableError} from '../platform/errors.ts';
import type {ValidationFacts} from '../journal/validation.ts';
import type {RevisionFacts} from '../journal/revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {Time} from '../platform/clock.ts';
import type {Vigilance} from '../semiosis/vigilance.ts';
import type {StepReport} from './boot.ts';
import type {BootResult} from './boot-steps.ts';
import {quarantineOf, type Quarantine} from './quarantine.ts';
import {noTally, restoreTally, type Tally} from './tally.ts';
import {startTurns, type Turn, type TurnLine} from './turns.ts';

/** The part of the context that exists once the boot is done. */
type Ready = {
	boot: BootResult;
	/** Monotonic milliseconds when the process became ready. */
	startedAt: number;
	/** The state that readers see, with its drift check and its counters. */
	state: StateTensor;
	vigilance: Vigilance;
	tally: Tally;
	/** The hold in force, and the number of held texts. */
	quarantine: Quarantine;
	/** The queue of accepted requests, and the state after the last turn. */
	turns: TurnLine;
	/** The newest durable validation; null without one. */
	validation: ValidationFacts | null;
	/** The number of the newest record that readers see; null without a journal, and before the first record of a new one. */
	seq: number | null;
};

/** The newest revision, as readers of the past need it. */
export type RevisionInForce = Pick<RevisionFacts, 'id' | 'timestamp' | 'note' | 'excluded'>;

type Always = {
	report: readonly StepReport[];
	/** The reason why the journal cannot be written; null while it can. */
	journalError: string | null;
	/** The newest durable revision; undefined without one. */
	revision: RevisionInForce | undefined;
	/** Failures of the journal since the last durable cycle. Undefined instead of 0, which takes no bytes in an inspector's frames. */
	faults: number | undefined;
	/** Set if a start or stop of the loop could not be journaled. */
	isLoopUnrecorded: true | undefined;
};

export type ProcessContext = Always & {[Key in keyof Ready]: Ready[Key] | null};

export type ReadyContext = Always & Ready;

export const initialContext: ProcessContext = {
	report: [], boot: null, startedAt: null, state: null, vigilance: null, tally: null, quarantine: null, turns: null, validation: null,
	seq: null, revision: undefined, journalError: null, faults: undefined,
	isLoopUnrecorded: undefined,
};

/**
 * Leaves out the revision's names, which may be long and are in the journal. Time and note are those of the revision that
 * excluded texts.
 */
export const inForce = (facts: RevisionFacts | null): RevisionInForce | undefined => {
	const {timestamp, note} = facts?.excludedBy ?? facts ?? {};
	return facts ? {id: facts.id, timestamp: timestamp!, note: note!, excluded: facts.excluded} : undefined;
};

/** The context with which the process starts when its boot is done. */
export const beginContext = (boot: BootResult, time: Time): Ready & Pick<Always, 'revision'> => {
	const tally = boot.restored ? restoreTally(boot.restored.checkpoint, time) : noTally;
	const quarantine = quarantineOf(boot.restored?.revision ?? null, boot.restored?.held ?? 0);
	const turn: Turn = {state: boot.current, vigilance: boot.vigilance, tally, quarantine};
	return {
		boot, startedAt: time.elapsed(), ...turn, turns: startTurns(turn), validation: boot.restored?.validation ?? null,
		revision: inForce(boot.restored?.revision ?? null),
		seq: boot.restored?.records ?? null,
	};
};

export const readyContext = (context: ProcessContext): ReadyContext => {
	if (!context.boot) {
		throw new UnavailableError('The process is still starting, so there is no state yet; try again in a moment.', {retryable: true});
	}

	return context as ReadyContext;
};

/** While the journal cannot be written, the state must not change; while it is closed, the past cannot be read. */
export const haltedError = (journalError: string, what = 'Nothing can be changed', cause?: unknown): UnavailableError =>
	new UnavailableError(`${what} while the journal cannot be written: ${journalError}`, {cause, retryable: true});

/** The error of requests to a process that has ended because another node has the identity. */
export const movedError = (): MovedError => new MovedError('Another node has this identity now. Try again: that node will answer.');

/** Makes a value serialise to one line of JSON: inspectors and logs stay readable, and private texts stay private. */
export const oneLine = <Value extends object>(value: Value, line: string): Value =>
	Object.defineProperty(value, 'toJSON', {value: () => line, configurable: true});
