/** Nearest-neighbour search over a list of vectors, in a separate memory that grows to the longest list. */
import type {Neighbour} from '../kernel.ts';
import {topK} from '../top-k.ts';
import {checkWidth, pageBytes, rowBytes, stride, instantiate, type KernelFunctions} from './memory.ts';

const inputAt = 1024;
/** The vectors, each followed by the inverse of its norm. The cosines follow the last vector. */
const vectorsAt = inputAt + stride;

const addressOf = (place: number): number => vectorsAt + place * stride;

export class VectorIndex {
	readonly #memory = new WebAssembly.Memory({initial: 1, maximum: 65_536});
	readonly #functions: KernelFunctions;
	/** The vectors in memory. Not the list of the last search, in which the caller may write. */
	readonly #loaded: Float32Array[] = [];

	constructor(module: WebAssembly.Module) {
		this.#functions = instantiate(module, this.#memory);
	}

	/** Implements `Kernel.nearest`. */
	nearest(e: Float32Array, vectors: readonly Float32Array[], count: number): Neighbour[] {
		this.#load(vectors);
		const out = addressOf(vectors.length);
		this.#functions.cosines(inputAt, this.#write(e, inputAt), vectorsAt, vectors.length, out);
		return topK(new Float64Array(this.#memory.buffer, out, vectors.length), count);
	}

	/** Writes the vectors from the first one that is not in memory. */
	#load(vectors: readonly Float32Array[]): void {
		let place = 0;
		while (place < vectors.length && vectors[place] === this.#loaded[place]) {
			place++;
		}

		this.#loaded.length = place;
		const missing = addressOf(vectors.length) + vectors.length * 8 - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
		}

		for (; place < vectors.length; place++) {
			const at = addressOf(place);
			new DataView(this.#memory.buffer).setFloat64(at + rowBytes, this.#write(vectors[place]!, at), true);
			this.#loaded.push(vectors[place]!);
		}
	}

	/** @returns the inverse of the vector's norm; 0 for a zero vector */
	#write(vector: Float32Array, at: number): number {
		new Float32Array(this.#memory.buffer).set(checkWidth(vector), at / 4);
		const squares = this.#functions.squares(at);
		return squares === 0 ? 0 : 1 / Math.sqrt(squares);
	}
}
