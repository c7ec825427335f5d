/** Finds the place of a moment in the journal. */
import {readTime} from '../../platform/clock.ts';
import {InputError} from '../../platform/errors.ts';
import {recordedAfter} from '../replay.ts';
import type {PastState} from '../../generated/types.ts';
import {happenedAt, saidAtOf} from '../source-of.ts';
import {toPastState} from '../stretch.ts';
import type {StoredRecord} from '../../journal/journal.ts';
import {cutText} from '../../platform/plain-line.ts';
import type {StateTensor} from '../../kernel/state-tensor.ts';
import {readBackwards} from '../../journal/read-pages.ts';
import {decodeDigest, headOf, type DigestHead} from '../digest.ts';
import {readDigests, type DigestedJournal} from './digested.ts';

/**
 * A moment: the id of a state, a time in ISO 8601, `beginning` or `present`. Ids are reused after a reset; an id means its newest
 * state.
 */
export type Moment = number | string;

/** The place of a moment. */
export type Place = {
	/** The number of the record that made the state; 0 is the genesis. */
	seq: number;
	state: StateTensor;
	/** The cumulative drift up to there. */
	cumulativeDrift: number;
	/** When its text was said, if it was imported; ISO 8601, UTC. */
	saidAt?: string | undefined;
};

/** A state in the form of an answer. If the place's text was imported, its timestamp is the time when that was said. */
export const pastStateAt = ({stateId, timestamp}: PastState, {state, saidAt}: Place): PastState =>
	toPastState({stateId, timestamp: stateId === state.stateId && timestamp === state.timestamp ? saidAt ?? timestamp : timestamp});

const importedAt = (record: StoredRecord): string | undefined =>
	record.kind === 'cycle' && record.origin === 'import' ? saidAtOf(record) : undefined;

/** When the text of the newest state before a record was said, if it was imported; ISO 8601, UTC. */
export const saidAtBefore = async (journal: DigestedJournal, seq: number, signal?: AbortSignal): Promise<string | undefined> => {
	// Usually it is the previous record, so that one is read first.
	for (const after of [Math.max(seq - 2, 0), 0]) {
		for await (const {record} of readBackwards(journal, signal, {after, upTo: seq - 1})) {
			if ('checkpoint' in record) {
				return importedAt(record);
			}
		}
	}

	return undefined;
};

type Candidate = Place & {time: number; isCompacted: boolean};

/**
 * Finds a moment, searching backwards from the newest record. A time before the first record is the beginning.
 *
 * @throws {InputError} for an invalid moment, a state that the journal does not have, and a moment that was compacted
 */
export const findMoment = async (journal: DigestedJournal, initial: StateTensor, moment: Moment, signal?: AbortSignal): Promise<Place> => {
	const beginning: Candidate = {seq: 0, state: initial, cumulativeDrift: 0, time: Date.parse(initial.timestamp), isCompacted: false};
	if (moment === 'beginning') {
		return toPlace(beginning);
	}

	const wanted = toWanted(moment);
	let newest = beginning;
	/** The oldest place so far, which is later than the moment. */
	let later: Candidate | null = null;
	for await (const place of candidates(journal, initial, wanted, signal)) {
		if (isWanted(wanted, place.state.stateId, place.time)) {
			return requireWhole(moment, wanted, place, later);
		}

		newest = later ? newest : place;
		later = place;
	}

	if ('id' in wanted && wanted.id !== initial.stateId) {
		throw new InputError(`The journal has no state ${wanted.id}. Its newest is ${newest.state.stateId}. `
			+ 'A forgetting removes the states of its texts, and compaction keeps only a few of the oldest.');
	}

	return requireWhole(moment, wanted, beginning, later);
};

/** Whether a moment is a time before the beginning. @throws {InputError} for an invalid moment */
export const isBefore = (moment: Moment, initial: StateTensor): boolean => {
	const wanted = moment === 'beginning' ? null : toWanted(moment);
	return wanted !== null && 'time' in wanted && wanted.time < Date.parse(initial.timestamp);
};

type Wanted = {id: number} | {time: number};

const isWanted = (wanted: Wanted, id: number, time: number): boolean => 'id' in wanted ? id === wanted.id : time <= wanted.time;

const toWanted = (moment: Moment): Wanted => {
	const id = typeof moment === 'string' && /^\d+$/.test(moment) ? Number(moment) : moment;
	if (Number.isSafeInteger(id)) {
		return {id: id as number};
	}

	if (moment === 'present') {
		return {time: Infinity};
	}

	const time = readTime(String(moment));
	if (Number.isNaN(time)) {
		throw new InputError(`“${cutText(String(moment), 60)}” is not a moment. Give the id of a state, or a time such as `
			+ '2026-01-31T12:00:00Z.');
	}

	return {time};
};

/** @throws {InputError} for a time within a compacted block: which of its records came before that time is no longer known */
const requireWhole = (moment: Moment, wanted: Wanted, place: Candidate, later: Candidate | null): Place => {
	if ('time' in wanted && place.time < wanted.time && later?.isCompacted) {
		throw new InputError(`The state of ${moment} was compacted. The nearest that are kept are ${place.state.stateId}, before `
			+ `it, and ${later.state.stateId}, after it.`);
	}

	return toPlace(place);
};

const toPlace = ({seq, state, cumulativeDrift, saidAt}: Candidate): Place => ({seq, state, cumulativeDrift, saidAt});

/**
 * The places where the state changed, newest first. Within a digest it gives only the wanted one. An imported text counts at the
 * time when it was said.
 */
async function * candidates(
	journal: DigestedJournal, initial: StateTensor, wanted: Wanted, signal?: AbortSignal,
): AsyncGenerator<Candidate> {
	const isPresent = 'time' in wanted && wanted.time === Infinity;
	const mayHave = ({isPlain, from, to}: DigestHead): boolean =>
		isPlain && ('time' in wanted || (from.stateId < wanted.id && wanted.id <= to.stateId));
	const {digests, first, last} = (isPresent ? null : await readDigests(journal, mayHave)) ?? {digests: [], first: 1, last: 0};
	const placesIn = async function * (range: {after?: number; upTo?: number}): AsyncGenerator<Candidate> {
		for await (const {seq, record} of readBackwards(journal, signal, range)) {
			// A text that was held back found its state, and made none: that of another one, which may be forgotten.
			if ('checkpoint' in record && record.kind !== 'held') {
				yield {
					seq,
					...recordedAfter(initial, {state: initial, cumulativeDrift: 0}, record),
					time: happenedAt(record),
					saidAt: importedAt(record),
					isCompacted: record.kind === 'snapshot' && record.first < seq,
				};
			}
		}
	};

	yield * placesIn({after: last});
	for (const stored of digests.toReversed()) {
		const head = headOf(stored);
		if (!head.isPlain) {
			yield * placesIn({after: head.first - 1, upTo: head.last});
		} else if (mayHave(head)) {
			const {seq, stateId, time} = decodeDigest(stored).columns;
			const place = seq.findLastIndex((_, k) => isWanted(wanted, stateId[k]!, time[k]!));
			yield * place === -1 ? [] : placesIn({after: seq[place]! - 1, upTo: seq[place]!});
		}
	}

	yield * placesIn({upTo: first - 1});
}
