/**
 * The unrolling of thirdness (`docs/spec/instruments.md#2-ledger-what-the-present-is-made-of-exactly`).
 *
 * Secondness and valeurs never move, so thirdness after a cycle is a sum of four rows:
 * T′ = kept·T + text·e + secondness·S + valeurs·V. The factors are computed from the cycle's measures and from the products of
 * these rows, which are updated from cycle to cycle; no row is read.
 */
import type {CycleRecord} from '../journal/journal.ts';
import {byMethod, fixateBy, maxDelta, pullOf, weights, type Method} from '../semiosis/fixation.ts';
import {secondness, thirdness, valeurs} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {dot} from '../kernel/dot.ts';

/** The measures from which a cycle's factors are computed. */
export type MeasuredCycle = Pick<CycleRecord, 'vector' | 'scores' | 'proposals'>;

/** The weight of each row in thirdness after a cycle. */
export type Factors = {
	/** The weight of thirdness before the cycle. */
	readonly kept: number;
	/** The weight of the text, which is the sum over the methods. */
	readonly text: number;
	readonly secondness: number;
	readonly valeurs: number;
	readonly byMethod: Readonly<Record<Method, number>>;
};

/** The dot products of thirdness with secondness, with valeurs and with itself: the state of an unrolling. */
export type Products = {ts: number; tv: number; tt: number};

export const startProducts = (rows: Rows): Products => {
	const [s, t, v] = [rows[secondness]!, rows[thirdness]!, rows[valeurs]!];
	return {ts: dot(t, s), tv: dot(t, v), tt: dot(t, t)};
};

/**
 * Unrolls a history from its first rows: each call takes the next cycle, and returns its factors. It uses the recorded measures, so
 * today's articles of authority and stores do not matter.
 *
 * @param products The products of the first rows, or after the cycle from which to continue. Each call updates them.
 */
export const unrollFrom = (rows: Rows, products = startProducts(rows)): ((cycle: MeasuredCycle) => Factors) => {
	const [s, v] = [rows[secondness]!, rows[valeurs]!];
	const norms = rows.map(row => Math.sqrt(dot(row, row)));
	const [ss, sv, vv] = [dot(s, s), dot(s, v), dot(v, v)];

	return ({vector, scores, proposals}) => {
		const {ts, tv, tt} = products;
		norms[thirdness] = Math.sqrt(tt);
		const ee = dot(vector, vector);
		const norm = Math.sqrt(ee);
		const dots = Float64Array.from(scores, (score, d) => (1 - score) * norm * norms[d]!);
		const [es, et, ev] = [dots[secondness]!, dots[thirdness]!, dots[valeurs]!];
		const fixation = fixateBy(proposals, {dots});
		const {secondness: cs, thirdness: ct, valeurs: cv} = pullOf(fixation);
		const c = cs + ct + cv;

		// The products of raw = c·e − cs·S − ct·T − cv·V.
		const rs = c * es - cs * ss - ct * ts - cv * sv;
		const rt = c * et - cs * ts - ct * tt - cv * tv;
		const rv = c * ev - cs * sv - ct * tv - cv * vv;
		const re = c * ee - cs * es - ct * et - cv * ev;
		const rr = Math.max(0, c * re - cs * rs - ct * rt - cv * rv);

		const scale = Math.min(1, maxDelta / Math.sqrt(rr));
		const length = Math.sqrt(tt + 2 * scale * rt + scale ** 2 * rr);
		products.ts = (ts + scale * rs) / length;
		products.tv = (tv + scale * rv) / length;
		products.tt = 1;

		const share = scale / length;
		return {
			kept: (1 - scale * ct) / length,
			text: share * c,
			secondness: -share * cs,
			valeurs: -share * cv,
			byMethod: byMethod(method => share * weights[method] * fixation[method].coefficient),
		};
	};
};

/** The part of each thirdness that is left at the end: item k is for the row before cycle k, and the last is 1. */
export const remainders = (cycles: readonly Factors[]): Float64Array => remaindersOf(Float64Array.from(cycles, ({kept}) => kept));

/** {@link remainders} from the `kept` factors alone. */
export const remaindersOf = (kept: Float64Array): Float64Array => {
	const left = new Float64Array(kept.length + 1);
	left[kept.length] = 1;
	for (let k = kept.length - 1; k >= 0; k--) {
		left[k] = left[k + 1]! * kept[k]!;
	}

	return left;
};

/** The length of secondness·S + valeurs·V, which is the weight of the push. */
export const pushWeight = (rows: Rows): ((onSecondness: number, onValeurs: number) => number) => {
	const product = dot(rows[secondness]!, rows[valeurs]!);
	return (onSecondness, onValeurs) => Math.sqrt(Math.max(0, onSecondness ** 2 + onValeurs ** 2 + 2 * onSecondness * onValeurs * product));
};
