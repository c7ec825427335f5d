/**
 * The process machine, root of the actor system: it boots, then holds the state and receives every event. Readers see it
 * through selectors over its snapshot.
 *
 * Each cycle, reset, validation, revision, settlement and translation is a child actor. The daemon is a child that requests
 * cycles like a caller. All but translations take turns in the order of acceptance (`turns.ts`): the process gives each the
 * state to start from, and adopts its result.
 *
 * Readers see durable states; the turns may be ahead by the records on their way to the journal. When the journal cannot
 * be written, the process rolls state and counters back to the durable ones. Accepted requests that are not durable fail,
 * and further ones are refused while the journal is retried. When it works again, records whose answer was lost are
 * published. If another node has taken over the identity, the process ends in `moved`.
 *
 * An error of the boot is an error of the process: its actor then has the status `error`.
 */
import {assign, emit, sendTo, type ErrorActorEvent, type Snapshot, type SnapshotFrom} from 'xstate';
import type {JournalEntry} from '../journal/journal.ts';
import {ConfigurationError} from '../platform/errors.ts';
import type {MachineDeps} from './deps.ts';
import {processSetup} from './process-actions.ts';
import {processParts} from './process-parts.ts';
import {initialContext, readyContext} from './process-context.ts';

/** An action with the event as its params. */
const withEvent = <const Type extends string>(type: Type) => ({type, params: <Event>({event}: {event: Event}): Event => event});

type Setup = ReturnType<typeof processSetup>;

/** While the journal can be written. */
const accepting = (process: Setup) => process.createStateConfig({
	on: {
		cycle: {actions: withEvent('acceptCycle')},
		'daemon.cycle': {actions: withEvent('acceptLoopCycle')},
		reset: {actions: withEvent('acceptReset')},
		validate: {actions: withEvent('acceptValidation')},
		revise: {actions: withEvent('acceptRevision')},
		settle: {actions: withEvent('acceptSettlement')},
		'journal.failed': [
			{guard: 'hasMoved', target: '#process.moved'},
			{target: 'halted', actions: [withEvent('keepJournalError'), 'rollBack', withEvent('tell')]},
		],
	},
});

/** While the journal cannot be written: it is retried, and requests are refused. */
const halted = (process: Setup) => process.createStateConfig({
	initial: 'pausing',
	states: {
		pausing: {
			after: {journalPauseMs: 'reopening'},
		},
		reopening: {
			invoke: {
				src: 'reopen',
				// Records that the journal has but readers have not seen are published as they are read.
				input: ({context, self}) => ({
					after: readyContext(context).seq ?? 0,
					publish: (entry: JournalEntry) => self.send({type: 'record.found', ...entry}),
				}),
				onDone: {
					target: '#process.ready.accepting',
					actions: [
						'journalLoop', {type: 'restoreFromJournal', params: ({event}) => event.output}, emit({type: 'journal.recovered'}),
					],
				},
				onError: [
					{guard: 'hasMoved', target: '#process.moved'},
					{target: 'pausing', actions: withEvent('keepJournalError')},
				],
			},
			on: {'record.found': {actions: withEvent('publishFound')}},
		},
	},
	on: {
		cycle: {actions: withEvent('refuse')},
		'daemon.cycle': {actions: sendTo('daemon', {type: 'loop.failed'})},
		reset: {actions: withEvent('refuse')},
		validate: {actions: withEvent('refuse')},
		revise: {actions: withEvent('refuse')},
		settle: {actions: withEvent('refuse')},
	},
});

/** After the boot. */
const ready = (process: Setup, {loop}: MachineDeps) => process.createStateConfig({
	invoke: {
		id: 'daemon',
		src: 'daemon',
		input({context}) {
			const {boot: {themes}, tally: {counters, lastTrigger}} = readyContext(context);
			return {loop, themes, counters, lastTrigger};
		},
	},
	initial: 'accepting',
	states: {accepting: accepting(process), halted: halted(process)},
	on: {
		'turn.applied': {actions: withEvent('endTurn')},
		'turn.failed': {actions: withEvent('failTurn')},
		'cycle.recorded': {actions: withEvent('publishTurn')},
		'cycle.cancelled': {actions: [emit(({event: {id}}) => ({type: 'cycle.cancelled', id})), withEvent('releaseTurn')]},
		'reset.recorded': {actions: withEvent('publishTurn')},
		'validation.recorded': {actions: withEvent('publishTurn')},
		'revision.recorded': {actions: withEvent('publishTurn')},
		'settlement.recorded': {actions: withEvent('publishTurn')},
		'turn.overdue': {actions: 'failStalled'},
		'replay.progress': {actions: withEvent('tell')},
		'xstate.error.actor.*': {guard: 'isOfHolder', actions: {type: 'failBroken', params: ({event}: {event: ErrorActorEvent}) => event}},
		translate: {actions: withEvent('translate')},
		'translate.cancel': {actions: withEvent('endTranslation')},
		'translation.done': {actions: [withEvent('endTranslation'), withEvent('tell')]},
		'translation.failed': {actions: [withEvent('endTranslation'), withEvent('tell')]},
		'drift.alarm': {actions: withEvent('tell')},
		'echo.noticed': {actions: withEvent('tell')},
		'source.changed': {actions: withEvent('tell')},
		'source.noticed': {actions: withEvent('tell')},
		'source.taken_up': {actions: withEvent('tell')},
		'daemon.start': {actions: withEvent('tellDaemon')},
		'daemon.resume': {actions: withEvent('tellDaemon')},
		'daemon.stop': {actions: withEvent('tellDaemon')},
		'daemon.started': {actions: withEvent('journalDaemonEvent')},
		'daemon.stopped': {actions: withEvent('journalDaemonEvent')},
		'loop.unrecorded': {actions: assign({isLoopUnrecorded: true})},
		'daemon.cancel': {actions: withEvent('cancelCycle')},
		'cycle.cancel': {actions: withEvent('cancelCycle')},
	},
});

const createStatechart = (deps: MachineDeps) => {
	const process = processSetup(deps);
	return process.createMachine({
		id: 'process',
		context: initialContext,
		invoke: {id: 'resources', src: 'resources'},
		initial: 'booting',
		on: {
			stop: '.stopped',
		},
		states: {
			booting: {
				invoke: {
					id: 'boot',
					src: 'boot',
					onDone: {target: 'ready', actions: {type: 'begin', params: ({event}) => event.output}},
				},
				on: {
					'boot.step': {actions: [{type: 'keepStep', params: ({event}) => event.report}, withEvent('tell')]},
				},
			},
			ready: ready(process, deps),
			stopped: {type: 'final'},
			moved: {type: 'final', entry: emit({type: 'moved'})},
		},
	});
};

type ProcessMachine = ReturnType<typeof createStatechart>;

const partsOf = new WeakMap<object, MachineDeps>();

/** The parts of an actor's or a snapshot's machine; undefined if it is not a process. */
export const findParts = (actor: object | null | undefined): MachineDeps | undefined => {
	const key = (actor as {logic?: object} | null | undefined)?.logic ?? actor;
	return key ? partsOf.get(key) : undefined;
};

/**
 * Persists only the status of the process, and restores an active one by booting from its journal. Machines derived with
 * `provide` do the same.
 */
const restoredFromJournal = (machine: ProcessMachine, deps: MachineDeps): ProcessMachine => {
	const {provide, transition} = machine;
	partsOf.set(machine, deps);
	return Object.assign(machine, {
		/** XState stops no children of an actor whose action throws: the loop's timer would remain, and the journal would stay open. */
		transition(...[snapshot, event, scope]: Parameters<typeof transition>): ReturnType<typeof transition> {
			try {
				return transition.call(machine, snapshot, event, scope);
			} catch (error) {
				Object.values(snapshot.children).forEach(child => scope.stopChild(child!));
				throw error;
			}
		},
		provide: (...given: Parameters<typeof provide>) => restoredFromJournal(provide.apply(machine, given), deps),
		getPersistedSnapshot: ({status, output, error}: ProcessSnapshot) => ({status, output, error}),
		restoreSnapshot({status, error}: Snapshot<unknown>, scope: Parameters<ProcessMachine['getInitialSnapshot']>[0]) {
			if (status !== 'active') {
				return machine.resolveState({value: 'stopped', context: initialContext, status, error});
			}

			if (!deps.journal) {
				throw new ConfigurationError(
					'A process is restored from its journal, never from a snapshot. This one has no journal: give it one, or create it without a '
						+ 'snapshot.',
				);
			}

			return machine.getInitialSnapshot(scope);
		},
	});
};

/**
 * Creates the process machine: a whole identity, as the root of an actor system or as a child in your own. It boots first,
 * and takes its state from its journal. A machine runs one identity at a time.
 *
 * Stop it like any actor, or with the event `stop`. It then frees the journal and all parts that functions created. A failed
 * boot is an error of the actor. A persisted snapshot contains only the status; an actor with that snapshot boots from the
 * journal.
 *
 * @throws {ConfigurationError} for parts that `processParts` did not make. An actor with a snapshot but no journal fails with it.
 *
 * @example
 * ```ts
 * import {createProcessMachine} from 'processual-state/actors';
 * import {createActor, waitFor} from 'xstate';
 *
 * const actor = createActor(createProcessMachine()).start();
 * await waitFor(actor, snapshot => snapshot.matches('ready'));
 * actor.on('cycle.done', ({result}) => console.log(`state ${result.stateId}`));
 * actor.send({type: 'cycle', id: '1', content: 'The sea is quiet today.', trigger: 'user', metadata: {}});
 * ```
 */
export const createProcessMachine = (parts: MachineDeps = processParts()): ProcessMachine => {
	if (!parts?.standings) {
		throw new ConfigurationError('createProcessMachine needs the result of processParts: write createProcessMachine(processParts({…})).');
	}

	return restoredFromJournal(createStatechart(parts), parts);
};

/** The snapshot of a process after an event, to be read with `selectors`. */
export type ProcessSnapshot = SnapshotFrom<ProcessMachine>;
