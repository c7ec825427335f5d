/** The setup of the process machine: its children, guards, actions and delays. */
import {assign, emit, enqueueActions, fromCallback, fromPromise, sendTo, setup} from 'xstate';
import {memoizeWeak} from '../platform/immutable.ts';
import {JournalError, MovedError, reasonOf} from '../platform/errors.ts';
import type {JournalEntry, RestoredJournal} from '../journal/journal.ts';
import {readPages} from '../journal/read-pages.ts';
import {timestampOf} from '../platform/clock.ts';
import {createBootMachine} from './boot.ts';
import type {BootResult} from './boot-steps.ts';
import {cycleKind} from './cycle.ts';
import {createDaemonMachine, type DaemonEvent} from './daemon.ts';
import type {MachineDeps} from './deps.ts';
import {freeParts} from './loaded-once.ts';
import {beginContext, readyContext, type ProcessContext} from './process-context.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {publishFound} from './publish-found.ts';
import {resetKind} from './reset.ts';
import {revisionKind} from './revision.ts';
import {settlementKind} from './settlement.ts';
import {createTranslationLogic} from './translation.ts';
import {turnActions, type Acting, type Enqueue} from './turn-actions.ts';
import {createTurnMachine} from './turn-machine.ts';
import {holderOf} from './turns.ts';
import {validationKind} from './validation.ts';

const firstJournalPauseMs = 250;
const maxJournalPauseMs = 5000;

/** The number of the last published record, and a function that publishes later ones. */
type Unpublished = {after: number; publish: (entry: JournalEntry) => void};

const reopen = async ({journal}: MachineDeps, {after, publish}: Unpublished, signal: AbortSignal): Promise<RestoredJournal> => {
	await journal!.close();
	// If the process was stopped, the journal must stay closed.
	signal.throwIfAborted();
	const restored = await journal!.open();
	if (!restored) {
		throw new JournalError('The journal is empty, but it had records. Put its files back where they were.');
	}

	for await (const page of readPages(journal!, after, restored.records, signal)) {
		page.forEach(entry => publish(entry));
	}

	return restored;
};

/** Memoized, since cycles are many. */
const cycleMachineOf = memoizeWeak((deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps));

/** Turns a function of `turn-actions.ts` into an action of the machine. */
const toAction = <Params extends {} | undefined>(deps: MachineDeps, act: (acting: Acting, params: Params) => void) =>
	enqueueActions<ProcessContext, ProcessEvent, Params, ProcessEvent, never, never, never, never, never>(({enqueue, context}, params) => {
		act({enqueue: enqueue as unknown as Enqueue, ready: readyContext(context), deps}, params);
	});

const acts = {...turnActions, publishFound};

type Actions = {
	[Name in keyof typeof acts]: ReturnType<typeof toAction<Parameters<(typeof acts)[Name]>[1]>>
};

export const processSetup = (deps: MachineDeps) => setup({
	types: {
		context: {} as ProcessContext,
		events: {} as ProcessEvent,
		emitted: {} as ProcessEmitted,
		children: {} as {boot: 'boot'; daemon: 'daemon'; resources: 'resources'},
	},
	/**
	 * Getters create the machines only when XState spawns them. An identity without cycles then takes 106 KiB instead of
	 * 208, one with cycles 142 instead of 214.
	 */
	actors: {
		get boot() {
			return createBootMachine(deps);
		},
		daemon: createDaemonMachine(deps),
		get cycle() {
			return cycleMachineOf(deps);
		},
		get reset() {
			return createTurnMachine(resetKind(deps), deps);
		},
		get validation() {
			return createTurnMachine(validationKind(deps), deps);
		},
		get revision() {
			return createTurnMachine(revisionKind(deps), deps);
		},
		get settlement() {
			return createTurnMachine(settlementKind(deps), deps);
		},
		translation: createTranslationLogic(deps),
		/**
		 * Stops with the process, however that ends, and frees its parts. Errors are ignored here, since `freeParts` throws
		 * them to its other callers too.
		 */
		resources: fromCallback(() => () => freeParts(deps).catch(() => {})),
		reopen: fromPromise<RestoredJournal, Unpublished>(async ({input, signal}) => reopen(deps, input, signal)),
	},
	guards: {
		hasMoved: ({event}) => 'error' in event && event.error instanceof MovedError,
		/** Whether the actor that broke has the turn. If it has not, XState ends the process with the error, and stops its children. */
		isOfHolder: ({context, event}) => 'actorId' in event && event.actorId === holderOf(readyContext(context).turns)?.actor,
	},
	actions: {
		...Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, toAction<never>(deps, act)])) as unknown as Actions,
		keepStep: assign(({context}, report: ProcessContext['report'][number]) => ({report: Object.freeze([...context.report, report])})),
		begin: assign((_, boot: BootResult) => beginContext(boot, deps.time)),
		keepJournalError: assign(({context: {faults = 0}}, {error}: {error: unknown}) => ({journalError: reasonOf(error), faults: faults + 1})),
		/** Journals the start or stop of the loop, for which no caller waits. */
		journalDaemonEvent({self}, {type: kind}: {type: 'daemon.started' | 'daemon.stopped'}) {
			deps.journal?.append({kind, id: deps.newId(), timestamp: timestampOf(deps.time)}).catch((error: unknown) => {
				self.send({type: 'loop.unrecorded'});
				self.send({type: 'journal.failed', error});
			});
		},
		/** After a recovery, journals whether the loop runs, if that is not recorded: the next node would resume a loop that was stopped. */
		journalLoop({context: {isLoopUnrecorded}, self}) {
			if (isLoopUnrecorded) {
				const {loop} = self.getSnapshot().children['daemon']!.getSnapshot().value;
				self.send({type: loop === 'stopped' ? 'daemon.stopped' : 'daemon.started'});
			}
		},
		tell: emit((_, event: ProcessEmitted) => event),
		tellDaemon: sendTo('daemon', (_, event: DaemonEvent) => event),
	},
	delays: {
		/** The pause before a failed journal is retried, doubled with each failure since the last durable cycle. */
		journalPauseMs: ({context: {faults = 1}}) => Math.min(maxJournalPauseMs, firstJournalPauseMs * 2 ** (faults - 1)),
	},
});
