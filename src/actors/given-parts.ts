/** Checks parts that an application supplies, before an identity is made from them: JavaScript callers may pass anything. */
import {width} from '../kernel/dimensions.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import type {Direction} from '../semiosis/profile.ts';

/** @throws {TypeError} for a value that is not a state, {RangeError} for a row that is not finite or is zero */
export const requireState = ({stateId, timestamp, rows}: StateTensor): void => {
	if (!(Number.isSafeInteger(stateId) && typeof timestamp === 'string' && Array.isArray(rows))) {
		throw new TypeError('it is not a StateTensor, with a stateId, a timestamp and rows.');
	}

	new StateTensor(stateId, timestamp, rows).rows.forEach(row => toUnitLength(new Float32Array(row)));
};

/** Describes the first unusable direction; null if there is none. Memoized: it takes 5 ms, and many identities share one list. */
const findFault = memoizeWeak((directions: readonly Direction[]) => {
	for (const direction of directions as ReadonlyArray<Direction | null>) {
		const {category, name, vector} = direction ?? {};
		if (!(typeof category === 'string' && typeof name === 'string')) {
			return 'each direction needs a category and a name, which are texts';
		}

		if (vector && !(typeof vector === 'object' && vector.length === width && vector.every(Number.isFinite))) {
			return `the vector of ${category}.${name} is not ${width} finite floats`;
		}
	}

	return null;
});

/** @throws {TypeError} for a value that is not a list, {RangeError} naming the first unusable direction */
export const requireDirections = (directions: readonly Direction[]): void => {
	if (!Array.isArray(directions)) {
		throw new TypeError('it is not a list of directions');
	}

	const fault = findFault(directions);
	if (fault !== null) {
		throw new RangeError(fault);
	}
};
