/**
 * The reset machine: a reset on its way to the journal. The living state is restored before, in
 * the reset's turn; readers see it when this is durable. Its ends are no final states, for the
 * reason that `cycle.ts` gives.
 */
import {assign, fromPromise, sendParent, setup} from 'xstate';
import type {Journal, ResetRecord} from '../journal/journal.ts';
import type {Vigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import type {Handle} from './handle.ts';

export type ResetInput = {
	id: string;
	restored: Handle<{journal: Journal | null; record: ResetRecord; state: StateTensor; vigilance: Vigilance}>;
};

/** What a reset tells its parent at its end. */
export type ResetReport =
	| ({type: 'reset.recorded'} & ResetInput)
	| {type: 'reset.failed'; id: string; error: unknown};

const record = fromPromise<void, ResetInput>(async ({input: {restored: {value: {journal, record: kept}}}}) => journal?.append(kept));

export const resetMachine = setup({
	types: {
		context: {} as ResetInput & {error: unknown},
		input: {} as ResetInput,
	},
	actors: {record},
	actions: {
		reportRecorded: sendParent(({context: {id, restored}}): ResetReport => ({type: 'reset.recorded', id, restored})),
		reportFailed: sendParent(({context: {id, error}}): ResetReport => ({type: 'reset.failed', id, error})),
	},
}).createMachine({
	id: 'reset',
	context: ({input}) => ({...input, error: null}),
	initial: 'recording',
	states: {
		recording: {
			invoke: {
				src: 'record',
				input: ({context}) => context,
				onDone: 'done',
				onError: {target: 'failed', actions: assign({error: ({event}) => event.error})},
			},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
	},
});
