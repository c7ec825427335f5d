/**
 * The memory of one WebAssembly kernel: where things lie in it, and which rows lie there.
 *
 * Its size depends on the longest list of directions it was given, and on nothing else.
 */
import {dimensions, indexOf, width} from '../tensor/dimensions.ts';
import type {Rows} from '../tensor/state-tensor.ts';
import {instantiate, type Functions} from './wasm-module.ts';

/** A place for one row, the row that lies there, and its norm. */
export type Slot = {readonly at: number; row: Float32Array | null; norm: number};

/** Bytes from one row to the next: 4 KiB and a line of the cache, so that rows do not compete for the same places in it. */
export const stride = width * 4 + 64;

const pageBytes = 65_536;

const stateAt = 1024;
const spareAt = stateAt + 8 * stride;
const referenceAt = spareAt + stride;
const previousAt = referenceAt + 8 * stride;
export const inputAt = previousAt + stride;
/** For vectors that need not stay. */
export const passingAt = inputAt + stride;
/** For the few numbers that a function gives. */
export const scalarsAt = passingAt + stride;
/** For one row in float64. */
export const exactAt = scalarsAt + 128;
/** From here on: directions, and their values after them. */
export const directionsAt = exactAt + width * 8;

const thirdness = indexOf('thirdness');

const emptySlot = (at: number): Slot => ({at, row: null, norm: 0});

const emptySlots = (at: number): Slot[] => dimensions.map((_, d) => emptySlot(at + d * stride));

export class WasmMemory {
	readonly functions: Functions;
	/** The memory as numbers; other objects after it has grown. */
	floats!: Float32Array;
	doubles!: Float64Array;

	readonly #memory = new WebAssembly.Memory({initial: Math.ceil(directionsAt / pageBytes), maximum: 65_536});
	readonly #state = emptySlots(stateAt);
	readonly #reference = emptySlots(referenceAt);
	readonly #previous = emptySlot(previousAt);
	/** Where a cycle's new thirdness is made. It takes the place of the old one by a change of roles, not by a copy. */
	#spare = emptySlot(spareAt);
	#input: Float32Array | null = null;

	constructor() {
		this.functions = instantiate(this.#memory);
		this.#view();
	}

	/** The slots of a state, with its rows in them. */
	state(rows: Rows): readonly Slot[] {
		const slots = this.#state;
		const spare = this.#spare;
		if (rows[thirdness] === spare.row && rows[thirdness] !== slots[thirdness]!.row) {
			this.#spare = slots[thirdness]!;
			slots[thirdness] = spare;
		}

		return this.#fill(slots, rows);
	}

	/** The slots of the reference, with its rows in them. */
	reference(rows: Rows): readonly Slot[] {
		return this.#fill(this.#reference, rows);
	}

	/** The rows wherever they lie already, or else as a state. */
	either(rows: Rows): readonly Slot[] {
		return this.#reference.every(({row}, d) => row === rows[d]) ? this.#reference : this.state(rows);
	}

	/** A row of the state before this one, of which `current` is the slot now: mostly the same row, or the thirdness just replaced. */
	previous(row: Float32Array, current: Slot): Slot {
		if (current.row === row) {
			return current;
		}

		return this.#spare.row === row ? this.#spare : this.#place(row, this.#previous);
	}

	/** Puts an input at `inputAt`. */
	input(e: Float32Array): void {
		if (this.#input !== e) {
			this.#input = null;
			this.write(e, inputAt);
			this.#input = e;
		}
	}

	/** Lets `make` write a new thirdness to the address it is given; the row stays resident. */
	made(make: (at: number) => void): Float32Array {
		const spare = this.#spare;
		spare.row = null;
		make(spare.at);
		spare.norm = this.norm(spare.at);
		spare.row = this.floats.slice(spare.at / 4, spare.at / 4 + width);
		return spare.row;
	}

	norm(at: number): number {
		return Math.sqrt(this.functions.dot(at, at));
	}

	/** @throws {RangeError} for a vector of another size, which would leave what lay there before in use, or overwrite its neighbour. */
	write(vector: Float32Array, at: number): void {
		if (vector.length !== width) {
			throw new RangeError(`A kernel computes with vectors of ${width} floats, got ${vector.length}.`);
		}

		this.floats.set(vector, at / 4);
	}

	/** Grows, if need be, until so many bytes are there. */
	reserve(bytes: number): void {
		const missing = bytes - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
			this.#view();
		}
	}

	#fill(slots: readonly Slot[], rows: Rows): readonly Slot[] {
		for (let d = 0; d < 8; d++) {
			this.#place(rows[d]!, slots[d]!);
		}

		return slots;
	}

	#place(row: Float32Array, slot: Slot): Slot {
		if (slot.row !== row) {
			slot.row = null;
			this.write(row, slot.at);
			slot.norm = this.norm(slot.at);
			slot.row = row;
		}

		return slot;
	}

	#view(): void {
		this.floats = new Float32Array(this.#memory.buffer);
		this.doubles = new Float64Array(this.#memory.buffer);
	}
}
