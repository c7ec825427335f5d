/** Publishes a record that the journal contains but whose answer was lost, as if the answer had arrived. */
import type {Checkpoint, JournalEntry} from '../journal/journal.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import {cycleEnd} from './cycle.ts';
import {restoreTally} from './tally.ts';
import type {Acting} from './turn-actions.ts';

export const publishFound = ({enqueue, ready, deps}: Acting, {seq, record}: JournalEntry): void => {
	const {boot: {initial, reference}, tally: {failures}} = ready;
	const {kernel, time, metrics} = deps;
	const publishTurn = ({checkpoint}: {checkpoint: Checkpoint}, state: StateTensor): void => {
		const vigilance = startVigilance(kernel, state.rows, reference.rows, checkpoint.cumulativeDrift);
		enqueue.assign({state, vigilance, tally: {...restoreTally(checkpoint, time), failures}, seq});
	};

	if (record.kind === 'cycle') {
		const {level, stateId, timestamp, thirdness} = record;
		enqueue.emit(cycleEnd(record));
		metrics.recordCycle(level);
		publishTurn(record, initial.withThirdness(stateId, timestamp, thirdness));
	} else if (record.kind === 'held') {
		enqueue.emit(cycleEnd(record));
		publishTurn(record, ready.state);
	} else if ('texts' in record) {
		const {kind, id, stateId, texts} = record;
		enqueue.emit(Object.freeze({type: settledEvents[kind], id, stateId, texts}));
		enqueue.assign({seq});
	} else if (record.kind === 'reset') {
		metrics.reset();
		enqueue.emit(Object.freeze({type: 'reset.done' as const, id: record.id, stateId: initial.stateId}));
		publishTurn(record, initial);
	} else if (record.kind === 'validation') {
		const validation = deepFreeze(factsOf(record));
		enqueue.emit(Object.freeze({type: 'identity.validated' as const, ...validation}));
		enqueue.assign({validation, seq});
	} else if (record.kind === 'revision') {
		const {id, stateId, timestamp, thirdness} = record;
		enqueue.emit(Object.freeze({type: 'identity.revised' as const, id, stateId}));
		publishTurn(record, initial.withThirdness(stateId, timestamp, thirdness));
	} else {
		enqueue.assign({seq});
	}
};
