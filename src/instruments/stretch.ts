/**
 * A stretch of a history: consecutive cycles without a reset or a compaction between them. A stretch begins after the last of
 * these, because nothing before it can be unrolled.
 */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, StoredCycle} from '../journal/journal.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {InstrumentStart} from './instrument.ts';
import {stateAfter} from './replay.ts';

/** Why a stretch begins where it does: the history's beginning, a requested moment, a reset, or a compaction. */
export type BeginningKind = 'birth' | 'moment' | 'reset' | 'compaction';

/** A stretch with one item for each cycle. */
export type Stretch<Item> = {
	readonly begins: BeginningKind;
	/** The state that it begins with. */
	readonly from: StateTensor;
	/** The state that it ends with. */
	readonly to: StateTensor;
	readonly cycles: readonly Item[];
};

/** The state at the start or end of a digest. */
export type Edge = PastState & {readonly thirdness: Float32Array};

/**
 * Collects a stretch from a journal's records in order.
 *
 * @param begin Called with the first state, and with the state after each reset, compaction and digest. The function that it returns
 * makes the item of each cycle that follows. After a digest the stretch continues, and `isNewStretch` is false.
 */
export const collectStretch = <Item>(
	{rules, seq, start}: InstrumentStart, begin: (from: StateTensor, isNewStretch: boolean) => (cycle: StoredCycle, seq: number) => Item,
) => {
	const beginAt = (begins: BeginningKind, from: StateTensor) => ({begins, from, to: from, cycles: [] as Item[], follow: begin(from, true)});
	const stateOf = ({stateId, timestamp, thirdness}: Edge) => rules.initial.withThirdness(stateId, timestamp, thirdness);
	let stretch = beginAt(seq === 0 ? 'birth' : 'moment', start.state);

	const take = ({seq: place, record}: JournalEntry): void => {
		if (record.kind === 'reset') {
			stretch = beginAt('reset', rules.initial.withThirdness(rules.initial.stateId, record.timestamp, rules.initial.row('thirdness')));
		} else if (record.kind === 'snapshot') {
			stretch = beginAt('compaction', stateAfter(rules.initial, stretch.to, record));
		} else if (record.kind === 'cycle' || record.kind === 'revision') {
			stretch.to = stateAfter(rules.initial, stretch.to, record);
		}

		if (record.kind === 'cycle') {
			stretch.cycles.push(stretch.follow(record, place));
		}
	};

	return {
		take: (entries: readonly JournalEntry[]) => entries.forEach(take),
		/** Takes a digest in place of its records. @param toItems Makes the items of its cycles; called after any new start in the digest. */
		takeDigest({begins, from, to}: {begins: BeginningKind | null; from: Edge; to: Edge}, toItems: () => Iterable<Item>) {
			stretch = begins === null ? stretch : beginAt(begins, stateOf(from));
			// Not push(...items): too many arguments overflow the call stack.
			for (const item of toItems()) {
				stretch.cycles.push(item);
			}

			stretch.to = stateOf(to);
			stretch.follow = begin(stretch.to, false);
		},
		collected(): Stretch<Item> {
			const {follow: _, ...collected} = stretch;
			return collected;
		},
	};
};

export const toPastState = ({stateId, timestamp}: PastState): PastState => ({stateId, timestamp});
