/** Top-k selection. */
import type {Neighbour} from './kernel.ts';

/** The `count` largest cosines, largest first; of equal ones the earlier comes first. */
export const topK = (cosines: Float64Array, count: number): Neighbour[] => {
	const nearest: Neighbour[] = [];
	/** The smallest of the top cosines. Of N cosines in random order, about count · ln(N / count) exceed it. */
	let threshold = count > 0 ? -Infinity : Infinity;
	for (let place = 0; place < cosines.length; place++) {
		// No function may capture a variable of this loop: that would allocate for each cosine.
		if (cosines[place]! > threshold) {
			threshold = insert(nearest, {place, cosine: cosines[place]!}, count);
		}
	}

	return nearest;
};

/** @returns the new threshold */
const insert = (nearest: Neighbour[], neighbour: Neighbour, count: number): number => {
	let rank = Math.min(nearest.length, count - 1);
	for (; rank > 0 && neighbour.cosine > nearest[rank - 1]!.cosine; rank--) {
		nearest[rank] = nearest[rank - 1]!;
	}

	nearest[rank] = neighbour;
	return nearest.length === count ? nearest.at(-1)!.cosine : -Infinity;
};
