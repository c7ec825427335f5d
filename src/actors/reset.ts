/**
 * The reset machine: a reset waits for its turn like a cycle, restores the initial state in it, and is on
 * its way to the journal from then on; readers see it when it is durable. It tells its parent of the turn's
 * end, and has no final states, for the reasons that `cycle.ts` gives.
 */
import {assign, raise, sendParent, setup} from 'xstate';
import type {ResetRecord} from '../journal/journal.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import {timestamp} from '../platform/clock.ts';
import {checkpointOf} from './checkpoint.ts';
import {turnTimeoutMs} from './cycle.ts';
import type {TurnOverdue} from './cycle-events.ts';
import type {MachineDeps} from './deps.ts';
import {recordTo} from './recording.ts';
import {noCycles} from './trigger.ts';
import type {Turn} from './turns.ts';

/** What a reset works with. */
export type ResetDeps = Pick<MachineDeps, 'time' | 'journal'>;

/** What a reset is created with. */
export type ResetInput = {
	id: string;
	/** What it restores. */
	restored: WorkingState;
	/** Its turn, where nothing was accepted before it; else the turn comes as an event. */
	turn: Turn | null;
};

/** What a reset made: the next turn's start, and the journal's record. */
export type ResetOutcome = {readonly turn: Turn; readonly record: ResetRecord};

/** What a reset hears. */
export type ResetEvent =
	/** Everything that was accepted before has had its turn. */
	| ({type: 'turn'} & Turn)
	/** The reset cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From itself: the append of its record has started. */
	| {type: 'append.started'};

/** What a reset tells its parent. */
export type ResetReport = {id: string} & (
	/** It has had its turn, and its record is on its way to the journal. */
	| {type: 'reset.applied'; turn: Turn}
	/** It is done: its record is durable and has the number `seq`, or there is no journal. */
	| {type: 'reset.recorded'; turn: Turn; seq: number | null}
	| {type: 'reset.failed'; error: unknown}
);

type ResetContext = ResetInput & {outcome: ResetOutcome | null; seq: number | null; error: unknown};

/** The jump back is no drift; the last trigger stays as it is. */
const restore = ({id, restored, turn}: ResetContext, {time}: ResetDeps): ResetOutcome => {
	const tally = {...turn!.tally, counters: noCycles};
	return {turn: {...restored, tally}, record: {kind: 'reset', id, timestamp: timestamp(time), checkpoint: checkpointOf(tally, 0)}};
};

/** Takes a reset through its turn to the journal; tells its parent a {@link ResetReport}. */
export const createResetMachine = (deps: ResetDeps) => setup({
	types: {
		context: {} as ResetContext,
		input: {} as ResetInput,
		events: {} as ResetEvent,
	},
	actors: {record: recordTo(deps.journal)},
	guards: {
		hasJournal: () => deps.journal !== null,
		hasTurn: ({context}) => context.turn !== null,
	},
	delays: {turnTimeoutMs},
	actions: {
		takeTurn: assign((_, {state, vigilance, tally}: Turn) => ({turn: {state, vigilance, tally}})),
		restore: assign(({context}) => ({outcome: restore(context, deps)})),
		takeSeq: assign((_, seq: number) => ({seq})),
		takeError: assign((_, {error}: {error: unknown}) => ({error})),
		reportOverdue: sendParent({type: 'turn.overdue'} satisfies TurnOverdue),
		reportApplied: sendParent(({context: {id, outcome}}): ResetReport => ({type: 'reset.applied', id, turn: outcome!.turn})),
		reportRecorded: sendParent(({context: {id, outcome, seq}}): ResetReport => ({type: 'reset.recorded', id, turn: outcome!.turn, seq})),
		reportFailed: sendParent(({context: {id, error}}): ResetReport => ({type: 'reset.failed', id, error})),
	},
}).createMachine({
	id: 'reset',
	context: ({input}) => ({...input, outcome: null, seq: null, error: null}),
	initial: 'queued',
	states: {
		queued: {
			always: {target: 'restoring', guard: 'hasTurn'},
			after: {turnTimeoutMs: {target: 'queued', reenter: true, actions: 'reportOverdue'}},
			on: {
				turn: {actions: {type: 'takeTurn', params: ({event}) => event}},
				fail: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}},
			},
		},
		restoring: {
			entry: 'restore',
			always: [
				{target: 'recording', guard: 'hasJournal'},
				{target: 'done'},
			],
		},
		recording: {
			entry: raise({type: 'append.started'}),
			invoke: {
				src: 'record',
				input: ({context}) => ({record: context.outcome!.record}),
				onDone: {target: 'done', actions: {type: 'takeSeq', params: ({event}) => event.output}},
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}},
			},
			on: {'append.started': {actions: 'reportApplied'}},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
	},
});
