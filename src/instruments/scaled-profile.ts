/**
 * The profile with units compares each projection with those of example sentences, and shows which differ from chance. A translation
 * may say only that (`docs/spec/instruments.md#3-profile-with-units`).
 */
import type {ScaledDirection, ScaledProfile} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {keyOf, projectDirections, round4, type Direction} from '../semiosis/profile.ts';
import {minQuality} from '../semiosis/quality.ts';
import type {Scale} from '../semiosis/scale.ts';
import type {Rows, StateTensor} from '../kernel/state-tensor.ts';
import {percentileAmong} from './percentile.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {nameOf} from '../platform/option-names.ts';
import {phrase} from '../platform/phrase.ts';

/** The rows on which the directions are projected: `own`, that of each category, or thirdness for all, which is what texts move. */
export type Lens = 'own' | 'thirdness';

export const lenses = ['own', 'thirdness'] as const satisfies readonly Lens[];

/** The distance from the mean of the sentences: under 1 standard deviation, which may be chance; 1 to 2; more. */
export type ScaleWord = 'none' | 'leaning' | 'strong';

/** A value in the units of a scale. */
type ScaledValue = {
	/** Standard deviations above the sentences' mean. */
	readonly z: number;
	/** The share of sentences with a lower value, 0 … 1; null for a scale of fewer than 50 sentences. */
	readonly percentile: number | null;
	readonly word: ScaleWord;
};

/** Converts a value to the units of a scale. */
export const placeOn = (scale: Scale, value: number): ScaledValue => {
	const z = (value - scale.mean) / scale.deviation;
	return {z, percentile: percentileAmong(scale.sample, value), word: wordOf(z)};
};

const wordOf = (z: number): ScaleWord => {
	const size = Math.abs(z);
	if (size < 1) {
		return 'none';
	}

	return size <= 2 ? 'leaning' : 'strong';
};

/** Whether a direction tells its poles apart well enough. If its sentences are not known, it is assumed to. */
const isWorthReading = ({reading}: Pick<Direction, 'reading'>): boolean => (reading?.quality ?? 1) >= minQuality;

/** The directions that have a vector, each with the vector of its reading. Memoized, so that a kernel can cache the list. */
export const toRead = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	directions.filter(({vector}) => vector).map(direction => ({...direction, vector: direction.reading?.vector ?? direction.vector!})));

/** The axis that is taken out of all directions; null if none is known. */
const toneOf = (directions: readonly Direction[]): Direction | null =>
	directions.find(({reading}) => reading?.tone)?.reading!.tone ?? null;

/** A list, followed by the tone if there is one. */
export const withTone = <Value>(list: readonly Value[], tone: Value | null | undefined): Value[] => tone ? [...list, tone] : [...list];

/** The directions that are worth reading, and the tone, each with the vector of its reading. Memoized, as in {@link toRead}. */
export const selectReadable = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	toRead(withTone(directions, toneOf(directions)).filter(isWorthReading)));

/**
 * Projects a state on every direction that has a vector, in order, in the units of the scales. The value is that of `/profile`;
 * the units are those of the direction's reading.
 *
 * A random beginning is due to chance as a whole. After one, a direction stands out only if the texts have moved the state by one
 * standard deviation of ordinary sentences on it.
 *
 * @param beginning The initial state, if it was random.
 */
export const scaleProfile = (
	kernel: Kernel, state: Rows, directions: readonly Direction[], lens: Lens = 'own', beginning: Rows | null = null,
): ScaledDirection[] => {
	const row = lens === 'own' ? undefined : lens;
	const readings = projectDirections(kernel, state, toRead(directions), row);
	const before = beginning && projectDirections(kernel, beginning, toRead(directions), row);
	return projectDirections(kernel, state, directions, row).map(({direction, dimension, value}, i) => {
		const {category, name, polePositive, poleNegative, scale, reading} = direction;
		const read = readings[i]!.value;
		const place = scale ? placeOn(scale, read) : null;
		const isMoved = !before || Math.sign(place?.z ?? 0) * (read - before[i]!.value) >= (scale?.deviation ?? 0);
		const word = place && (isMoved && isWorthReading(direction) ? place.word : 'none');
		const standsOut = word !== null && word !== 'none';
		return {
			key: keyOf(direction),
			category,
			name,
			dimension,
			moves: dimension === 'thirdness',
			polePositive,
			poleNegative,
			value: round4(value),
			z: place && round4(place.z),
			percentile: place?.percentile == null ? null : round4(place.percentile),
			quality: reading ? round4(reading.quality) : null,
			valence: reading ? round4(reading.valence) : null,
			word,
			standsOut,
			pole: standsOut ? (place!.z > 0 ? polePositive : poleNegative) : null,
		};
	});
};

type Scaled = Pick<ScaledProfile, 'tone' | 'directions'>;

/** {@link scaleProfile} of the directions, and of the tone. */
const scaleWithTone = (kernel: Kernel, state: Rows, directions: readonly Direction[], lens: Lens, beginning: Rows | null): Scaled => {
	const tone = toneOf(directions);
	return {
		tone: tone && scaleProfile(kernel, state, [tone], lens, beginning)[0]!,
		directions: scaleProfile(kernel, state, directions, lens, beginning),
	};
};

/** The whole answer. @param beginning The initial state, if it was random. */
export const readScaledProfile = (
	kernel: Kernel, {stateId, rows}: StateTensor, directions: readonly Direction[], lens: Lens, beginning: Rows | null,
): ScaledProfile => {
	const scales = directions.map(({scale}) => scale);
	const missing = scales.filter(scale => !scale).length;
	return {
		stateId,
		lens,
		begunAtRandom: beginning !== null,
		examples: Math.max(0, ...scales.map(scale => scale?.examples ?? 0)),
		note: missing === 0 ? null : phrase`${missing} of ${directions.length} directions have no scale, so no unit: their example
			sentences are not known. Give them as a catalogue (${nameOf('directions.file')}) to have one.`,
		...scaleWithTone(kernel, rows, directions, lens, beginning),
	};
};

/**
 * Selects the directions that stand out, in the order of {@link sortStandOut}.
 *
 * @param beginning The initial state, if it was random.
 * @returns null if no direction has a scale, so that it is unknown what differs from chance
 */
export const selectStandOut = (
	kernel: Kernel, state: Rows, directions: readonly Direction[], beginning: Rows | null,
): ScaledDirection[] | null => {
	const scaled = scaleWithTone(kernel, state, directions, 'own', beginning);
	return scaled.directions.every(({z}) => z === null) ? null : sortStandOut(scaled);
};

/** The directions of a profile that stand out, the tone among them, the largest |z| first, then by key. */
export const sortStandOut = ({directions, tone}: Scaled): ScaledDirection[] =>
	withTone(directions, tone).filter(({standsOut}) => standsOut).toSorted(
		(a, b) => Math.abs(b.z!) - Math.abs(a.z!) || (a.key < b.key ? -1 : 1),
	);
