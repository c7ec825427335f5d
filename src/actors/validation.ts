/**
 * The validation machine: a validation waits for its turn like a cycle, so that its anchor is the state
 * after all that was accepted before it. In its turn it reads the baseline from the journal. It changes
 * nothing, and tells its parent of the turn's end as a reset does (`reset.ts`).
 */
import {assign, fromPromise, raise, sendParent, setup} from 'xstate';
import {timestamp} from '../platform/clock.ts';
import type {ValidationRecord} from '../journal/journal.ts';
import {composeValidation, type ValidationOrder} from './compose-validation.ts';
import {turnTimeoutMs} from './cycle.ts';
import type {TurnOverdue} from './cycle-events.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './one-line.ts';
import {recordTo} from './recording.ts';
import type {Turn} from './turns.ts';

/** What a validation works with. */
export type ValidationDeps = Pick<MachineDeps, 'time' | 'journal'>;

/** What a validation is created with. */
export type ValidationInput = {
	id: string;
	/** What it is made for. */
	note: string;
	/** Its turn, where nothing was accepted before it; else the turn comes as an event. */
	turn: Turn | null;
};

/** What a validation hears. */
export type ValidationEvent =
	/** Everything that was accepted before has had its turn. */
	| ({type: 'turn'} & Turn)
	/** The validation cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From itself: the append of its record has started. */
	| {type: 'append.started'};

/** What a validation tells its parent. */
export type ValidationReport = {id: string} & (
	/** It has had its turn, and its record is on its way to the journal. */
	| {type: 'validation.applied'; turn: Turn}
	/** It is done: its record is durable and has the number `seq`. */
	| {type: 'validation.recorded'; turn: Turn; record: ValidationRecord; seq: number | null}
	/** `isUnwritten`: the journal did not take its record. */
	| {type: 'validation.failed'; error: unknown; isUnwritten: boolean}
);

type ValidationContext = ValidationInput & {record: ValidationRecord | null; seq: number | null; error: unknown};

/** Takes a validation through its turn to the journal; tells its parent a {@link ValidationReport}. */
export const createValidationMachine = (deps: ValidationDeps) => setup({
	types: {
		context: {} as ValidationContext,
		input: {} as ValidationInput,
		events: {} as ValidationEvent,
	},
	actors: {
		compose: fromPromise<ValidationRecord, ValidationOrder>(async ({input, signal}) => {
			// The records of the turns before may be on their way.
			await deps.journal!.flush();
			return composeValidation(deps.journal!, input, signal);
		}),
		record: recordTo(deps.journal),
	},
	guards: {
		hasTurn: ({context}) => context.turn !== null,
	},
	delays: {turnTimeoutMs},
	actions: {
		takeTurn: assign((_, {state, vigilance, tally}: Turn) => ({turn: {state, vigilance, tally}})),
		takeRecord: assign((_, record: ValidationRecord) => ({record: oneLine(record, `validation with ${record.texts.length} texts`)})),
		takeSeq: assign((_, seq: number) => ({seq})),
		takeError: assign((_, {error}: {error: unknown}) => ({error})),
		reportOverdue: sendParent({type: 'turn.overdue'} satisfies TurnOverdue),
		reportApplied: sendParent(({context: {id, turn}}): ValidationReport => ({type: 'validation.applied', id, turn: turn!})),
		reportRecorded: sendParent(({context: {id, turn, record, seq}}): ValidationReport => ({type: 'validation.recorded', id, turn: turn!, record: record!, seq})),
		reportFailed: sendParent(({context: {id, record, error}}): ValidationReport => ({type: 'validation.failed', id, error, isUnwritten: record !== null})),
	},
}).createMachine({
	id: 'validation',
	context: ({input}) => ({...input, record: null, seq: null, error: null}),
	initial: 'queued',
	states: {
		queued: {
			always: {target: 'composing', guard: 'hasTurn'},
			after: {turnTimeoutMs: {target: 'queued', reenter: true, actions: 'reportOverdue'}},
			on: {
				turn: {actions: {type: 'takeTurn', params: ({event}) => event}},
				fail: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}},
			},
		},
		composing: {
			invoke: {
				src: 'compose',
				input: ({context: {id, note, turn}}) => ({id, note, timestamp: timestamp(deps.time), state: turn!.state}),
				onDone: {target: 'recording', actions: {type: 'takeRecord', params: ({event}) => event.output}},
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}},
			},
			on: {fail: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}}},
		},
		recording: {
			entry: raise({type: 'append.started'}),
			invoke: {
				src: 'record',
				input: ({context}) => ({record: context.record!}),
				onDone: {target: 'done', actions: {type: 'takeSeq', params: ({event}) => event.output}},
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}) => event}},
			},
			on: {'append.started': {actions: 'reportApplied'}},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
	},
});
