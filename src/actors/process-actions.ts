/** The parts of the process machine: its children, its actions by their names, and its delays. */
import {assign, emit, enqueueActions, fromCallback, fromPromise, sendTo, setup} from 'xstate';
import {memoizeWeak} from '../platform/immutable.ts';
import {JournalError, MovedError, reasonOf} from '../platform/errors.ts';
import type {JournalEntry, RestoredJournal} from '../journal/journal.ts';
import {readPages} from '../journal/read-pages.ts';
import {timestampOf} from '../platform/clock.ts';
import {createBootMachine} from './boot.ts';
import type {BootResult} from './boot-steps.ts';
import {cycleKind} from './cycle.ts';
import {createDaemonMachine} from './daemon.ts';
import type {DaemonEvent} from './daemon-events.ts';
import type {MachineDeps} from './deps.ts';
import {freeParts} from './loaded-once.ts';
import {beginContext, readyContext, type ProcessContext} from './process-context.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {publishFound} from './publish-found.ts';
import {resetKind} from './reset.ts';
import {revisionKind} from './revision.ts';
import {settlementKind} from './settlement.ts';
import {createTranslationMachine} from './translation.ts';
import {turnActions, type Acting, type Enqueue} from './turn-actions.ts';
import {createTurnMachine} from './turn-machine.ts';
import {validationKind} from './validation.ts';

const firstJournalPauseMs = 250;
const maxJournalPauseMs = 5000;

/** Which records are not published yet, and what publishes them. */
type Unheard = {after: number; publish: (entry: JournalEntry) => void};

const reopen = async ({journal}: MachineDeps, {after, publish}: Unheard, signal: AbortSignal): Promise<RestoredJournal> => {
	await journal!.close();
	// The process was stopped and wants it closed.
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

/** Made once, since cycles are many. */
const cycleMachineOf = memoizeWeak((deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps));

/** A function of `turn-actions.ts` as an action of the machine. */
const toAction = <Params extends {} | undefined>(deps: MachineDeps, act: (acting: Acting, params: Params) => void) =>
	enqueueActions<ProcessContext, ProcessEvent, Params, ProcessEvent, never, never, never, never, never>(({enqueue, context}, params) => {
		act({enqueue: enqueue as unknown as Enqueue, ready: readyContext(context), deps}, params);
	});

const acts = {...turnActions, publishFound};

type Actions = {
	[Name in keyof typeof acts]: ReturnType<typeof toAction<Parameters<(typeof acts)[Name]>[1]>>
};

/** The process's children and actions, for its statechart. */
export const processSetup = (deps: MachineDeps) => setup({
	types: {
		context: {} as ProcessContext,
		events: {} as ProcessEvent,
		emitted: {} as ProcessEmitted,
		children: {} as {boot: 'boot'; daemon: 'daemon'; resources: 'resources'},
	},
	/**
	 * Made when they are spawned, where XState reads them: an identity without a cycle then takes 106 KiB instead of
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
		get translation() {
			return createTranslationMachine(deps);
		},
		/**
		 * Stops with the process, however that ends, and frees what the process holds. `freeParts` throws what could not
		 * be freed to each of its callers.
		 */
		resources: fromCallback(() => () => freeParts(deps).catch(() => {})),
		reopen: fromPromise<RestoredJournal, Unheard>(async ({input, signal}) => reopen(deps, input, signal)),
	},
	guards: {
		hasMoved: ({event}) => 'error' in event && event.error instanceof MovedError,
	},
	actions: {
		...Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, toAction<never>(deps, act)])) as unknown as Actions,
		keepStep: assign(({context}, report: ProcessContext['report'][number]) => ({report: Object.freeze([...context.report, report])})),
		begin: assign((_, boot: BootResult) => beginContext(boot, deps.time)),
		keepJournalError: assign(({context: {faults = 0}}, {error}: {error: unknown}) => ({journalError: reasonOf(error), faults: faults + 1})),
		/** Journals what is written beside the cycles, for which no caller waits. */
		journalDaemonEvent({self}, {type: kind}: {type: 'daemon.started' | 'daemon.stopped'}) {
			deps.journal?.append({kind, id: deps.newId(), timestamp: timestampOf(deps.time)}).catch((error: unknown) => {
				self.send({type: 'journal.failed', error});
			});
		},
		tell: emit((_, event: ProcessEmitted) => event),
		tellDaemon: sendTo('daemon', (_, event: DaemonEvent) => event),
	},
	delays: {
		/** Until a journal that failed is tried again: doubled with each failure since a cycle was durable. */
		journalPauseMs: ({context: {faults = 1}}) => Math.min(maxJournalPauseMs, firstJournalPauseMs * 2 ** (faults - 1)),
	},
});
