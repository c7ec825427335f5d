/**
 * The echo guard of a running identity keeps its newest outputs, and tests whether a text is nearer to one of them than ordinary
 * texts are (`docs/spec/instruments.md#8-echo-guard`).
 *
 * The threshold is a quantile of the ordinary texts' cosines to their nearest outputs. Only the largest cosines determine it, so for
 * each output only the few nearest ordinary texts are kept.
 */
import type {Kernel, Neighbour} from '../kernel/kernel.ts';
import {quantileOf} from './percentile.ts';

/** The share of ordinary texts that are not noticed. */
const ordinaryShare = 0.995;

/** The number of largest cosines that determine the threshold. @param texts The number of ordinary texts. */
const echoPlaces = (texts: number): number => texts - Math.floor(ordinaryShare * (texts - 1));

/** The own output nearest to a text; null if there is no output. */
export const findNearestOwn = (kernel: Kernel, own: readonly Float32Array[], vector: Float32Array): Neighbour | null =>
	kernel.nearest(vector, own, 1)[0] ?? null;

/**
 * The cosine above which a text is an echo: only one ordinary text in two hundred is nearer to an own output.
 *
 * @param cosines The cosines of ordinary texts, each to its nearest own output; at least one.
 */
export const measureEchoThreshold = (cosines: readonly number[]): number => quantileOf(cosines, ordinaryShare);

/** A text that the identity said itself. */
export type OwnOutput = {
	/** The id of the translation's request, or of the text's cycle. */
	readonly id: string | null;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	readonly vector: Float32Array;
};

/** A text that is nearer to an output than ordinary texts are. */
export type Echo = {
	readonly cosine: number;
	/** 99.5 % of ordinary texts stay below it. */
	readonly threshold: number;
	/** The nearest output. */
	readonly own: Omit<OwnOutput, 'vector'>;
};

/** The number of newest outputs with which texts are compared: a search takes 20 µs. */
export const maxOwn = 100;

/** A kernel's search caches a list that only grows at its end, so the oldest outputs are dropped in batches. */
const maxKept = maxOwn + 28;

/**
 * @param ordinary The vectors of the baseline's texts that are not the identity's own.
 * @param makeKernel Makes a kernel that no other search uses, because each caches the vectors that it searched.
 */
export const createEchoGuard = (ordinary: readonly Float32Array[], makeKernel: () => Kernel) => {
	const [outputsKernel, ordinaryKernel] = [makeKernel(), makeKernel()];
	let outputs: Array<OwnOutput & {ordinary: readonly Neighbour[]}> = [];
	let vectors: Float32Array[] = [];
	/** Null until a text is asked about. */
	let threshold: number | null = null;
	const measureThreshold = (): number => {
		// −1 for the texts that are not near any output: they do not affect the quantile.
		const cosines = Array.from<number>({length: ordinary.length}).fill(-1);
		for (const {place, cosine} of outputs.flatMap(output => output.ordinary)) {
			cosines[place] = Math.max(cosines[place]!, cosine);
		}

		return measureEchoThreshold(cosines);
	};

	return {
		add(output: OwnOutput) {
			outputs.push({...output, ordinary: ordinaryKernel.nearest(output.vector, ordinary, echoPlaces(ordinary.length))});
			outputs = outputs.length > maxKept ? outputs.slice(-maxOwn) : outputs;
			vectors = outputs.map(({vector}) => vector);
			threshold = null;
		},
		/** @returns null if the text is no echo, and while there is no output */
		check(vector: Float32Array): Echo | null {
			const nearest = ordinary.length === 0 ? null : findNearestOwn(outputsKernel, vectors, vector);
			if (!nearest) {
				return null;
			}

			threshold ??= measureThreshold();
			if (nearest.cosine <= threshold) {
				return null;
			}

			const {id, timestamp} = outputs[nearest.place]!;
			return {cosine: nearest.cosine, threshold, own: {id, timestamp}};
		},
	};
};
