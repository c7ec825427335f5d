/** What the process hears, from its callers and from its children, and what it emits. */
import type {ErrorActorEvent} from 'xstate';
import type {ForgetResponse, RevisionResponse, Settled} from '../generated/types.ts';
import type {Decision} from '../instruments/describe-revision.ts';
import type {DeepReadonly} from '../platform/immutable.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {ValidationFacts} from '../journal/validation.ts';
import type {BootProgress, StepReport} from './boot.ts';
import type {CycleReport, CycleResult, CycleSteps} from './cycle.ts';
import type {DaemonRequest} from './daemon-events.ts';
import type {ResetReport} from './reset.ts';
import type {RevisionReport} from './revision.ts';
import type {SettlementReport, SettlementRequest} from './settlement.ts';
import type {TranslationReport} from './translation.ts';
import type {ReplayProgress, TurnOverdue} from './turn-machine.ts';
import type {ValidationReport} from './validation.ts';
import type {Origin} from './turns.ts';
import type {WatchNotice} from '../instruments/watch-notices.ts';

/** What a process hears. */
export type ProcessEvent =
	/** A caller asks for a cycle. With `saidAt`, ISO 8601 in UTC, the text was said then and is imported now. */
	| {type: 'cycle'; id: string; content: string; trigger: string; metadata: Record<string, unknown>; saidAt?: string}
	/** The caller does not want the cycle any more: it is cancelled unless it has had its turn. */
	| {type: 'cycle.cancel'; id: string}
	| {type: 'reset'; id: string}
	/** A caller approves the state as the reference for drift. The note says what for, the horizon for how many texts. */
	| {type: 'validate'; id: string; note: string; horizon: number}
	/** A caller decides which texts weigh nothing from now on. */
	| {type: 'revise'; id: string; decision: Decision}
	/** A caller decides that held texts wait no more. */
	| {type: 'settle'; id: string; request: SettlementRequest}
	| {type: 'translate'; id: string; context: string | null}
	| {type: 'translate.cancel'; id: string}
	| {type: 'daemon.start'}
	/** Resume the loop if the journal says that it was running; no record is written. */
	| {type: 'daemon.resume'; dueMs: number}
	| {type: 'daemon.stop'}
	| {type: 'stop'}
	| {type: 'journal.failed'; error: unknown}
	/** A record that is in the journal, and whose answer was lost. */
	| ({type: 'record.found'} & JournalEntry)
	| BootProgress
	| CycleReport
	| TurnOverdue
	| ReplayProgress
	| ResetReport
	| ValidationReport
	| RevisionReport
	| SettlementReport
	| TranslationReport
	| DaemonRequest
	| WatchNotice
	| ErrorActorEvent;

/** The end of a cycle, with the dissonance score of each dimension, in the dimensions' order, and how the encoder read the text. */
export type CycleEnd<Type> = {
	type: Type; id: string; trigger: string; origin: Origin; result: CycleResult; scores: readonly number[];
	steps: Readonly<CycleSteps>; tokenReport: Readonly<TokenReport>;
};

/** What the process emits. Every listener hears the same object, which is read only. */
export type ProcessEmitted = Readonly<
	| {type: 'boot.step'; report: StepReport}
	| CycleEnd<'cycle.done'>
	/** The text waits, and moved nothing. */
	| CycleEnd<'cycle.held'>
	| {type: 'cycle.failed'; id: string; trigger: string; origin: Origin; error: unknown; steps?: Readonly<CycleSteps>}
	| {type: 'cycle.cancelled'; id: string}
	| {type: 'reset.done'; id: string; stateId: number}
	| {type: 'reset.failed'; id: string; error: unknown}
	| {type: 'identity.validated'} & DeepReadonly<ValidationFacts>
	| {type: 'validation.failed'; id: string; error: unknown}
	/** Some texts weigh nothing from now on, or weigh something again; the state is another one. */
	| {
			type: 'identity.revised'; id: string; stateId: number;
			/** Absent where its record was found when the journal was opened again. */
			answer?: RevisionResponse | ForgetResponse;
	  }
	| {type: 'revision.failed'; id: string; error: unknown}
	| ReplayProgress
	/** Held texts wait no more. */
	| {type: 'held.released' | 'held.dropped'; id: string; stateId: number; texts: number; answer?: Settled}
	| {type: 'settlement.failed'; id: string; error: unknown}
	| {type: 'journal.failed'; error: unknown}
	| {type: 'journal.recovered'}
	/** Another node has taken the identity over. This process has ended, and nothing is lost. */
	| {type: 'moved'}
	| TranslationReport
	| WatchNotice
>;
