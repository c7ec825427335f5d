/** The event of a record; and the publication of one that the journal contains but whose answer was lost. */
import {stateAfter} from '../instruments/replay.ts';
import type {JournalEntry, JournalRecord, StoredRecord} from '../journal/journal.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import {cycleEnd} from './cycle.ts';
import {restoreTally} from './tally.ts';
import type {ProcessEmitted} from './process-events.ts';
import type {Acting} from './turn-actions.ts';
import type {TurnReport} from './turn-machine.ts';

type Measured = Pick<Extract<TurnReport, {outcome: unknown}>, 'processingTimeMs' | 'steps'>;

/**
 * The event of a record, as far as the record says; null for a start or stop of the loop, and for a snapshot.
 * @param measured How long its cycle took.
 */
export const eventOf = (
	record: StoredRecord | JournalRecord, initial: StateTensor, {processingTimeMs, steps}: Partial<Measured> = {},
): ProcessEmitted | null => {
	switch (record.kind) {
		case 'cycle':
		case 'held': return cycleEnd(record, processingTimeMs, steps);
		case 'release':
		case 'drop': {
			const {stateId, texts} = 'facts' in record ? {stateId: record.facts.stateId, texts: record.facts.ids.length} : record;
			return {type: settledEvents[record.kind], id: record.id, stateId, texts};
		}

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
