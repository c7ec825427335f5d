/**
 * The vectors of a store's thoughts in memory, searched by a kernel. A search among 10,000 vectors
 * of 1024 floats takes 5 ms; reading them from the file and comparing them in a loop took 190 ms.
 */
import type {Kernel} from '../../kernel/kernel.ts';
import {width} from '../../tensor/dimensions.ts';

export class ThoughtIndex {
	readonly #kernel: Kernel;
	readonly #vectors: Float32Array[] = [];
	#lastId = 0;

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
	}

	/** Id of the newest thought in the index; 0 if it is empty. */
	get lastId(): number {
		return this.#lastId;
	}

	/** Adds the vector of the next thought, at most 1024 floats. A vector that is not finite is never found. */
	add(id: number, vector: Float32Array): void {
		this.#lastId = id;
		if (vector.every(Number.isFinite)) {
			this.#vectors.push(padded(vector));
		}
	}

	/** Copies of the vectors nearest to a vector of the same width, the nearest first. A zero vector has the cosine 0. */
	nearest(vector: Float32Array, count: number): Float32Array[] {
		return this.#kernel.nearest(padded(vector), this.#vectors, count).map(({place}) => this.#vectors[place]!.slice(0, vector.length));
	}
}

/** A kernel needs vectors of width 1024; zeros at the end change no cosine. */
const padded = (vector: Float32Array): Float32Array => {
	if (vector.length === width) {
		return vector;
	}

	const wide = new Float32Array(width);
	wide.set(vector);
	return wide;
};
