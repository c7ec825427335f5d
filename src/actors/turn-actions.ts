/**
 * The actions of the process on accepted requests: queue them, give them their turns, publish durable results, and fail
 * requests or roll back when the journal fails. Each action is a function of the context, and makes its changes through
 * XState's `enqueue`.
 */
import {deepFreeze} from '../platform/immutable.ts';
import {EmbeddingError, JournalError, NoJournalError} from '../platform/errors.ts';
import type {CycleRecord, JournalRecord, RestoredJournal} from '../journal/journal.ts';
import {factsOf} from '../journal/validation.ts';
import {nameOf} from '../platform/option-names.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import {cycleEnd} from './cycle.ts';
import type {DaemonEvent} from './daemon.ts';
import type {MachineDeps} from './deps.ts';
import {haltedError, inForce, oneLine, type ProcessContext, type ReadyContext} from './process-context.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {eventOf} from './publish-found.ts';
import {quarantineOf} from './quarantine.ts';
import {restoreTally, triggeredNow} from './tally.ts';
import type {TranslationInput} from './translation.ts';
import {turnTimeoutMs, type TurnEvent, type TurnInput, type TurnReport} from './turn-machine.ts';
import {accept, endTurn, giveUp, hasReset, holderOf, rollBack, type Origin, type TurnOrder, type Turn, type TurnLine} from './turns.ts';

/** The methods of XState's `enqueue` that the actions use. */
export type Enqueue = {
	assign(change: Partial<ProcessContext>): void;
	emit(event: ProcessEmitted): void;
	raise(event: ProcessEvent): void;
	sendTo(actor: string, event: TurnEvent | DaemonEvent): void;
	spawnChild(kind: TurnOrder['kind'], options: {id: string; input: TurnInput}): void;
	spawnChild(kind: 'translation', options: {id: string; input: TranslationInput}): void;
	stopChild(actor: string): void;
};

export type Acting = {readonly enqueue: Enqueue; readonly ready: ReadyContext; readonly deps: MachineDeps};

type Recorded = Extract<TurnReport, {outcome: unknown}>;

/** A request to the process, from a caller or the daemon. */
type Asked<Type extends ProcessEvent['type']> = Extract<ProcessEvent, {type: Type}>;

type DistributiveOmit<Whole, Key extends PropertyKey> = Whole extends unknown ? Omit<Whole, Key> : never;

const stalledError = (): EmbeddingError =>
	new EmbeddingError(`The text was not embedded within ${turnTimeoutMs / 60_000} minutes, and other cycles wait for it.`, {
		retryable: true,
	});

/** @param what The operation that needs the journal's texts, as a participle. */
const noTextsError = (what: string): NoJournalError =>
	new NoJournalError(`This identity keeps no journal, so it cannot be ${what}. Give it a journal (${nameOf('journal.folder')}).`);

/** The event for the failure of each request. */
const failureOf = {
	cycle: 'cycle.failed', reset: 'reset.failed', validate: 'validation.failed', revise: 'revision.failed', settle: 'settlement.failed',
} as const;

/** Stores the queue, and gives the turn to its holder if the holder has changed. */
const changeTurns = ({enqueue, ready: {turns: before}}: Acting, turns: TurnLine, change: Partial<ProcessContext> = {}): void => {
	if (turns !== before || change.state) {
		enqueue.assign({...change, turns});
	}

	const holder = holderOf(turns);
	if (holder && holder !== holderOf(before)) {
		enqueue.sendTo(holder.actor, {type: 'turn', ...turns.latest});
	}
};

/** The queue after a turn. A turn ends only once; without a journal its end is reported together with its completion. */
const afterTurn = ({enqueue, ready: {turns}}: Acting, id: string, turn: Turn): TurnLine => {
	const holder = holderOf(turns);
	if (holder?.id !== id) {
		return turns;
	}

	const after = endTurn(turns, turn);
	if (isDaemons(holder)) {
		// A reset still in the queue was accepted after this cycle.
		enqueue.sendTo('daemon', {type: 'loop.applied', lastTrigger: turn.tally.lastTrigger!, isCleared: hasReset(after)});
	}

	return after;
};

const isDaemons = (order: TurnOrder): boolean => order.kind === 'cycle' && order.origin === 'daemon';

/** Queues an accepted request, and starts its turn if the queue is empty. */
const begin = ({enqueue, ready: {turns}}: Acting, accepted: DistributiveOmit<TurnOrder, 'actor'>, text: object, input: object): void => {
	const order: TurnOrder = {...accepted, actor: `${accepted.kind}-${accepted.id}`};
	const turn = holderOf(turns) ? null : turns.latest;
	enqueue.spawnChild(order.kind, {id: order.actor, input: {order: {...order, ...text}, turn, ...input}});
	enqueue.assign({turns: accept(turns, order)});
};

/** Queues a request that reads the journal's texts, or fails it without a journal. @param what See {@link noTextsError}. */
const beginWithTexts = (acting: Acting, kind: 'validation' | 'revision' | 'settlement', id: string, what: string, input: object): void => {
	if (acting.deps.journal) {
		begin(acting, {kind, id, accepted: null}, {}, input);
	} else {
		acting.enqueue.emit({type: `${kind}.failed`, id, error: noTextsError(what)});
	}
};

const revised = 'revised: its texts are not known';

/** What a durable record changes for readers, besides the state. */
const changeOf = (record: JournalRecord): Partial<ProcessContext> => {
	switch (record.kind) {
		case 'cycle':
		case 'held': return {faults: undefined};
		case 'validation': return {validation: deepFreeze(factsOf(record))};
		case 'revision': return {revision: inForce(record.facts)};
		default: return {};
	}
};

/** Sets the queue after a rollback, and sends the daemon the durable counters. */
const goBack = ({enqueue}: Acting, turns: TurnLine, change: Partial<ProcessContext> = {}): void => {
	const {counters, lastTrigger} = turns.latest.tally;
	enqueue.assign({...change, turns});
	enqueue.sendTo('daemon', {type: 'rolledBack', counters, lastTrigger});
};

/** Passes a durable cycle to the metrics and the listeners. */
const countCycle = ({metrics, recordListeners}: MachineDeps, record: CycleRecord): void => {
	metrics.recordCycle(record.level);
	for (const hear of recordListeners) {
		hear(record);
	}
};

const originOf = ({saidAt}: {saidAt?: string}): Origin => saidAt === undefined ? 'caller' : 'import';

export const turnActions = {
	acceptCycle(acting: Acting, {id, content, trigger, metadata, ...said}: Asked<'cycle'>) {
		const {enqueue, ready: {boot: rules}, deps: {time}} = acting;
		const accepted = triggeredNow(trigger, time);
		begin(acting, {kind: 'cycle', id, trigger, origin: originOf(said), accepted}, {content, metadata, ...said}, {rules});
		enqueue.sendTo('daemon', {type: 'trigger', trigger, lastTrigger: accepted});
	},
	/** Unlike a caller's, the loop's cycle counts in its turn, which may never come. */
	acceptLoopCycle(acting: Acting, {trigger, content}: Asked<'daemon.cycle'>) {
		const {ready: {boot: rules}, deps: {newId}} = acting;
		begin(acting, {kind: 'cycle', id: newId(), trigger, origin: 'daemon', accepted: null}, {content, metadata: {}}, {rules});
	},
	/** Clears the daemon's counters: requests accepted after a reset count from zero. */
	acceptReset(acting: Acting, {id}: Asked<'reset'>) {
		const {enqueue, ready: {boot: {initial: state, reference}}, deps: {kernel}} = acting;
		try {
			// Computed before the turn, so that a failing kernel refuses the reset.
			const restored = {state, vigilance: startVigilance(kernel, state.rows, reference.rows)};
			enqueue.sendTo('daemon', {type: 'reset'});
			begin(acting, {kind: 'reset', id, accepted: null}, {}, {restored});
		} catch (error) {
			enqueue.emit({type: 'reset.failed', id, error});
		}
	},
	acceptValidation(acting: Acting, {id, note, horizon}: Asked<'validate'>) {
		const {initial} = acting.ready.boot;
		beginWithTexts(acting, 'validation', id, 'validated: there are no texts to compare later ones with', {note, horizon, initial});
	},
	acceptRevision(acting: Acting, {id, decision}: Asked<'revise'>) {
		const {initial, reference, authority, directions} = acting.ready.boot;
		const input = oneLine({decision, initial, reference, authority, directions}, 'revision');
		beginWithTexts(acting, 'revision', id, revised, input);
	},
	acceptSettlement(acting: Acting, {id, request}: Asked<'settle'>) {
		beginWithTexts(acting, 'settlement', id, revised, oneLine({request, rules: acting.ready.boot}, request.kind));
	},
	/** Fails a request, because the journal cannot be written. */
	refuse({enqueue, ready: {journalError}}: Acting, event: Asked<keyof typeof failureOf>) {
		const {id} = event;
		const error = haltedError(journalError!);
		enqueue.emit(event.type === 'cycle'
			? {type: 'cycle.failed', id, trigger: event.trigger, origin: originOf(event), error}
			: {type: failureOf[event.type], id, error});
	},

	/** Advances the state, ahead of the durable one. */
	endTurn: (acting: Acting, {id, turn}: {id: string; turn: Turn}) => changeTurns(acting, afterTurn(acting, id, turn)),
	/** Fails a cycle that holds the turn: an encoder that never settles must not block all others forever. A replay may take longer. */
	failStalled({enqueue, ready: {turns}}: Acting) {
		const holder = holderOf(turns);
		if (holder?.kind === 'cycle') {
			enqueue.sendTo(holder.actor, {type: 'fail', error: stalledError()});
		}
	},

	/** Publishes a turn whose record is durable: its events, its counts and its state. A released text is a finished cycle. */
	publishTurn(acting: Acting, recorded: Recorded) {
		const {enqueue, deps, ready: {boot: {initial}}} = acting;
		const {order, outcome: {turn, record, answer}, seq} = recorded;
		for (const cycle of 'cycles' in record ? record.cycles : []) {
			if (cycle.kind === 'cycle') {
				enqueue.emit(cycleEnd(cycle));
				countCycle(deps, cycle.isHashed ? {...cycle, metadata: {}} : cycle);
			}
		}

		enqueue.emit(deepFreeze({...eventOf(record, initial, recorded), ...(answer && {answer})} as ProcessEmitted));
		if (record.kind === 'cycle') {
			countCycle(deps, record);
		} else if (record.kind === 'reset') {
			deps.metrics.reset();
			enqueue.sendTo('daemon', {type: 'reset.recorded'});
		}

		enqueue.stopChild(order.actor);
		changeTurns(acting, afterTurn(acting, order.id, turn), {...turn, ...changeOf(record), seq});
		if (isDaemons(order)) {
			enqueue.sendTo('daemon', {type: 'loop.succeeded'});
		}
	},
	/** Only a failed write of the journal halts the process; a failed read, as by a validation, does not. */
	failTurn(acting: Acting, {id, order, error, steps, isUnwritten}: Extract<TurnReport, {error: unknown}>) {
		const {enqueue} = acting;
		enqueue.emit(deepFreeze(order.kind === 'cycle'
			? {type: 'cycle.failed', id, trigger: order.trigger, origin: order.origin, error, ...(steps && {steps})}
			: {type: `${order.kind}.failed`, id, error}));
		turnActions.releaseTurn(acting, {order});
		if (isDaemons(order)) {
			enqueue.sendTo('daemon', {type: 'loop.failed'});
		}

		if (isUnwritten && error instanceof JournalError) {
			enqueue.raise({type: 'journal.failed', error});
		}
	},
	/** Stops a failed or cancelled actor, and removes it from the queue. */
	releaseTurn(acting: Acting, {order: {id, actor}}: {order: TurnOrder}) {
		acting.enqueue.stopChild(actor);
		changeTurns(acting, giveUp(acting.ready.turns, id));
	},
	/** Fails the request in its turn, whose actor broke by a defect of this code or a kernel. */
	failBroken({enqueue, ready: {turns}}: Acting, {error}: {error: unknown}) {
		const order = holderOf(turns)!;
		enqueue.raise({type: 'turn.failed', id: order.id, order, error, isUnwritten: false});
	},
	/** Cancels a cycle before its turn: the one with this id, or the loop's. */
	cancelCycle({enqueue, ready: {turns}}: Acting, event: Asked<'cycle.cancel' | 'daemon.cancel'>) {
		const isMeant = (order: TurnOrder): boolean =>
			event.type === 'daemon.cancel' ? isDaemons(order) : order.kind === 'cycle' && order.id === event.id;
		const order = turns.line.find(waiting => isMeant(waiting) && !waiting.hasFailed);
		if (order) {
			enqueue.sendTo(order.actor, {type: 'cancel'});
		}
	},

	/** Fails queued requests, and rolls back to the durable state. */
	rollBack(acting: Acting) {
		const {turns, state, vigilance, tally, quarantine, journalError} = acting.ready;
		for (const {actor, hasFailed} of turns.line) {
			if (!hasFailed) {
				acting.enqueue.sendTo(actor, {type: 'fail', error: haltedError(journalError!)});
			}
		}

		goBack(acting, rollBack(turns, {state, vigilance, tally, quarantine}));
	},
	/** Adopts the state of the reopened journal, which may contain a record whose commit was interrupted. */
	restoreFromJournal(acting: Acting, {current, checkpoint, validation, revision, held, records: seq}: RestoredJournal) {
		const {ready: {turns, boot, tally: {failures}}, deps: {kernel, time}} = acting;
		const vigilance = startVigilance(kernel, current.rows, boot.reference.rows, checkpoint.cumulativeDrift);
		const tally = {...restoreTally(checkpoint, time), failures};
		const durable: Turn = {state: current, vigilance, tally, quarantine: quarantineOf(revision, held)};
		goBack(acting, rollBack(turns, durable), {
			...durable, validation, revision: inForce(revision), seq, journalError: null,
			isLoopUnrecorded: undefined,
		});
	},

	translate({enqueue, ready: {state, boot}}: Acting, {id, context}: Asked<'translate'>) {
		enqueue.spawnChild('translation', {id: `translation-${id}`, input: {id, context, state, basis: boot}});
	},
	endTranslation: ({enqueue}: Acting, {id}: {id: string}) => enqueue.stopChild(`translation-${id}`),
};
