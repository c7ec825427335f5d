/**
 * Permutation tests of whether two groups of conversations differ by more than chance. Whole conversations are dealt to the two
 * groups at random, because the texts within one are alike.
 */
import type {Random} from '../../platform/clock.ts';
import {product} from '../../semiosis/covariance.ts';
import type {BaselineText} from '../../journal/validation.ts';
import {whiten, type Measure} from './measure.ts';
import {WeightedSums} from './weighted-sums.ts';

/** One speaker's texts in a conversation: their number, and the sum of their whitened vectors. */
export type TalkSum = {readonly texts: number; readonly sum: Float64Array};

/** The same projected on a direction: `along` is the sum of the texts' products with it. */
export type TalkAlong = {readonly texts: number; readonly along: number};

/** The difference between two groups of texts, and the probability that chance makes it as great. */
export type Change = {readonly statistic: number; readonly p: number};

/** Fewer conversations in a group leave too few ways to deal them. */
export const minDealt = 4;

/** Tests the squared distance between the means of the texts. @param before At least one conversation; `now` too. */
export const testChange = (before: readonly TalkSum[], now: readonly TalkSum[], random: Random, deals = 999): Change => {
	// Dealing the smaller group is faster; the rest makes the other.
	const [dealt, rest] = before.length <= now.length ? [before, now] : [now, before];
	const all = [...dealt, ...rest];
	const distance = distanceBetween(all.map(({texts}) => texts), productsOf(all.map(({sum}) => sum)), dealt.length);
	const places = [...all.keys()];
	const statistic = distance(places);
	// The same deal in another order may differ by rounding.
	return {statistic, p: rankAmongDeals(places, random, deals, () => distance(places) >= statistic * (1 - 1e-9))};
};

/** Tests how much further along the direction the mean of the texts lies now. @param before At least one conversation; `now` too. */
export const testAlong = (before: readonly TalkAlong[], now: readonly TalkAlong[], random: Random, deals = 999): Change => {
	const all = [...now, ...before];
	const sum = (what: keyof TalkAlong) => all.reduce((total, one) => total + one[what], 0);
	const [texts, along] = [sum('texts'), sum('along')];
	const places = [...all.keys()];
	const difference = (): number => {
		let [dealt, reached] = [0, 0];
		for (let i = 0; i < now.length; i++) {
			dealt += all[places[i]!]!.texts;
			reached += all[places[i]!]!.along;
		}

		return reached / dealt - (along - reached) / (texts - dealt);
	};

	const statistic = difference();
	const least = statistic - 1e-9 * Math.abs(statistic);
	return {statistic, p: rankAmongDeals(places, random, deals, () => difference() >= least)};
};

/** Runs a test with 199 deals, and again with 9,999 only if p is at most .04. */
export const dealEnough = (test: (deals: number) => Change): Change => {
	const few = test(199);
	return few.p <= 0.04 ? test(9999) : few;
};

/** p: the rank of the statistic among random deals. */
export const rankAmongDeals = (places: number[], random: Random, deals: number, isAsGreat: () => boolean): number => {
	let asGreat = 1;
	for (let deal = 0; deal < deals; deal++) {
		shuffle(places, random);
		asGreat += Number(isAsGreat());
	}

	return asGreat / (deals + 1);
};

/** The products of all pairs. */
const productsOf = (vectors: readonly Float64Array[]): Float64Array[] => {
	const products = vectors.map(() => new Float64Array(vectors.length));
	for (const [i, x] of vectors.entries()) {
		for (let j = 0; j <= i; j++) {
			products[i]![j] = product(x, vectors[j]!);
			products[j]![i] = products[i]![j]!;
		}
	}

	return products;
};

/** The products of all pairs of vectors less their mean. */
export const centredProductsOf = (vectors: readonly Float64Array[]): Float64Array[] => {
	const products = productsOf(vectors);
	const means = products.map(row => row.reduce((sum, one) => sum + one, 0) / row.length);
	const all = means.reduce((sum, one) => sum + one, 0) / means.length;
	return products.map((row, i) => row.map((one, j) => one - means[i]! - means[j]! + all));
};

/**
 * ‖B/b − (S − B)/n‖² of a deal. B is the sum of the `first` conversations, b the number of their texts, S the sum of all
 * conversations, and n the number of the other texts.
 */
const distanceBetween = (texts: readonly number[], products: readonly Float64Array[], first: number) => {
	const withAll = products.map(row => row.reduce((sum, one) => sum + one, 0));
	const all = withAll.reduce((sum, one) => sum + one, 0);
	const count = texts.reduce((sum, one) => sum + one, 0);
	return (places: readonly number[]): number => {
		let [dealt, own, other] = [0, 0, 0];
		for (let i = 0; i < first; i++) {
			const place = places[i]!;
			const row = products[place]!;
			dealt += texts[place]!;
			other += withAll[place]!;
			for (let j = 0; j < first; j++) {
				own += row[places[j]!]!;
			}
		}

		// B/b − (S − B)/n = (1/b + 1/n) B − S/n.
		const rest = count - dealt;
		const weight = 1 / dealt + 1 / rest;
		return weight ** 2 * own - 2 * weight / rest * other + all / rest ** 2;
	};
};

/** The shuffle of Fisher and Yates. */
const shuffle = (items: number[], random: Random): void => {
	for (let i = items.length - 1; i > 0; i--) {
		const j = Math.floor(random() * (i + 1));
		[items[i], items[j]] = [items[j]!, items[i]!];
	}
};

/** The talk of one source in a conversation. */
export type SourceTalk = TalkSum & {readonly source: string};

/** Sums the whitened differences of texts from a mean, by source. */
export const sumBySource = (
	measure: Measure, mean: Float64Array, texts: ReadonlyArray<Pick<BaselineText, 'source' | 'vector'>>,
): SourceTalk[] => {
	const sums = new WeightedSums(measure.width);
	for (const {source, vector} of texts) {
		sums.add(source, 1, vector, {mean});
	}

	return sums.parts().map(({source, added, row}) => ({source, texts: added, sum: whiten(measure, row)}));
};
