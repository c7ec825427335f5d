/** How much of the present is each source's, and how much of what is unusual in it (`docs/spec/instruments.md#6-sources`). */
import {meanOf} from './apart.ts';
import {product} from './whitened.ts';

/** A text by its weight in the present, as in the ledger. */
export type WeightedText = {readonly source: string; readonly weight: number; readonly vector: Float32Array};

/** The part of one source. Each kind of share sums to 1 over the sources. */
export type SourceShare = {
	readonly texts: number;
	readonly textShare: number;
	/** Of the texts' weights. */
	readonly weightShare: number;
	/** Of the way from the twins' mean to the present; below 0 against it. */
	readonly unusualShare: number;
	/** How alike its texts are beyond what is ordinary: 0 for unlike ones and for a single text, 1 for equal ones of ordinary length. */
	readonly coherence: number;
};

type Sum = {texts: number; weight: number; unusual: number; total: Float64Array; squares: number};

/**
 * Divides the present among its sources.
 *
 * @param texts of the life since the anchor
 * @param baseline the vectors of ordinary texts; at least one
 * @param excess what of thirdness its twins do not have
 */
export const shareSources = ({texts, baseline, excess}: {texts: readonly WeightedText[]; baseline: readonly Float32Array[]; excess: Float64Array}): Map<string, SourceShare> => {
	const mean = meanOf(baseline);
	const variance = 1 - product(mean, mean);
	const sums = new Map<string, Sum>();
	for (const {source, weight, vector} of texts) {
		let sum = sums.get(source);
		if (!sum) {
			sum = {texts: 0, weight: 0, unusual: 0, total: new Float64Array(mean.length), squares: 0};
			sums.set(source, sum);
		}

		let along = 0;
		for (let i = 0; i < mean.length; i++) {
			const gap = vector[i]! - mean[i]!;
			along += gap * excess[i]!;
			sum.total[i]! += gap;
			sum.squares += gap * gap;
		}

		sum.texts++;
		sum.weight += weight;
		sum.unusual += weight * along;
	}

	const add = (what: 'weight' | 'unusual') => [...sums.values()].reduce((total, sum) => total + sum[what], 0);
	const [weight, unusual] = [add('weight'), add('unusual')];
	return new Map([...sums].map(([source, sum]) => [source, {
		texts: sum.texts,
		textShare: sum.texts / texts.length,
		weightShare: sum.weight / weight,
		unusualShare: sum.unusual / unusual,
		coherence: sum.texts > 1 ? (product(sum.total, sum.total) - sum.squares) / (sum.texts * (sum.texts - 1)) / variance : 0,
	}]));
};
