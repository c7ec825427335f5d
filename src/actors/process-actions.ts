/** The parts of the process machine: its children, and what it does on events. */
import {assign, enqueueActions, fromCallback, fromPromise, setup, stopChild} from 'xstate';
import {deepFreeze, memoizeWeak} from '../platform/immutable.ts';
import {EmbeddingError, JournalError, MovedError, NoJournalError, reasonOf} from '../platform/errors.ts';
import {factsOf, type RestoredJournal} from '../journal/journal.ts';
import {nameOf} from '../platform/option-names.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import {timestampOf} from '../platform/clock.ts';
import {createBootMachine} from './boot.ts';
import type {BootResult} from './boot-steps.ts';
import {cycleKind, type CycleOrder, type CycleReport} from './cycle.ts';
import {createDaemonMachine} from './daemon.ts';
import type {DaemonEvent} from './daemon-events.ts';
import type {MachineDeps} from './deps.ts';
import {freeParts} from './loaded-once.ts';
import {beginContext, haltedError, readyContext, type ProcessContext, type ReadyContext} from './process-context.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {resetKind, type ResetReport} from './reset.ts';
import {restoreTally} from './tally.ts';
import {createTranslationMachine, type TranslationInput} from './translation.ts';
import {createTurnMachine, turnTimeoutMs, type TurnInput, type TurnReport} from './turn-machine.ts';
import {accept, endTurn, giveUp, hasReset, holderOf, rollBack, type Place, type Turn, type Turns} from './turns.ts';
import {validationKind, type ValidationReport} from './validation.ts';

type Failed = Extract<TurnReport, {error: unknown}>;
type Recorded = Extract<TurnReport, {outcome: unknown}>;
type CycleRecorded = Extract<CycleReport, {type: 'cycle.recorded'}>;
type ResetRecorded = Extract<ResetReport, {type: 'reset.recorded'}>;
type ValidationRecorded = Extract<ValidationReport, {type: 'validation.recorded'}>;

const firstJournalPauseMs = 250;
const maxJournalPauseMs = 5000;

/** Opens a journal again that could not be written. */
const reopen = async ({journal}: MachineDeps, signal: AbortSignal): Promise<RestoredJournal> => {
	await journal!.close();
	// The process was stopped and wants it closed.
	signal.throwIfAborted();
	const restored = await journal!.open();
	if (!restored) {
		throw new JournalError('The journal is empty, but it had records. Put its files back where they were.');
	}

	return restored;
};

const stalledError = (): EmbeddingError =>
	new EmbeddingError(`The text was not embedded within ${turnTimeoutMs / 60_000} minutes, and other cycles wait for it.`, {
		retryable: true,
	});

const noBaselineError = (): NoJournalError => new NoJournalError('This identity keeps no journal, so it cannot be validated: '
	+ `there are no texts to compare later ones with. Give it a journal (${nameOf('journal.folder')}).`);

type DistributiveOmit<Whole, Key extends PropertyKey> = Whole extends unknown ? Omit<Whole, Key> : never;

/** What of XState's `enqueue` the functions below use. */
type Enqueue = {
	assign(change: Partial<ProcessContext>): void;
	sendTo(actor: string, event: {type: 'turn'} & Turn | DaemonEvent): void;
	spawnChild(kind: Place['kind'], options: {id: string; input: TurnInput}): void;
	stopChild(actor: string): void;
};

/** Takes over the line, and gives the turn to its holder, if that is another one now. */
const changeTurns = (enqueue: Enqueue, {turns: before}: ReadyContext, turns: Turns, change: Partial<ProcessContext> = {}): void => {
	if (turns !== before || change.state) {
		enqueue.assign({...change, turns});
	}

	const holder = holderOf(turns);
	if (holder && holder !== holderOf(before)) {
		enqueue.sendTo(holder.actor, {type: 'turn', ...turns.latest});
	}
};

/** The line after a turn, which ends once: without a journal its end is reported with the end of the cycle or reset. */
const afterTurn = (enqueue: Enqueue, turns: Turns, id: string, turn: Turn): Turns => {
	const holder = holderOf(turns);
	if (holder?.id !== id) {
		return turns;
	}

	const after = endTurn(turns, turn);
	if (holder.kind === 'cycle' && holder.origin === 'daemon') {
		// A reset that still waits was accepted after this cycle.
		enqueue.sendTo('daemon', {type: 'loop.applied', lastTrigger: turn.tally.lastTrigger!, isCleared: hasReset(after)});
	}

	return after;
};

/** Puts an accepted request in line, and starts its turn where the line is empty. */
const begin = (enqueue: Enqueue, {turns}: ReadyContext, accepted: DistributiveOmit<Place, 'actor'>, text: object, input: object): void => {
	const place: Place = {...accepted, actor: `${accepted.kind}-${accepted.id}`};
	const turn = holderOf(turns) ? null : turns.latest;
	enqueue.spawnChild(place.kind, {id: place.actor, input: {order: {...place, ...text}, turn, ...input}});
	enqueue.assign({turns: accept(turns, place)});
};

/** Readers see what a turn made, because it is durable. */
const publish = (
	enqueue: Enqueue, ready: ReadyContext, {id, order, outcome: {turn}, seq}: Recorded, change: Partial<ProcessContext> = {},
): void => {
	enqueue.stopChild(order.actor);
	changeTurns(enqueue, ready, afterTurn(enqueue, ready.turns, id, turn), {...turn, ...change, seq});
};

/** Stops what failed or was cancelled; it leaves the line. */
const release = (enqueue: Enqueue, ready: ReadyContext, {id, actor}: Place): void => {
	enqueue.stopChild(actor);
	changeTurns(enqueue, ready, giveUp(ready.turns, id));
};

/** Goes back to what is durable, and tells the daemon what counts. */
const notifyRollback = (enqueue: Enqueue, turns: Turns, change: Partial<ProcessContext> = {}): void => {
	const {counters, lastTrigger} = turns.latest.tally;
	enqueue.assign({...change, turns});
	enqueue.sendTo('daemon', {type: 'rolledBack', counters, lastTrigger});
};

/** Every listener hears this object, and its result is the caller's answer. Frozen part by part, because deepFreeze takes twice as long. */
const cycleDone = (recorded: CycleRecorded): ProcessEmitted => {
	const {id, order: {trigger, origin}, outcome: {result, record: {scores, tokenReport}}, processingTimeMs, steps} = recorded;
	for (const part of [result.dimensionsAffected, scores, steps, tokenReport]) {
		Object.freeze(part);
	}

	return Object.freeze({
		type: 'cycle.done', id, trigger, origin, result: Object.freeze({...result, processingTimeMs}), scores, steps, tokenReport,
	});
};

/** Made once, since cycles are many. */
const cycleMachineOf = memoizeWeak((deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps));

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
		get translation() {
			return createTranslationMachine(deps);
		},
		/**
		 * Stops with the process, however that ends, and frees what the process holds. `freeParts` throws what could not
		 * be freed to each of its callers.
		 */
		resources: fromCallback(() => () => {
			freeParts(deps).catch(() => {});
		}),
		reopen: fromPromise<RestoredJournal>(async ({signal}) => reopen(deps, signal)),
	},
	guards: {
		hasMoved: ({event}) => 'error' in event && event.error instanceof MovedError,
	},
	actions: {
		keepStep: assign(({context}, report: ProcessContext['report'][number]) => ({report: Object.freeze([...context.report, report])})),
		begin: assign((_, boot: BootResult) => beginContext(boot, deps.time)),

		acceptCycle: enqueueActions(({enqueue, context}, {content, metadata, ...place}: Omit<CycleOrder, 'kind' | 'actor'>) => {
			const ready = readyContext(context);
			begin(enqueue, ready, {kind: 'cycle', ...place}, {content, metadata}, {rules: ready.boot});
		}),
		/** Clears the counters: what is accepted after a reset counts from zero. */
		acceptReset: enqueueActions(({enqueue, context}, id: string) => {
			const ready = readyContext(context);
			const {initial: state, reference} = ready.boot;
			try {
				// It depends on no turn, so a kernel that breaks refuses the reset.
				const restored = {state, vigilance: startVigilance(deps.kernel, state.rows, reference.rows)};
				enqueue.sendTo('daemon', {type: 'reset'});
				begin(enqueue, ready, {kind: 'reset', id, accepted: null}, {}, {restored});
			} catch (error) {
				enqueue.emit({type: 'reset.failed', id, error});
			}
		}),
		acceptValidation: enqueueActions(({enqueue, context}, {id, note}: {id: string; note: string}) => {
			if (deps.journal) {
				begin(enqueue, readyContext(context), {kind: 'validation', id, accepted: null}, {}, {note});
			} else {
				enqueue.emit({type: 'validation.failed', id, error: noBaselineError()});
			}
		}),

		/** The state moves on, ahead of what is durable. */
		endTurn: enqueueActions(({enqueue, context}, {id, turn}: {id: string; turn: Turn}) => {
			const ready = readyContext(context);
			changeTurns(enqueue, ready, afterTurn(enqueue, ready.turns, id, turn));
		}),
		/** An encoder that never settles must not hold up every cycle for good. */
		failStalled: enqueueActions(({enqueue, context}) => {
			const holder = holderOf(readyContext(context).turns);
			if (holder) {
				enqueue.sendTo(holder.actor, {type: 'fail', error: stalledError()});
			}
		}),

		/** Readers see the state that the cycle made, because it is durable. */
		publishCycle: enqueueActions(({enqueue, context}, recorded: CycleRecorded) => {
			const {order: {origin}, outcome: {turn, record}} = recorded;
			enqueue.emit(cycleDone(recorded));
			deps.metrics.recordCycle(turn.vigilance.report.level);
			for (const hear of deps.recordListeners) {
				hear(record);
			}

			publish(enqueue, readyContext(context), recorded, {faults: undefined});
			if (origin === 'daemon') {
				enqueue.sendTo('daemon', {type: 'loop.succeeded'});
			}
		}),
		publishReset: enqueueActions(({enqueue, context}, recorded: ResetRecorded) => {
			const {id, outcome: {turn: {state}}} = recorded;
			deps.metrics.reset();
			enqueue.emit(Object.freeze({type: 'reset.done' as const, id, stateId: state.stateId}));
			enqueue.sendTo('daemon', {type: 'reset.recorded'});
			publish(enqueue, readyContext(context), recorded);
		}),
		publishValidation: enqueueActions(({enqueue, context}, recorded: ValidationRecorded) => {
			const validation = deepFreeze(factsOf(recorded.outcome.record));
			enqueue.emit(Object.freeze({type: 'identity.validated' as const, ...validation}));
			publish(enqueue, readyContext(context), recorded, {validation});
		}),
		/** Only a journal that cannot be written halts the process: what a validation cannot read stops no record. */
		failTurn: enqueueActions(({enqueue, context}, {id, order, error, steps, isUnwritten}: Failed) => {
			enqueue.emit(deepFreeze(order.kind === 'cycle'
				? {type: 'cycle.failed', id, trigger: order.trigger, origin: order.origin, error, ...(steps && {steps})}
				: {type: `${order.kind}.failed`, id, error}));
			release(enqueue, readyContext(context), order);
			if (order.kind === 'cycle' && order.origin === 'daemon') {
				enqueue.sendTo('daemon', {type: 'loop.failed'});
			}

			if (isUnwritten && error instanceof JournalError) {
				enqueue.raise({type: 'journal.failed', error});
			}
		}),
		releaseTurn: enqueueActions(({enqueue, context}, order: Place) => {
			release(enqueue, readyContext(context), order);
		}),
		/** A defect of ours or of a kernel's that breaks an actor in its turn fails that cycle, reset or validation. */
		failBroken: enqueueActions(({enqueue, context}, {actorId, error}: {actorId: string; error: unknown}) => {
			const order = holderOf(readyContext(context).turns);
			if (order?.actor !== actorId) {
				throw error;
			}

			enqueue.raise({type: `${order.kind}.failed`, id: order.id, order, error, isUnwritten: false});
		}),

		keepJournalError: assign(({context: {faults = 0}}, {error}: {error: unknown}) => ({journalError: reasonOf(error), faults: faults + 1})),
		/** Fails what waits for its turn, and goes back to what is durable. */
		rollBack: enqueueActions(({enqueue, context}) => {
			const {turns, state, vigilance, tally, journalError} = readyContext(context);
			for (const place of turns.line) {
				if (!place.hasFailed) {
					enqueue.sendTo(place.actor, {type: 'fail', error: haltedError(journalError!)});
				}
			}

			notifyRollback(enqueue, rollBack(turns, {state, vigilance, tally}));
		}),
		/** Only a journal that is open again knows what is in it: a record whose commit was cut off may be there. */
		restoreFromJournal: enqueueActions(({enqueue, context}, {current, checkpoint, validation, records: seq}: RestoredJournal) => {
			const {turns, boot, tally: {failures}} = readyContext(context);
			const vigilance = startVigilance(deps.kernel, current.rows, boot.reference.rows, checkpoint.cumulativeDrift);
			const durable: Turn = {state: current, vigilance, tally: {...restoreTally(checkpoint, deps.time), failures}};
			notifyRollback(enqueue, rollBack(turns, durable), {...durable, validation, seq, journalError: null});
		}),
		/** Journals what is written beside the cycles, for which no caller waits. */
		journalDaemonEvent({self}, kind: 'daemon.started' | 'daemon.stopped') {
			deps.journal?.append({kind, id: deps.newId(), timestamp: timestampOf(deps.time)}).catch((error: unknown) => {
				self.send({type: 'journal.failed', error});
			});
		},
		/** Cancels a cycle before its turn: the one with this id, or else the loop's. */
		cancelCycle: enqueueActions(({enqueue, context}, id: string | null) => {
			const isMeant = (place: Place): boolean => place.kind === 'cycle' && (id === null ? place.origin === 'daemon' : place.id === id);
			const place = readyContext(context).turns.line.find(waiting => isMeant(waiting) && !waiting.hasFailed);
			if (place) {
				enqueue.sendTo(place.actor, {type: 'cancel'});
			}
		}),

		translate: enqueueActions(({enqueue, context}, {id, context: words}: Pick<TranslationInput, 'id' | 'context'>) => {
			const {state, boot} = readyContext(context);
			enqueue.spawnChild('translation', {id: `translation-${id}`, input: {id, context: words, state, basis: boot}});
		}),
		endTranslation: stopChild((_, id: string) => `translation-${id}`),
	},
	delays: {
		/** Until a journal that failed is tried again: doubled with each failure since a cycle was durable. */
		journalPauseMs: ({context: {faults = 1}}) => Math.min(maxJournalPauseMs, firstJournalPauseMs * 2 ** (faults - 1)),
	},
});
