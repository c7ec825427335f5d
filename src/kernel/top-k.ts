/** The best of many cosines. */
import type {Neighbour} from './kernel.ts';

/** The `count` largest cosines, largest first; of equal ones the earlier. */
export const topK = (cosines: Float64Array, count: number): Neighbour[] => {
	const nearest: Neighbour[] = [];
	/** What a cosine has to exceed; of N cosines in any order, about count · ln(N / count) do. */
	let bar = count > 0 ? -Infinity : Infinity;
	for (let place = 0; place < cosines.length; place++) {
		// Nothing in this loop may be captured by a function: that would cost each cosine an allocation.
		if (cosines[place]! > bar) {
			bar = admit(nearest, {place, cosine: cosines[place]!}, count);
		}
	}

	return nearest;
};

/** @returns what the next one has to exceed */
const admit = (nearest: Neighbour[], one: Neighbour, count: number): number => {
	const rank = nearest.findIndex(({cosine}) => one.cosine > cosine);
	nearest.splice(rank === -1 ? nearest.length : rank, 0, one);
	nearest.length = Math.min(nearest.length, count);
	return nearest.length === count ? nearest.at(-1)!.cosine : -Infinity;
};
