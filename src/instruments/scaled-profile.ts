/** The profile with units: each projection beside those of example sentences (`docs/spec/instruments.md#3-profile-with-units`). */
import type {Kernel} from '../kernel/kernel.ts';
import {keyOf, projectDirections, round4, type Direction} from '../semiosis/profile.ts';
import type {Dimension} from '../kernel/dimensions.ts';
import type {Rows, StateTensor} from '../kernel/state-tensor.ts';
import {placeOn, type ScaleWord} from './scale.ts';
import {inProgramsWords} from '../platform/wording.ts';

/** The rows that the directions are projected on: each its category's, or thirdness, which texts move, for all. */
export type Lens = 'own' | 'thirdness';

export const lenses = ['own', 'thirdness'] as const satisfies readonly Lens[];

/** One direction with units. Numbers are rounded to 4 decimals. */
export type ScaledDirection = {
	/** `<category>.<name>` */
	readonly key: string;
	readonly category: string;
	readonly name: string;
	/** The row that it is projected on. */
	readonly dimension: Dimension;
	/** Whether texts can move the value: by these rules they move thirdness alone. */
	readonly moves: boolean;
	readonly polePositive: string;
	readonly poleNegative: string;
	/** The projection, −1 … 1. */
	readonly value: number;
	/** Standard deviations above the mean of the example sentences; null without a scale. */
	readonly z: number | null;
	/** The share of example sentences with a lower value, 0 … 1; null without a scale, or with fewer than 50 sentences. */
	readonly percentile: number | null;
	/** What chance alone does to the value: its standard deviation among twins; 0 where texts do not move it. Null until a validation's twins were computed. */
	readonly noise: number | null;
	/** `none`: no different from chance, since |z| < 1 or, after a random beginning, texts moved it by less than one z. `leaning`: |z| up to 2. `strong`: more. Null without a scale. */
	readonly word: ScaleWord | null;
	/** Whether it differs from chance: its word is `leaning` or `strong`. */
	readonly standsOut: boolean;
	/** The pole that it leans to, by the sign of z; null where it does not stand out. */
	readonly pole: string | null;
};

/**
 * Projects a state on every direction that has a vector, in their order, in the units of their scales.
 *
 * @param beginning the initial state, if it was random: it is chance as a whole
 */
export const scaleProfile = (kernel: Kernel, state: Rows, directions: readonly Direction[], lens: Lens = 'own', beginning: Rows | null = null): ScaledDirection[] => {
	const row = lens === 'own' ? undefined : lens;
	const before = beginning && projectDirections(kernel, beginning, directions, row);
	return projectDirections(kernel, state, directions, row).map(({direction, dimension, value}, i) => {
		const {category, name, polePositive, poleNegative, scale} = direction;
		const place = scale ? placeOn(scale, value) : null;
		const isMoved = !before || Math.abs(value - before[i]!.value) >= (scale?.deviation ?? 0);
		const word = place && (isMoved ? place.word : 'none');
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
			noise: null,
			word,
			standsOut,
			pole: standsOut ? (place!.z > 0 ? polePositive : poleNegative) : null,
		};
	});
};

/** The state on every direction, in the units of the example sentences. */
export type ScaledProfile = {
	readonly stateId: number;
	readonly lens: Lens;
	/** Whether the identity began with random vectors: what does not move then says nothing of it. */
	readonly begunAtRandom: boolean;
	/** How many example sentences the units come from; 0 where none are known. */
	readonly examples: number;
	/** Why directions have no scale, and whether many of the newest texts could not be read; null for nothing. */
	readonly note: string | null;
	readonly directions: readonly ScaledDirection[];
};

/** The whole answer: the state on every direction, and what its units come from; `beginning` is the initial state, if it was random. */
export const readScaledProfile = (kernel: Kernel, {stateId, rows}: StateTensor, directions: readonly Direction[], lens: Lens, beginning: Rows | null): ScaledProfile => {
	const scales = directions.map(({scale}) => scale);
	const missing = scales.filter(scale => !scale).length;
	return {
		stateId,
		lens,
		begunAtRandom: beginning !== null,
		examples: Math.max(0, ...scales.map(scale => scale?.examples ?? 0)),
		note: missing === 0 ? null : inProgramsWords(`${missing} of ${directions.length} directions have no scale, so no unit: their example sentences are not known. Give them as a catalogue (directions.file) to have one.`),
		directions: scaleProfile(kernel, rows, directions, lens, beginning),
	};
};

/** By key, what chance does to the value of a direction on thirdness. */
export type Noise = ReadonlyMap<string, number>;

export const withNoise = (profile: ScaledProfile, noise: Noise): ScaledProfile => ({
	...profile,
	directions: profile.directions.map(direction => {
		const deviation = direction.moves ? noise.get(direction.key) : 0;
		return {...direction, noise: deviation === undefined ? null : round4(deviation)};
	}),
});
