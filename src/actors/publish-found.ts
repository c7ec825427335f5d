/** Publishes a record that the journal contains but whose answer was lost, as if the answer had arrived. */
import {stateAfter} from '../instruments/replay.ts';
import type {JournalEntry, StoredRecord} from '../journal/journal.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import {cycleEnd} from './cycle.ts';
import {restoreTally} from './tally.ts';
import type {ProcessEmitted} from './process-events.ts';
import type {Acting} from './turn-actions.ts';

/** The event of a record, as far as the record says; null for a start or stop of the loop, and for a snapshot. */
export const eventOf = (record: StoredRecord, initial: StateTensor): ProcessEmitted | null => {
	if (record.kind === 'cycle' || record.kind === 'held') {
		return cycleEnd(record);
	}

	if ('texts' in record) {
		const {kind, id, stateId, texts} = record;
		return {type: settledEvents[kind], id, stateId, texts};
	}

	switch (record.kind) {
		case 'reset': return {type: 'reset.done', id: record.id, stateId: initial.stateId};
		case 'validation': return {type: 'identity.validated', ...factsOf(record)};
		case 'revision': return {type: 'identity.revised', id: record.id, stateId: record.stateId};
		default: return null;
	}
};

export const publishFound = ({enqueue, ready, deps}: Acting, {seq, record}: JournalEntry): void => {
	const {boot: {initial, reference}, tally: {failures}} = ready;
	const {kernel, time, metrics} = deps;
	const event = eventOf(record, initial);
	if (event) {
		enqueue.emit(deepFreeze(event));
	}

	if (record.kind === 'cycle') {
		metrics.recordCycle(record.level);
	} else if (record.kind === 'reset') {
		metrics.reset();
	}

	if (record.kind === 'cycle' || record.kind === 'revision' || record.kind === 'held' || record.kind === 'reset') {
		const {checkpoint} = record;
		const state = stateAfter(initial, ready.state, record);
		const vigilance = startVigilance(kernel, state.rows, reference.rows, checkpoint.cumulativeDrift);
		enqueue.assign({state, vigilance, tally: {...restoreTally(checkpoint, time), failures}});
	}

	enqueue.assign({seq, ...(record.kind === 'validation' && {validation: deepFreeze(factsOf(record))})});
};
