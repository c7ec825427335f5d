/**
 * Compares the thirdness of two states direction by direction, and describes the difference
 * (`docs/spec/instruments.md#7-history-and-diff`).
 */
import type {DirectionChange} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {keyOf, projectDirections, type Direction} from '../semiosis/profile.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {formatFixed, phrase} from '../platform/phrase.ts';
import {selectReadable} from './scaled-profile.ts';

/** The most directions of a comparison. */
const maxCompared = 10;

/** A change under one standard deviation is no more than the difference between two ordinary sentences. */
const minZChange = 1;

/** More directions make a sentence too long to read. */
const maxListed = 4;

/**
 * The directions that differ most between the thirdness of two states, the largest change in standard deviations first, or the
 * largest change if there is no unit. They are read without the tone, which is one of them.
 */
export const compareStates = (kernel: Kernel, from: Rows, to: Rows, directions: readonly Direction[]): DirectionChange[] => {
	const readable = selectReadable(directions);
	const before = projectDirections(kernel, from, readable, 'thirdness');
	return projectDirections(kernel, to, readable, 'thirdness')
		.map(({direction, value}, i) => {
			const {polePositive, poleNegative, scale} = direction;
			const change = value - before[i]!.value;
			return {
				key: keyOf(direction), polePositive, poleNegative, from: before[i]!.value, to: value, change,
				zChange: scale ? change / scale.deviation : null,
			};
		})
		.toSorted((a, b) => Math.abs(b.zChange ?? b.change) - Math.abs(a.zChange ?? a.change))
		.slice(0, maxCompared);
};

/** Describes the changes in a sentence. @param isForeseen Whether the change is hypothetical. */
export const describeChanges = (changes: readonly DirectionChange[], isForeseen = false): string => {
	const listed = changes.filter(({zChange}) => zChange !== null && Math.abs(zChange) >= minZChange).slice(0, maxListed);
	if (listed.length > 0) {
		const poles = listed.map(({zChange, polePositive, poleNegative}) =>
			`${zChange! > 0 ? polePositive : poleNegative} (${formatFixed(Math.abs(zChange!), 1)})`);
		return isForeseen
			? phrase`It would be more ${poles.join(', ')}; the numbers are standard deviations of ordinary sentences.`
			: phrase`It is now more ${poles.join(', ')}; the numbers are standard deviations of ordinary sentences.`;
	}

	return changes.some(({zChange}) => zChange !== null)
		? phrase`No direction moved by as much as one standard deviation of ordinary sentences.`
		: phrase`The directions have no scale, so what stands out is not known.`;
};
