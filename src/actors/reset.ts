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
import {append} from './recording.ts';

/** What a reset is created with. */
export type ResetInput = {
	id: string;
	/** The ids of the cycles that had their turn before, and were not durable yet. */
	before: readonly string[];
	/** Null where nothing lasts. */
	journal: Handle<Journal> | null;
	restored: Handle<{record: ResetRecord; state: StateTensor; vigilance: Vigilance}>;
};

/** What a reset tells its parent at its end. */
export type ResetReport =
	| ({type: 'reset.recorded'} & Pick<ResetInput, 'id' | 'restored'>)
	| {type: 'reset.failed'; id: string; error: unknown};

const record = fromPromise<void, ResetInput>(async ({input: {journal, restored: {value: {record: kept}}}}) => {
	if (journal) {
		await append(journal.value, kept);
	}
});

/** Takes a reset to the journal; tells its parent a {@link ResetReport}. */
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
