/**
 * Attributes an unusual drift to directions and to sources (`docs/spec/instruments.md#4-validate-conversations-drift`). Every p is
 * corrected for the search: it is compared with each twin's largest direction, or its largest source.
 */
import type {MovedAlike} from '../../generated/types.ts';
import {product} from '../../semiosis/covariance.ts';
import {rankOf} from './paths.ts';
import type {Twin} from './twins.ts';
import {joinedSource} from './weighted-sums.ts';

/** At this p or below something is called unusual. */
export const unusualP = 0.05;

/** A direction compared with the twins. */
export type DirectionFinding = {
	/** |Y·g| in standard deviations of single ordinary texts. */
	readonly t: number;
	/** Whether it moved to the positive pole. */
	readonly isPositive: boolean;
	/** The probability that chance moves as far on any direction. */
	readonly p: number;
};

/** Each twin's largest projection on any direction, ascending. @param directions Whitened. */
export const largestProjections = (twins: ReadonlyArray<Pick<Twin, 'row'>>, directions: readonly Float64Array[]): Float64Array =>
	Float64Array.from(twins, ({row}) => Math.max(...directions.map(direction => Math.abs(product(row, direction))))).toSorted();

/** Projects a whitened row on each direction. @param effect The design effect of its texts, relative to the twins'. */
export const measureDirections = (
	row: Float64Array, directions: readonly Float64Array[], largest: Float64Array, effect = 1,
): DirectionFinding[] => directions.map(direction => {
	const projection = product(row, direction);
	const t = Math.abs(projection);
	return {t, isPositive: projection > 0, p: rankOf(largest, t / Math.sqrt(effect))};
});

/** A source moved alike if, for its weight, it goes at least this fraction as far in the common direction as all talk together. */
const leastAlike = 0.5;

/** The weight of a source, and its part of the squared length of the whole. */
type MovedPart = {readonly source: string; readonly weight: number; readonly part: number};

/**
 * @param parts The parts of all sources; the lightest may be joined.
 * @param sources The number of sources. Only the joined part does not say it: some of its sources may have a part again.
 */
export const countAlike = (parts: readonly MovedPart[], sources: number): MovedAlike => {
	const sum = (of: 'weight' | 'part') => parts.reduce((total, one) => total + one[of], 0);
	const [weight, squares] = [sum('weight'), sum('part')];
	const joined = sources - parts.filter(({source}) => source !== joinedSource).length;
	const alike = parts.filter(({part, weight: own}) => squares > 0 && part * weight >= leastAlike * squares * own)
		.reduce((count, {source}) => count + (source === joinedSource ? joined : 1), 0);
	return {alike, sources};
};

/** The part of one source in a whitened row. */
export type SourcePart = {
	readonly source: string;
	/** Its part of the squared length of the row; all parts sum to that. */
	readonly part: number;
	/** The part relative to the source's weight and its design effect. */
	readonly push: number;
};

/** Added to a source's share of the weight, so that one with three texts does not win. */
const leastShare = 0.05;

/**
 * Divides the squared length of a row among the sources.
 *
 * @param parts For each source its weight, the product of its whitened sum with the row, and its design effect, 1 by default.
 */
export const divideAmong = (parts: ReadonlyArray<{source: string; weight: number; projection: number; effect?: number}>): SourcePart[] => {
	const all = parts.reduce((sum, {weight}) => sum + weight, 0);
	return parts.map(({source, weight, projection: part, effect = 1}) => ({source, part, push: part / (weight / all + leastShare) / effect}));
};

/** The largest push of a twin's sources. @param texts Null for a text of the other voice. @param sources The source of each text. */
export const largestPush = ({row, weights}: Twin, texts: ReadonlyArray<Float64Array | null>, sources: readonly string[]): number => {
	const sums = new Map<string, {source: string; weight: number; projection: number}>();
	for (const [place, text] of texts.entries()) {
		const weight = weights[place]!;
		if (text && weight > 0) {
			const source = sources[place]!;
			const sum = sums.get(source) ?? {source, weight: 0, projection: 0};
			sums.set(source, sum);
			sum.weight += weight;
			sum.projection += weight * product(text, row);
		}
	}

	return Math.max(...divideAmong([...sums.values()]).map(({push}) => push));
};
