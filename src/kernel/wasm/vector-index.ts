/** Vectors in a memory of their own, one behind the other, for searching among them. It stays as large as the longest list it held. */
import type {Neighbour} from '../kernel.ts';
import {topK} from '../top-k.ts';
import {checked, pageBytes, rowBytes, stride} from './memory.ts';
import {instantiate, type Flavour, type Functions} from './module.ts';

const inputAt = 1024;
/** Vectors, each with the inverse of its norm behind it, and after the last their cosines. */
const vectorsAt = inputAt + stride;

const addressOf = (place: number): number => vectorsAt + place * stride;

export class VectorIndex {
	readonly #memory = new WebAssembly.Memory({initial: 1, maximum: 65_536});
	readonly #functions: Functions;
	/** The list that lies here, as far as it does. */
	#list: readonly Float32Array[] = [];
	#length = 0;

	constructor(flavour: Flavour) {
		this.#functions = instantiate(flavour, this.#memory);
	}

	nearest(e: Float32Array, vectors: readonly Float32Array[], count: number): Neighbour[] {
		this.#layOut(vectors);
		const out = addressOf(vectors.length);
		this.#functions.cosines(inputAt, this.#write(e, inputAt), vectorsAt, vectors.length, out);
		return topK(new Float64Array(this.#memory.buffer, out, vectors.length), count);
	}

	/** Writes what does not lie in its place already: of a list that has grown, its new end. */
	#layOut(vectors: readonly Float32Array[]): void {
		const known = Math.min(this.#length, vectors.length);
		let place = this.#list === vectors ? known : 0;
		while (place < known && vectors[place] === this.#list[place]) {
			place++;
		}

		this.#list = vectors;
		this.#length = place;
		const missing = addressOf(vectors.length) + vectors.length * 8 - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
		}

		for (; place < vectors.length; place++) {
			const at = addressOf(place);
			new DataView(this.#memory.buffer).setFloat64(at + rowBytes, this.#write(vectors[place]!, at), true);
			this.#length = place + 1;
		}
	}

	/** @returns the inverse of the vector's norm; 0 of a zero vector */
	#write(vector: Float32Array, at: number): number {
		new Float32Array(this.#memory.buffer).set(checked(vector), at / 4);
		const squares = this.#functions.squares(at);
		return squares === 0 ? 0 : 1 / Math.sqrt(squares);
	}
}
