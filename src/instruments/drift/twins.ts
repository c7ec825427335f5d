/**
 * Twins: simulated histories of ordinary talk alone, bootstrapped from the baseline
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). Their distances are the null distribution.
 */
import {mulberry32, type Random} from '../../platform/clock.ts';
import {lengthOf} from './measure.ts';
import {lookAt} from './paths.ts';
import {addTo} from './weighted-sums.ts';

const twinCount = 199;

/** The texts that twins are drawn from. */
export type TwinTalk = {
	/** The conversations, each as the indices of its texts. */
	readonly conversations: ReadonlyArray<readonly number[]>;
	/** The whitened difference of each text from the mean; null for a text of the other voice. */
	readonly texts: ReadonlyArray<Float64Array | null>;
	/** The number of conversations in a twin's redrawn baseline: their effective number, given their lengths. */
	readonly redrawn: number;
	/** w, the weight of the newest text in the moving mean. */
	readonly weight: number;
	readonly seed: number;
};

/** The random numbers of one twin, the same ones each time for a validation. */
const randomOf = (seed: number, twin: number): Random => mulberry32(Math.imul(seed, 0x9E_37_79_B1) ^ Math.imul(twin + 1, 0x85_EB_CA_6B));

const drawOne = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!;

/**
 * Draws the talk of one twin: whole conversations with replacement, from a baseline that is itself redrawn so first.
 * Twins therefore vary both in their conversations and in their baseline.
 *
 * @returns the indices of `length` texts; the last conversation may be cut
 */
const drawTwin = ({conversations, redrawn, seed}: TwinTalk, twin: number, length: number): number[] => {
	const random = randomOf(seed, twin);
	const heard = Array.from({length: redrawn}, () => drawOne(conversations, random));
	const places: number[] = [];
	while (places.length < length) {
		places.push(...drawOne(heard, random));
	}

	places.length = length;
	return places;
};

/**
 * Moves the moving mean of whitened differences text by text.
 *
 * @param onText Called with the number of texts, and with the moving mean as the product `left · sums`, where `left` is the part
 * of the beginning that is left. So a text of the other voice costs nothing.
 */
export const followPlaces = (
	{texts, weight}: Pick<TwinTalk, 'texts' | 'weight'>, places: readonly number[],
	onText: (texts: number, sums: Float64Array, left: number) => void,
): void => {
	const sums = new Float64Array(texts.find(text => text !== null)!.length);
	let left = 1;
	for (const [i, place] of places.entries()) {
		left *= 1 - weight;
		const text = texts[place];
		if (text) {
			addTo(sums, text, weight / left);
		}

		onText(i + 1, sums, left);
	}
};

/** The distance of each twin at each look. */
export const runTwins = (talk: TwinTalk, horizon: number): Float64Array[] => Array.from({length: twinCount}, (_, twin) => {
	const distances: number[] = [];
	followPlaces(talk, drawTwin(talk, twin, horizon), (texts, sums, left) => {
		if (lookAt(texts) !== null) {
			distances.push(left * lengthOf(sums));
		}
	});
	return Float64Array.from(distances);
});

/** A twin at one look. */
export type Twin = {
	/** Its whitened moving mean. */
	readonly row: Float64Array;
	/** The weight in it of each text of the baseline, by index. */
	readonly weights: Float64Array;
};

/** Draws the twins again, and gives them as they are after `length` texts. */
export const twinsAfter = (talk: TwinTalk, length: number): Twin[] => Array.from({length: twinCount}, (_, twin) => {
	const weights = new Float64Array(talk.texts.length);
	let weight = talk.weight;
	for (const place of drawTwin(talk, twin, length).toReversed()) {
		weights[place]! += weight;
		weight *= 1 - talk.weight;
	}

	const row = new Float64Array(talk.texts.find(text => text !== null)!.length);
	for (const [place, text] of talk.texts.entries()) {
		if (text && weights[place]! > 0) {
			addTo(row, text, weights[place]!);
		}
	}

	return {row, weights};
});
