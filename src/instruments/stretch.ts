/**
 * A stretch of life: the cycles up to now that no reset and no compaction interrupts. Where one
 * does, the stretch begins there, because nothing before it can be unrolled.
 */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, StoredCycle} from '../journal/journal.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {InstrumentStart} from './instrument.ts';
import {stateAfter} from './replay.ts';

/** Why a stretch begins where it does: the life begins, an asked moment, a reset, or what compaction left. */
export type BeginningKind = 'birth' | 'moment' | 'reset' | 'compaction';

/** A stretch, by what was taken of each of its cycles. */
export type Stretch<Item> = {
	readonly begins: BeginningKind;
	/** The state that it begins with. */
	readonly from: StateTensor;
	/** The state that it ends with. */
	readonly to: StateTensor;
	readonly cycles: readonly Item[];
};

/** Takes a cycle, the state that it made, and its record's number. */
export type Follow<Item> = (cycle: StoredCycle, state: StateTensor, seq: number) => Item;

/** A state at an edge of a digest. */
export type Edge = PastState & {readonly thirdness: Float32Array};

export type CollectedStretch<Item> = {
	take(entries: readonly JournalEntry[]): void;
	/** Takes a digest in the place of its records. @param toItems gives its cycles, when the stretch has begun again where it does */
	takeDigest(digest: {readonly begins: BeginningKind | null; readonly from: Edge; readonly to: Edge}, toItems: () => Iterable<Item>): void;
	collected(): Stretch<Item>;
};

/**
 * Collects a stretch from a journal's records in their order.
 *
 * @param begin Called with the first state, and again where the stretch starts over; what it returns takes each cycle. Behind a
 * digest it goes on from its last state: `isAnew` is false there.
 */
export const collectStretch = <Item>(
	{rules, seq, start}: InstrumentStart, begin: (from: StateTensor, isAnew: boolean) => Follow<Item>,
): CollectedStretch<Item> => {
	const beginAt = (begins: BeginningKind, from: StateTensor) => ({begins, from, to: from, cycles: [] as Item[], follow: begin(from, true)});
	const stateOf = ({stateId, timestamp, thirdness}: Edge) => rules.initial.withThirdness(stateId, timestamp, thirdness);
	let stretch = beginAt(seq === 0 ? 'birth' : 'moment', start.state);

	const take = ({seq: place, record}: JournalEntry): void => {
		switch (record.kind) {
			case 'cycle': {
				stretch.to = stateAfter(rules.initial, stretch.to, record);
				stretch.cycles.push(stretch.follow(record, stretch.to, place));
				break;
			}

			case 'reset': {
				stretch = beginAt('reset', rules.initial.withThirdness(rules.initial.stateId, record.timestamp, rules.initial.row('thirdness')));
				break;
			}

			case 'revision': {
				stretch.to = stateAfter(rules.initial, stretch.to, record);
				break;
			}

			case 'snapshot': {
				stretch = beginAt('compaction', stateAfter(rules.initial, stretch.to, record));
				break;
			}
		}
	};

	return {
		take(entries) {
			for (const entry of entries) {
				take(entry);
			}
		},
		takeDigest({begins, from, to}, toItems) {
			stretch = begins === null ? stretch : beginAt(begins, stateOf(from));
			// Many at once are too many parameters.
			for (const item of toItems()) {
				stretch.cycles.push(item);
			}

			stretch.to = stateOf(to);
			stretch.follow = begin(stretch.to, false);
		},
		collected() {
			const {follow: _, ...collected} = stretch;
			return collected;
		},
	};
};

export const toPastState = ({stateId, timestamp}: PastState): PastState => ({stateId, timestamp});
