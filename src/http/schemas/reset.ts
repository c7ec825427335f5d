/** Back to the initial state. */
import {integer, shape, word} from '../../wire/builders.ts';

export const ResetResponse = shape('ResetResponse', 'The initial state is restored.', {
	status: word('Always ok.', ['ok']),
	stateId: integer('Number of the restored state.', 0),
});
