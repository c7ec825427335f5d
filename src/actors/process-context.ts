/** The process's context: plain data. What readers see is durable; the turns may be ahead of it. */
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

/** What there is once the boot is done. */
type Ready = {
	boot: BootResult;
	/** Monotonic milliseconds when the process became ready. */
	startedAt: number;
	/** The state that readers see, its check, and what is counted with it. */
	state: StateTensor;
	vigilance: Vigilance;
	tally: Tally;
	/** Which texts are held back. */
	quarantine: Quarantine;
	/** The line of what was accepted, and the state that the last turn left. */
	turns: TurnLine;
	/** The newest durable validation; null without one. */
	validation: ValidationFacts | null;
	/**
	 * The number of the newest record that readers see; null before the first one of this life where the journal was
	 * new, and without a journal.
	 */
	seq: number | null;
};

/** What readers of the past learn of the newest revision. */
export type RevisionInForce = Pick<RevisionFacts, 'id' | 'timestamp' | 'note' | 'excluded'>;

type Always = {
	report: readonly StepReport[];
	/** Why the journal cannot be written; null while it can. */
	journalError: string | null;
	/** The newest durable revision; undefined without one. */
	revision: RevisionInForce | undefined;
	/** How often the journal has failed since a cycle was durable; undefined for never, which takes no bytes in an inspector's frames. */
	faults: number | undefined;
};

export type ProcessContext = Always & {[Key in keyof Ready]: Ready[Key] | null};

export type ReadyContext = Always & Ready;

export const initialContext: ProcessContext = {
	report: [], boot: null, startedAt: null, state: null, vigilance: null, tally: null, quarantine: null, turns: null, validation: null,
	seq: null, revision: undefined, journalError: null, faults: undefined,
};

/** The names that it leaves out may be long, and stand in the journal. When and why is of the one by which texts weigh nothing. */
export const inForce = (facts: RevisionFacts | null): RevisionInForce | undefined => {
	const {timestamp, note} = facts?.excludedBy ?? facts ?? {};
	return facts ? {id: facts.id, timestamp: timestamp!, note: note!, excluded: facts.excluded} : undefined;
};

/** What the process begins with when its boot is done. */
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

/** Nothing can change the state while it cannot be kept, and the past is not read while the journal is closed. */
export const haltedError = (journalError: string, what = 'Nothing can be changed', cause?: unknown): UnavailableError =>
	new UnavailableError(`${what} while the journal cannot be written: ${journalError}`, {cause, retryable: true});

/** The process has ended, because another node has the identity. */
export const movedError = (): MovedError => new MovedError('Another node has this identity now. Try again: that node will answer.');

/** Gives a value a JSON of one line, so that inspectors and logs of a snapshot stay readable, and private texts stay private. */
export const oneLine = <Value extends object>(value: Value, line: string): Value =>
	Object.defineProperty(value, 'toJSON', {value: () => line, configurable: true});
