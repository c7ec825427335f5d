/**
 * What is found where a drift is unusual: on which directions, and whose talk led there
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). Chance may choose its worst direction
 * and its worst source too.
 */
import type {MovedAlike} from '../../generated/types.ts';
import {product} from '../../semiosis/covariance.ts';
import {rankOf} from './paths.ts';
import type {Twin} from './twins.ts';

/** At this p or below something is called unusual. */
export const unusualP = 0.05;

/** A direction beside the twins. */
export type Along = {
	/** |Y·g| beside what single ordinary texts vary on it. */
	readonly t: number;
	/** Whether it moved to the positive pole. */
	readonly isPositive: boolean;
	/** How likely chance does as much on its worst direction. */
	readonly p: number;
};

/** What twins do on their worst direction, ascending. @param directions whitened */
export const largestAlong = (twins: ReadonlyArray<Pick<Twin, 'row'>>, directions: readonly Float64Array[]): Float64Array =>
	Float64Array.from(twins, ({row}) => Math.max(...directions.map(direction => Math.abs(product(row, direction))))).toSorted();

/** A whitened row on each direction. @param effect how much more chance does with its texts than with those of twins */
export const measureAlong = (
	row: Float64Array, directions: readonly Float64Array[], largest: Float64Array, effect = 1,
): Along[] => directions.map(direction => {
	const along = product(row, direction);
	const t = Math.abs(along);
	return {t, isPositive: along > 0, p: rankOf(largest, t / Math.sqrt(effect))};
});

/** How far, for its weight, a source goes the same way at least that moved alike; of all talk together. */
const leastAlike = 0.5;

/** Sources, how many; their weight, and their part of the squared length that all have together. */
type MovedPart = Readonly<Record<'sources' | 'weight' | 'part', number>>;

/** @param parts of all sources */
export const countAlike = (parts: readonly MovedPart[]): MovedAlike => {
	const sum = (of: keyof MovedPart, among = parts) => among.reduce((total, one) => total + one[of], 0);
	const [weight, squares] = [sum('weight'), sum('part')];
	const alike = parts.filter(one => squares > 0 && one.part * weight >= leastAlike * squares * one.weight);
	return {alike: sum('sources', alike), sources: sum('sources')};
};

/** What one source has in a whitened row. */
export type SourcePart = {
	readonly source: string;
	/** Of the squared length of the row; all parts sum to that. */
	readonly part: number;
	/** How far it pushes for the weight that it has, beside what long conversations do by chance. */
	readonly push: number;
};

/** So that a source with three texts does not win. */
const leastShare = 0.05;

/**
 * Divides the squared length of a row among the sources.
 *
 * @param parts The weight and the whitened sum of each; the sums make the row. Where chance does more with the texts of a source
 * than with those of twins, that is the `effect`.
 */
export const divideAmong = (parts: ReadonlyArray<{source: string; weight: number; along: number; effect?: number}>): SourcePart[] => {
	const all = parts.reduce((sum, {weight}) => sum + weight, 0);
	return parts.map(({source, weight, along: part, effect = 1}) => ({source, part, push: part / (weight / all + leastShare) / effect}));
};

/** The largest push of a twin over its sources. @param sources who said each text of the baseline; null for one that is not followed */
export const largestPush = ({row, weights}: Twin, texts: ReadonlyArray<Float64Array | null>, sources: readonly string[]): number => {
	const sums = new Map<string, {source: string; weight: number; along: number}>();
	for (const [place, text] of texts.entries()) {
		const weight = weights[place]!;
		if (text && weight > 0) {
			const source = sources[place]!;
			const sum = sums.get(source) ?? {source, weight: 0, along: 0};
			sums.set(source, sum);
			sum.weight += weight;
			sum.along += weight * product(text, row);
		}
	}

	return Math.max(...divideAmong([...sums.values()]).map(({push}) => push));
};
