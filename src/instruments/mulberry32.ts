/** Mulberry32 (Tommy Ettinger, 2017): a small generator of random numbers. A seed gives the same numbers on every host. */
import type {Random} from '../platform/clock.ts';

/** @param seed Its lowest 32 bits count. */
export const mulberry32 = (seed: number): Random => () => {
	seed = (seed + 0x6D_2B_79_F5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};
