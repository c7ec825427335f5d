/** The profile with units: each projection beside those of example sentences (`docs/spec/instruments.md#3-profile-with-units`). */
import type {ScaledDirection, ScaledProfile} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {keyOf, projectDirections, round4, type Direction} from '../semiosis/profile.ts';
import type {Rows, StateTensor} from '../kernel/state-tensor.ts';
import {isWorthReading, toneOf, toRead} from './readable.ts';
import {placeOn} from './scale.ts';
import {nameOf} from '../platform/option-names.ts';
import {phrase} from '../platform/phrase.ts';

/** The rows that the directions are projected on: each its category's, or thirdness, which texts move, for all. */
export type Lens = 'own' | 'thirdness';

export const lenses = ['own', 'thirdness'] as const satisfies readonly Lens[];

/**
 * Projects a state on every direction that has a vector, in their order, in the units of their scales. The value is that of
 * `/profile`; the units are those of what is read of the direction.
 *
 * @param beginning the initial state, if it was random: it is chance as a whole
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

/** The whole answer: the state on every direction, and what its units come from; `beginning` is the initial state, if it was random. */
export const readScaledProfile = (
	kernel: Kernel, {stateId, rows}: StateTensor, directions: readonly Direction[], lens: Lens, beginning: Rows | null,
): ScaledProfile => {
	const scales = directions.map(({scale}) => scale);
	const missing = scales.filter(scale => !scale).length;
	const tone = toneOf(directions);
	return {
		stateId,
		lens,
		begunAtRandom: beginning !== null,
		examples: Math.max(0, ...scales.map(scale => scale?.examples ?? 0)),
		note: missing === 0 ? null : phrase`${missing} of ${directions.length} directions have no scale, so no unit: their example
			sentences are not known. Give them as a catalogue (${nameOf('directions.file')}) to have one.`,
		tone: tone && scaleProfile(kernel, rows, [tone], lens, beginning)[0]!,
		directions: scaleProfile(kernel, rows, directions, lens, beginning),
	};
};
