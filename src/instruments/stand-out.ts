/**
 * What of a state differs from chance: all that a translation may say.
 *
 * A random beginning is chance as a whole. After one, what does not move is left out, and so is
 * what the texts have moved by less than one standard deviation of ordinary sentences.
 */
import type {ScaledDirection, ScaledProfile} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {toneOf, withTone} from './readable.ts';
import {scaleProfile} from './scaled-profile.ts';

/**
 * Selects the directions that stand out, the largest |z| first; equal ones are ordered by key.
 *
 * @param beginning the initial state, if it was random
 * @returns null where no direction has a scale: what differs from chance is then unknown
 */
export const selectStandOut = (
	kernel: Kernel, state: Rows, directions: readonly Direction[], beginning: Rows | null,
): ScaledDirection[] | null => {
	const scaled = scaleProfile(kernel, state, directions, 'own', beginning);
	const tone = toneOf(directions);
	return scaled.every(({z}) => z === null)
		? null
		: sortStandOut({directions: scaled, tone: tone && scaleProfile(kernel, state, [tone], 'own', beginning)[0]!});
};

/** Those of a profile that stand out, the tone among them, the largest |z| first; equal ones are ordered by key. */
export const sortStandOut = ({directions, tone}: Pick<ScaledProfile, 'directions' | 'tone'>): ScaledDirection[] =>
	withTone(directions, tone).filter(({standsOut}) => standsOut).toSorted(
		(a, b) => Math.abs(b.z!) - Math.abs(a.z!) || (a.key < b.key ? -1 : 1),
	);
