/** Echoes: texts that say again what the identity said itself (`docs/spec/instruments.md#8-echo-guard`). */
import type {Kernel, Neighbour} from '../kernel/kernel.ts';
import {quantileOf} from './percentile.ts';

/** The share of ordinary texts that are not noticed. */
const ordinaryShare = 0.995;

/** How many of the largest cosines of so many ordinary texts decide about the threshold. */
export const echoPlaces = (texts: number): number => texts - Math.floor(ordinaryShare * (texts - 1));

/** The own output that is nearest to a text; null where there is none. */
export const findNearestOwn = (kernel: Kernel, own: readonly Float32Array[], vector: Float32Array): Neighbour | null =>
	kernel.nearest(vector, own, 1)[0] ?? null;

/**
 * The cosine beyond which a text is an echo: only one ordinary text in two hundred is nearer to an own output.
 *
 * @param cosines of ordinary texts, each to its nearest own output; at least one
 */
export const measureEchoThreshold = (cosines: readonly number[]): number => quantileOf(cosines, ordinaryShare);
