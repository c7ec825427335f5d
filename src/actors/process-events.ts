/** The events that the process receives from its callers and its children, and those that it emits. */
import type {ErrorActorEvent} from 'xstate';
import type {ForgetResponse, RevisionResponse, Settled} from '../generated/types.ts';
import type {Decision} from '../instruments/describe-revision.ts';
import type {DeepReadonly} from '../platform/immutable.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {ValidationFacts} from '../journal/validation.ts';
import type {Level} from '../semiosis/vigilance.ts';
import type {BootProgress, StepReport} from './boot.ts';
import type {CycleResult, CycleSteps} from './cycle.ts';
import type {DaemonRequest} from './daemon.ts';
import type {SettlementRequest} from './settlement.ts';
import type {TranslationReport} from './translation.ts';
import type {ReplayProgress, TurnOverdue, TurnReport} from './turn-machine.ts';
import type {Origin} from './turns.ts';
import type {WatchNotice} from '../instruments/watch-notices.ts';

/** The events that a process receives. */
export type ProcessEvent =
	/** Requests a cycle. With `saidAt`, ISO 8601 in UTC, the text is an import: it was said at that time. */
	| {type: 'cycle'; id: string; content: string; trigger: string; metadata: Record<string, unknown>; saidAt?: string}
	/** Cancels the cycle, unless it has had its turn. */
	| {type: 'cycle.cancel'; id: string}
	| {type: 'reset'; id: string}
	/** Approves the state as the reference for drift. `note` is its purpose, `horizon` the number of texts up to which p holds. */
	| {type: 'validate'; id: string; note: string; horizon: number}
	/** Revises the past, sets or lifts a hold, or forgets texts. */
	| {type: 'revise'; id: string; decision: Decision}
	/** Releases or drops held texts. */
	| {type: 'settle'; id: string; request: SettlementRequest}
	| {type: 'translate'; id: string; context: string | null}
	| {type: 'translate.cancel'; id: string}
	| {type: 'daemon.start'}
	/** Resumes a loop that the journal says was running; no record is written. The next cycle is due in `dueMs` milliseconds. */
	| {type: 'daemon.resume'; dueMs: number}
	| {type: 'daemon.stop'}
	| {type: 'stop'}
	| {type: 'journal.failed'; error: unknown}
	/** A start or stop of the loop could not be journaled. */
	| {type: 'loop.unrecorded'}
	/** A record that the journal contains but whose answer was lost. */
	| ({type: 'record.found'} & JournalEntry)
	| BootProgress
	| TurnReport
	| TurnOverdue
	| ReplayProgress
	| TranslationReport
	| DaemonRequest
	| WatchNotice
	| ErrorActorEvent;

/**
 * The end of a cycle, with the drift after it. `scores` are the dissonances in the order of the dimensions; `tokenReport` says how the
 * encoder read the text.
 */
export type CycleEnd<Type = 'cycle.done' | 'cycle.held'> = {
	type: Type; id: string; trigger: string; origin: Origin; result: CycleResult; scores: readonly number[];
	steps: Readonly<CycleSteps>; tokenReport: Readonly<TokenReport>; timestamp: string; level: Level; cumulativeDrift: number;
};

/** The events that a process emits. Every listener receives the same read-only object. */
export type ProcessEmitted = Readonly<
	| {type: 'boot.step'; report: StepReport}
	| CycleEnd<'cycle.done'>
	/** The text is held and did not move the state. */
	| CycleEnd<'cycle.held'>
	| {type: 'cycle.failed'; id: string; trigger: string; origin: Origin; error: unknown; steps?: Readonly<CycleSteps>}
	| {type: 'cycle.cancelled'; id: string}
	| {type: 'reset.done'; id: string; stateId: number}
	| {type: 'reset.failed'; id: string; error: unknown}
	| {type: 'identity.validated'} & DeepReadonly<ValidationFacts>
	| {type: 'validation.failed'; id: string; error: unknown}
	/** A revision, a hold or a forgetting took effect. */
	| {
			type: 'identity.revised'; id: string; stateId: number;
			/** Absent if the record was found when the journal was reopened. */
			answer?: RevisionResponse | ForgetResponse;
	  }
	| {type: 'revision.failed'; id: string; error: unknown}
	| ReplayProgress
	/** Held texts were released or dropped. */
	| {type: 'held.released' | 'held.dropped'; id: string; stateId: number; texts: number; answer?: Settled}
	| {type: 'settlement.failed'; id: string; error: unknown}
	| {type: 'journal.failed'; error: unknown}
	| {type: 'journal.recovered'}
	/** Another node has taken over the identity. This process has ended, and nothing is lost. */
	| {type: 'moved'}
	| TranslationReport
	| WatchNotice
>;
