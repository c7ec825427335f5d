/**
 * Events that a watcher missed while it was not connected, or connected to another node. They are read from the journal, so
 * only events with a record are found.
 */
import {eventOf} from '../actors/publish-found.ts';
import {settledEvents} from '../journal/revision.ts';
import {readPages, type PastJournal} from '../journal/read-pages.ts';
import {emittedEvent, type StreamedEvent} from './identity-events.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** The types of events that have a record. */
export const recordedTypes: readonly StreamedEvent['type'][] = [
	'cycle.done', 'cycle.held', 'reset.done', 'identity.validated', 'identity.revised', ...Object.values(settledEvents),
];

/** At most this many of the newest records are sent; of older ones, only the number. */
const maxSent = 1000;

/** The events of the records after `from` up to `to`, and the number of records left out as too many or compacted. */
export const readMissedEvents = async (
	read: PastJournal['read'], initial: StateTensor, from: number, to: number,
): Promise<{missed: number; events: Array<StreamedEvent & {seq: number}>}> => {
	let missed = Math.max(0, to - from - maxSent);
	const events: Array<StreamedEvent & {seq: number}> = [];
	for await (const page of readPages({read}, from + missed, to)) {
		for (const {seq, record} of page) {
			if (record.kind === 'snapshot') {
				missed = seq - from;
			} else {
				const event = eventOf(record, initial);
				events.push(...event ? [{...emittedEvent(event), seq}] : []);
			}
		}
	}

	return {missed, events};
};
