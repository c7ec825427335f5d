/**
 * What of a state differs from chance: all that a translation may say.
 *
 * A random beginning is chance as a whole. After one, what does not move is left out, and so is
 * what the texts have moved by less than one standard deviation of ordinary sentences.
 */
import type {ScaledDirection} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {scaleProfile} from './scaled-profile.ts';

/**
 * Selects the directions that stand out, the largest |z| first; equal ones are ordered by key.
 *
 * @param beginning the initial state, if it was random
 * @returns null where no direction has a scale: what differs from chance is then unknown
 */
export const selectStandOut = (kernel: Kernel, state: Rows, directions: readonly Direction[], beginning: Rows | null): ScaledDirection[] | null => {
	const scaled = scaleProfile(kernel, state, directions, 'own', beginning);
	return scaled.every(({z}) => z === null) ? null : sortStandOut(scaled);
};

/** Those of a profile that stand out, the largest |z| first; equal ones are ordered by key. */
export const sortStandOut = (scaled: readonly ScaledDirection[]): ScaledDirection[] =>
	scaled.filter(({standsOut}) => standsOut).toSorted((a, b) => Math.abs(b.z!) - Math.abs(a.z!) || (a.key < b.key ? -1 : 1));
