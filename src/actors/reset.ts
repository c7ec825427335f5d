/**
 * The reset machine: a reset waits for its turn like a cycle, restores the living state in it,
 * and is on its way to the journal from then on; readers see it when it is durable. Its ends are
 * no final states, and its turn is passed on, for the reasons that `cycle.ts` gives.
 */
import {assign, enqueueActions, sendParent, setup, type ErrorActorEvent} from 'xstate';
import type {ResetRecord} from '../journal/journal.ts';
import type {Vigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp} from '../clock.ts';
import {turnPatience, type CycleServices, type TurnReport} from './cycle.ts';
import {Handle} from './handle.ts';
import {record} from './recording.ts';
import {standingOf} from './standing.ts';
import type {Tally} from './tally.ts';

/** What a reset is created with. */
export type ResetInput = {
	id: string;
	/** Its number in the order of acceptance. */
	turn: number;
	services: Handle<CycleServices>;
	/** What it restores. */
	restored: Handle<{state: StateTensor; vigilance: Vigilance}>;
};

/** What a reset did: what is kept, and what was counted up to it. */
export type ResetOutcome = {tally: Tally; record: ResetRecord};

/** What a reset hears. */
export type ResetEvent =
	/** Everything that was accepted before has had its turn. */
	| {type: 'turn'}
	/** The reset cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From itself: the append of its record has started. */
	| {type: 'appending'};

/** What a reset tells its parent at its end. */
export type ResetReport =
	| ({type: 'reset.recorded'; outcome: Handle<ResetOutcome>} & Pick<ResetInput, 'id' | 'restored'>)
	| {type: 'reset.failed'; id: string; error: unknown};

export type ResetContext = ResetInput & {outcome: Handle<ResetOutcome> | null; error: unknown};

/** Takes a reset through its turn to the journal; tells its parent a {@link ResetReport}. */
export const resetMachine = setup({
	types: {
		context: {} as ResetContext,
		input: {} as ResetInput,
		events: {} as ResetEvent,
	},
	actors: {record},
	guards: {
		isNext: ({context: {turn, services}}) => services.value.turns.isNext(turn),
		isKept: ({context: {services}}) => services.value.journal !== null,
	},
	delays: {turnPatience},
	actions: {
		/** The jump back is no drift; the last trigger stays as it is. */
		restore: assign(({context: {id, turn, services, restored}}) => {
			const {living, turns, time} = services.value;
			const {state, vigilance} = restored.value;
			const tally = turns.takeReset(turn);
			living.state = state;
			living.vigilance = vigilance;
			const standing = {...standingOf(tally), cumulativeDrift: 0};
			return {outcome: new Handle<ResetOutcome>({tally, record: {kind: 'reset', id, timestamp: timestamp(time), standing}}, 'outcome')};
		}),
		takeError: assign((_, error: unknown) => ({error})),
		endTurn: enqueueActions(({enqueue, context: {services}}) => {
			if (services.value.turns.next() !== null) {
				enqueue.raise({type: 'appending'});
			}
		}),
		tellOverdue: sendParent({type: 'turn.overdue'} satisfies TurnReport),
		tellTurnEnd: sendParent({type: 'turn.ended'} satisfies TurnReport),
		reportRecorded: sendParent(({context: {id, restored, outcome}}): ResetReport => ({type: 'reset.recorded', id, restored, outcome: outcome!})),
		reportFailed: sendParent(({context: {id, error}}): ResetReport => ({type: 'reset.failed', id, error})),
	},
}).createMachine({
	id: 'reset',
	context: ({input}) => ({...input, outcome: null, error: null}),
	initial: 'queued',
	states: {
		queued: {
			after: {turnPatience: {target: 'queued', reenter: true, actions: 'tellOverdue'}},
			on: {
				turn: {target: 'restoring', guard: 'isNext'},
				fail: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: {error: unknown}}) => event.error}},
			},
		},
		restoring: {
			entry: 'restore',
			always: [
				{target: 'recording', guard: 'isKept'},
				{target: 'done'},
			],
		},
		recording: {
			entry: 'endTurn',
			invoke: {
				src: 'record',
				input: ({context: {services, outcome}}) => ({services, outcome: outcome!}),
				onDone: 'done',
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: ErrorActorEvent}) => event.error}},
			},
			on: {appending: {actions: 'tellTurnEnd'}},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
	},
});
