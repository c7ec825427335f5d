/** Computes the ledger of a stretch from its records. */
import type {PastState} from '../generated/types.ts';
import {copyBeginning, cutText} from '../platform/plain-line.ts';
import {dot} from '../kernel/dot.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {byMethod, methods, type Method} from '../semiosis/fixation.ts';
import {decodeDigest, sumOf, type Digest} from './digest.ts';
import type {Instrument} from './instrument.ts';
import {composeLedger, countTexts, type Composition, type DigestedTexts, type Grouping, type LedgerText} from './ledger.ts';
import {readName, saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind} from './stretch.ts';
import {remaindersOf, unrollFrom} from './unroll.ts';

export type LedgerQuestion = {
	/** One composition is made for each grouping. */
	by: readonly Grouping[];
	/** The number of entries that are shown; the others are joined. */
	limit: number;
	/** The vector on which parts are projected; null for shares alone. */
	direction: Float32Array | null;
};

/** The ledger over a stretch. */
export type LedgerResult = {
	/** In the order of the requested groupings. */
	readonly compositions: readonly Composition[];
	readonly begins: BeginningKind;
	readonly from: PastState;
	readonly to: PastState;
	readonly cycles: number;
	/** The present value on the direction; null without one. */
	readonly value: number | null;
	/** Whether only the hash of some text is known. */
	readonly isHashed: boolean;
};

/** Single texts are listed from this number of newest records; older ones weigh little. */
const freshTexts = 4000;

/** The number of newest records that a ledger reads instead of digests. */
export const freshOf = ({by, limit}: LedgerQuestion): number => by.includes('text') ? Math.max(freshTexts, 8 * limit) : 0;

/** The most characters of a text that are shown: twenty long texts would be megabytes. */
const maxShown = 1000;

/** The beginning of a text; null for a hash. */
export const shownText = ({content, isHashed}: {content: string; isHashed: boolean}): string | null =>
	isHashed ? null : copyBeginning(content, maxShown, cutText);

/** The id, trigger and source of a text, each of them short. */
const shownNames = (cycle: StoredCycle): Pick<LedgerText, 'id' | 'trigger' | 'source'> =>
	({id: cycle.id, trigger: readName(cycle.trigger) ?? '', source: sourceOf(cycle)});

export const runLedger: Instrument<LedgerQuestion, LedgerResult> = (start, {by, limit, direction}) => {
	let isHashed = false;
	const {take, takeDigest, collected} = collectStretch<LedgerText | DigestedTexts>(start, ({rows}) => {
		const follow = unrollFrom(rows);
		return (cycle): LedgerText => {
			isHashed ||= cycle.isHashed;
			return {
				...shownNames(cycle), timestamp: saidAtOf(cycle), content: shownText(cycle), factors: follow(cycle),
				projection: direction ? dot(cycle.vector, direction) : 0,
			};
		};
	});

	return {
		take,
		takeDigest(stored) {
			const digest = decodeDigest(stored);
			isHashed ||= digest.isHashed;
			takeDigest(digest, () => toDigestedTexts(digest, direction));
		},
		answer() {
			const {begins, from, to, cycles} = collected();
			return {
				compositions: by.map(grouping => composeLedger({rows: from.rows, texts: cycles, direction}, {by: grouping, limit})),
				begins,
				from: toPastState(from),
				to: toPastState(to),
				cycles: countTexts(cycles),
				value: direction && dot(to.row('thirdness'), direction),
				isHashed,
			};
		},
	};
};

/** The texts of a digest, by source and trigger. Their order does not matter; the first group has the `kept` factor of all. */
const toDigestedTexts = (digest: Digest, direction: Float32Array | null): DigestedTexts[] => {
	const {columns: all, sources, triggers, bySource, byTrigger, byMethod: sums} = digest;
	const left = remaindersOf(all.kept);
	const sumUp = (places: readonly number[], column: Method | 'secondness' | 'valeurs'): number =>
		places.reduce((sum, k) => sum + all[column][k]! * left[k + 1]!, 0);
	const sumTexts = (places: readonly number[]): number => methods.reduce((sum, method) => sum + sumUp(places, method), 0);
	const meanOf = (sum: Float32Array, weight: number): number => direction ? dotOf(sum, direction) / (weight || 1) : 0;
	const places = [...left.keys()].slice(0, -1);
	const meansBy = (rows: readonly Float32Array[], column: 'source' | 'trigger'): number[] => {
		const groups = Map.groupBy(places, k => sumOf(all[column][k]!));
		return rows.map((row, place) => meanOf(row, sumTexts(groups.get(place) ?? [])));
	};

	const [ofSources, ofTriggers] = [meansBy(bySource, 'source'), meansBy(byTrigger, 'trigger')];
	const ofMethods = byMethod((method, place) => meanOf(sums[place]!, sumUp(places, method)));
	const groups = Map.groupBy(places, k => all.source[k]! * triggers.length + all.trigger[k]!);
	return [...groups.values()].map((group, i) => {
		const [source, trigger] = [all.source[group[0]!]!, all.trigger[group[0]!]!];
		return {
			source: sources[source]!, trigger: triggers[trigger]!, texts: group.length,
			weighed: byMethod(method => group.filter(k => all[method][k] !== 0).length),
			factors: {
				kept: i === 0 ? left[0]! : 1, secondness: sumUp(group, 'secondness'), valeurs: sumUp(group, 'valeurs'), text: sumTexts(group),
				byMethod: byMethod(method => sumUp(group, method)),
			},
			projection: {source: ofSources[sumOf(source)]!, trigger: ofTriggers[sumOf(trigger)]!, ...ofMethods},
		};
	});
};

const dotOf = (row: Float32Array, direction: Float32Array): number => dot(row, direction.subarray(0, row.length));
