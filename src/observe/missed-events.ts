/**
 * The events that a watcher missed while it was connected to no run of the service, or to another node:
 * those that are records, read from the journal.
 */
import {answerOf} from '../identity/repeated-cycles.ts';
import type {JournalEntry} from '../journal/journal.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';
import {readPages, type PastJournal} from '../journal/read-pages.ts';
import {byDimension} from '../kernel/dimensions.ts';
import {reportFields, toEvent, type StreamedEvent} from './identity-events.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** The types of events that are records. */
export const recordedTypes: readonly StreamedEvent['type'][] = [
	'cycle.done', 'cycle.held', 'reset.done', 'identity.validated', 'identity.revised', ...Object.values(settledEvents),
];

/** The newest records that are sent; of those before them a watcher hears how many there are. */
const maxSent = 1000;

export type MissedEvent = StreamedEvent & {seq: number};

/** The events of the records behind `from` up to `to`, and how many records before them are not sent: too many, or compacted. */
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

/** The event of a record, where it has one: it says what the record does. */
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
