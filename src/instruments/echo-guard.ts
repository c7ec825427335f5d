/**
 * The echo guard of a running identity: its own outputs of late, and whether a text is nearer to one of
 * them than ordinary texts are (`docs/spec/instruments.md#8-echo-guard`).
 *
 * The threshold is a quantile over the ordinary texts, each by its nearest output. Only the few that lie
 * nearest to an output decide about it, so of each output those few are kept.
 */
import type {Kernel, Neighbour} from '../kernel/kernel.ts';
import {quantileOf} from './percentile.ts';

/** The share of ordinary texts that are not noticed. */
const ordinaryShare = 0.995;

/** How many of the largest cosines of so many ordinary texts decide about the threshold. */
const echoPlaces = (texts: number): number => texts - Math.floor(ordinaryShare * (texts - 1));

/** The own output that is nearest to a text; null where there is none. */
export const findNearestOwn = (kernel: Kernel, own: readonly Float32Array[], vector: Float32Array): Neighbour | null =>
	kernel.nearest(vector, own, 1)[0] ?? null;

/**
 * The cosine beyond which a text is an echo: only one ordinary text in two hundred is nearer to an own output.
 *
 * @param cosines of ordinary texts, each to its nearest own output; at least one
 */
export const measureEchoThreshold = (cosines: readonly number[]): number => quantileOf(cosines, ordinaryShare);

/** Something that the identity said itself. */
export type OwnOutput = {
	/** Of the translation's request, or of the text's cycle. */
	readonly id: string | null;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	readonly vector: Float32Array;
};

/** A text that is nearer to an output than ordinary texts are. */
export type Echo = {
	readonly cosine: number;
	/** What 99.5 % of ordinary texts stay below. */
	readonly threshold: number;
	/** The output. */
	readonly own: Omit<OwnOutput, 'vector'>;
};

/** How many of the newest outputs texts are compared with: a search takes 20 µs. */
export const maxOwn = 100;

/** The list of a kernel's search may change at its end alone, so the oldest outputs are dropped some at a time. */
const maxKept = maxOwn + 28;

/**
 * @param ordinary The vectors of the baseline's texts that are not the identity's own.
 * @param makeKernel Makes a kernel that no other search uses: each keeps the vectors that it searched.
 */
export const createEchoGuard = (ordinary: readonly Float32Array[], makeKernel: () => Kernel) => {
	const [outputsKernel, ordinaryKernel] = [makeKernel(), makeKernel()];
	let outputs: Array<OwnOutput & {ordinary: readonly Neighbour[]}> = [];
	let vectors: Float32Array[] = [];
	/** Null until a text is asked about. */
	let threshold: number | null = null;
	const measureThreshold = (): number => {
		// The others have no part in it: −1 stands for each.
		const cosines = Array.from<number>({length: ordinary.length}).fill(-1);
		for (const {place, cosine} of outputs.flatMap(output => output.ordinary)) {
			cosines[place] = Math.max(cosines[place]!, cosine);
		}

		return measureEchoThreshold(cosines);
	};

	return {
		/** Remembers an output. */
		add(output: OwnOutput) {
			outputs.push({...output, ordinary: ordinaryKernel.nearest(output.vector, ordinary, echoPlaces(ordinary.length))});
			outputs = outputs.length > maxKept ? outputs.slice(-maxOwn) : outputs;
			vectors = outputs.map(({vector}) => vector);
			threshold = null;
		},
		/** The echo that a text is; null for one that is none, and while there is no output. */
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
