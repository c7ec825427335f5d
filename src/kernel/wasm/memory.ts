/**
 * The memory of one WebAssembly kernel: where things lie in it, and which rows lie there.
 *
 * Its size depends on the longest list of directions it was given, and on nothing else.
 */
import {dimensions, indexOf, width} from '../../tensor/dimensions.ts';
import type {Rows} from '../../tensor/state-tensor.ts';
import {rowBlocks} from '../row-blocks.ts';
import {instantiate, type Flavour, type Functions} from './module.ts';

/** A place for one row, the row that lies there, and its norm. */
export type Slot = {readonly at: number; row: Float32Array | null; norm: number};

export const rowBytes = width * 4;

/** Bytes from one row to the next: 4 KiB and a line of the cache, so that rows do not compete for the same places in it. */
export const stride = rowBytes + 64;

export const pageBytes = 65_536;

export const stateAt = 1024;
const spareAt = stateAt + 8 * stride;
const referenceAt = spareAt + stride;
const previousAt = referenceAt + 8 * stride;
export const inputAt = previousAt + stride;
/** For vectors that need not stay. */
export const scratchAt = inputAt + stride;
/** For the products of an input and a state. */
export const productsAt = scratchAt + stride;
/** For the few other sums that a function gives. */
export const sumsAt = productsAt + 128;
/** For one row in float64. */
export const exactAt = sumsAt + 64;
/** From here on: directions, and their values after them. */
export const directionsAt = exactAt + width * 8;

const thirdness = indexOf('thirdness');

const emptySlot = (at: number): Slot => ({at, row: null, norm: 0});

const emptySlots = (at: number): Slot[] => dimensions.map((_, d) => emptySlot(at + d * stride));

/** @throws {RangeError} for a vector of another size, which would leave what lay there before in use, or overwrite its neighbour. */
export const checked = (vector: Float32Array): Float32Array => {
	if (vector.length !== width) {
		throw new RangeError(`A kernel computes with vectors of ${width} floats, got ${vector.length}.`);
	}

	return vector;
};

export class WasmMemory {
	readonly functions: Functions;
	/** The memory as numbers; other objects after it has grown. */
	floats!: Float32Array;
	doubles!: Float64Array;
	/** Grows whenever another input or another row of a state lies there, so that products know whether they still hold. */
	changes = 0;

	readonly #memory = new WebAssembly.Memory({initial: Math.ceil(directionsAt / pageBytes), maximum: 65_536});
	readonly #state = emptySlots(stateAt);
	readonly #reference = emptySlots(referenceAt);
	readonly #previous = emptySlot(previousAt);
	/** Where a cycle's new thirdness is made. It takes the place of the old one by a change of roles, not by a copy. */
	#spare = emptySlot(spareAt);
	#input: Float32Array | null = null;
	readonly #newRow = rowBlocks();

	constructor(flavour: Flavour) {
		this.functions = instantiate(flavour, this.#memory);
		this.#view();
	}

	/** The slots of a state, with its rows in them. The first lies at `stateAt`, the others behind it, thirdness there or elsewhere. */
	state(rows: Rows): readonly Slot[] {
		const slots = this.#state;
		const spare = this.#spare;
		if (rows[thirdness] === spare.row && rows[thirdness] !== slots[thirdness]!.row) {
			this.#spare = slots[thirdness]!;
			slots[thirdness] = spare;
			this.changes++;
		}

		for (let d = 0; d < 8; d++) {
			const row = rows[d]!;
			const slot = slots[d]!;
			if (slot.row !== row) {
				this.changes++;
				this.#place(row, slot);
			}
		}

		return slots;
	}

	/** The slots of the reference, with its rows in them. */
	reference(rows: Rows): readonly Slot[] {
		for (let d = 0; d < 8; d++) {
			this.#place(rows[d]!, this.#reference[d]!);
		}

		return this.#reference;
	}

	/** The slot of the reference's thirdness, whatever lies there. */
	get referenceThirdness(): Slot {
		return this.#reference[thirdness]!;
	}

	/** The rows wherever they lie already, or else as a state. */
	either(rows: Rows): readonly Slot[] {
		return this.#reference.every(({row}, d) => row === rows[d]) ? this.#reference : this.state(rows);
	}

	/** The slot of a row of the state before this one, of which `current` is the slot now: mostly the same row, or the thirdness just replaced. */
	previous(row: Float32Array, current: Slot): Slot {
		if (current.row === row) {
			return current;
		}

		if (this.#spare.row === row) {
			return this.#spare;
		}

		this.#place(row, this.#previous);
		return this.#previous;
	}

	/** Puts an input at `inputAt`. */
	input(e: Float32Array): void {
		if (this.#input !== e) {
			this.#input = null;
			this.changes++;
			this.write(e, inputAt);
			this.#input = e;
		}
	}

	/** Where to make a new thirdness. */
	spare(): Slot {
		this.#spare.row = null;
		return this.#spare;
	}

	/** A copy of the row that was made in a slot; it is taken to lie there from now on. */
	keep(slot: Slot): Float32Array {
		const row = this.#newRow();
		row.set(this.floats.subarray(slot.at / 4, slot.at / 4 + width));
		slot.row = row;
		return row;
	}

	/** A sum that the function just called has left. */
	sum(index: number): number {
		return this.doubles[sumsAt / 8 + index]!;
	}

	norm(at: number): number {
		return Math.sqrt(this.functions.squares(at));
	}

	/** @throws {RangeError} for a vector of another size. */
	write(vector: Float32Array, at: number): void {
		this.floats.set(checked(vector), at / 4);
	}

	/** Grows, if need be, until so many bytes are there. */
	reserve(bytes: number): void {
		const missing = bytes - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
			this.#view();
		}
	}

	/** Puts a row into a slot, unless it lies there. */
	#place(row: Float32Array, slot: Slot): void {
		if (slot.row !== row) {
			slot.row = null;
			this.write(row, slot.at);
			slot.norm = this.norm(slot.at);
			slot.row = row;
		}
	}

	#view(): void {
		this.floats = new Float32Array(this.#memory.buffer);
		this.doubles = new Float64Array(this.#memory.buffer);
	}
}
