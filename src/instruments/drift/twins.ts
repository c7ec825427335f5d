/**
 * Twins: lives that hear ordinary talk alone, drawn from the baseline
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). How far they go is what chance does.
 */
import {mulberry32, type Random} from '../../platform/clock.ts';
import {lengthOf} from './measure.ts';
import {lookAt} from './paths.ts';
import {addTo} from './weighted-sums.ts';

const twinCount = 199;

/** The texts that twins are drawn from. */
export type TwinTalk = {
	/** The conversations that are drawn, each by the places of its texts. */
	readonly conversations: ReadonlyArray<readonly number[]>;
	/** The whitened difference of each text from the mean; null for one that is not followed. */
	readonly texts: ReadonlyArray<Float64Array | null>;
	/** How many conversations a twin redraws: as many as they are worth, by their lengths. */
	readonly redrawn: number;
	/** w: how much of the moving mean the newest text is. */
	readonly weight: number;
	/** It seeds them. */
	readonly seed: number;
};

/** The random numbers of one twin: the same for the same validation. */
const randomOf = (seed: number, twin: number): Random => mulberry32(Math.imul(seed, 0x9E_37_79_B1) ^ Math.imul(twin + 1, 0x85_EB_CA_6B));

const drawOne = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!;

/**
 * What one twin hears: whole conversations with replacement, from a baseline that is first redrawn in the
 * same way. So a twin differs by chance in its conversations, and in what is ordinary to it.
 *
 * @returns the places of `length` texts; the last conversation may be cut
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
 * Moves the moving mean of whitened differences by one text after another.
 *
 * @param onText Called with the number of texts, and with the row as a product: `sums` times what is `left` of a text of the
 * beginning. So a text that is not followed costs nothing.
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
	/** How much of it each text of the baseline is, by its place. */
	readonly weights: Float64Array;
};

/** The twins after so many texts, drawn again. */
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
