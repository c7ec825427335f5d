/**
 * Events that a watcher missed while it was not connected, or connected to another node. They are read from the journal, so
 * only events with a record are found.
 */
import {answerOf} from '../identity/repeated-cycles.ts';
import type {JournalEntry} from '../journal/journal.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';
import {readPages, type PastJournal} from '../journal/read-pages.ts';
import {byDimension} from '../kernel/dimensions.ts';
import {reportFields, toEvent, type StreamedEvent} from './identity-events.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** The types of events that have a record. */
export const recordedTypes: readonly StreamedEvent['type'][] = [
	'cycle.done', 'cycle.held', 'reset.done', 'identity.validated', 'identity.revised', ...Object.values(settledEvents),
];

/** At most this many of the newest records are sent; of older ones, only the number. */
const maxSent = 1000;

export type MissedEvent = StreamedEvent & {seq: number};

/** The events of the records after `from` up to `to`, and the number of records left out as too many or compacted. */
export const readMissedEvents = async (
	read: PastJournal['read'], initial: StateTensor, from: number, to: number,
): Promise<{missed: number; events: MissedEvent[]}> => {
	let missed = Math.max(0, to - from - maxSent);
	const events: MissedEvent[] = [];
	for await (const page of readPages({read}, from + missed, to)) {
		for (const {seq, record} of page) {
			if (record.kind === 'snapshot') {
				missed = seq - from;
			} else {
				events.push(...eventOf(record, initial).map(event => ({...event, seq})));
			}
		}
	}

	return {missed, events};
};

/** The event of a record; none for a start or stop of the loop. */
const eventOf = (record: JournalEntry['record'], initial: StateTensor): StreamedEvent[] => {
	if (record.kind === 'cycle' || record.kind === 'held') {
		const {trigger, origin, scores, level, tokenReport, timestamp, checkpoint: {cumulativeDrift}} = record;
		return [toEvent(record.kind === 'held' ? 'cycle.held' : 'cycle.done', () => ({
			...answerOf(record), trigger, origin, scores: byDimension((_, d) => scores[d]!), cumulativeDrift, level,
			...reportFields(tokenReport), steps: {},
			timestamp,
		}))];
	}

	if (record.kind === 'reset') {
		return [toEvent('reset.done', () => ({id: record.id, stateId: initial.stateId}))];
	}

	if (record.kind === 'revision') {
		return [toEvent('identity.revised', () => ({id: record.id, stateId: record.stateId}))];
	}

	if ('texts' in record) {
		const {kind, id, stateId, texts} = record;
		return [toEvent(settledEvents[kind], () => ({id, stateId, texts}))];
	}

	return record.kind === 'validation' ? [toEvent('identity.validated', () => factsOf(record))] : [];
};
