/**
 * The memory of one WebAssembly kernel: its layout, and a cache of the rows in it.
 *
 * Its size depends only on the longest list of directions.
 */
import {createRowAllocator, dimensions, thirdness, width} from '../dimensions.ts';
import type {Rows} from '../state-tensor.ts';
import {WasmModule} from '../../platform/wasm-module.ts';
import {wasmBinary} from './binary.ts';

/** The exports of `assembly/index.ts`. Addresses are in bytes, and results at `out` are float64. */
export type KernelFunctions = {
	compare(state: number, thirdness: number, e: number, out: number): void;
	pull(e: number, s: number, t: number, v: number, cs: number, ct: number, cv: number, out: number): void;
	move(
		e: number, s: number, t: number, v: number, r: number, ofInput: number, ofSecond: number, ofThird: number, ofValues: number,
		row: number, out: number,
	): void;
	project(x: number, y: number, v: number, size: number, out: number): void;
	adjust(v: number, g: number, target: number): void;
	cosines(e: number, inverse: number, v: number, count: number, out: number): void;
	dot(a: number, b: number): number;
	squares(a: number): number;
	squaredGap(a: number, b: number): number;
};

/** Compiled on first use. */
export const kernelModule: WasmModule<KernelFunctions> = new WasmModule(wasmBinary);

/** Creates an instance that uses this memory. */
export const instantiate = (module: WebAssembly.Module, memory: WebAssembly.Memory): KernelFunctions =>
	new WebAssembly.Instance(module, {env: {memory}}).exports as unknown as KernelFunctions;

/** The place of one row in memory: its address, the row that is there, and that row's norm. */
export type Slot = {readonly at: number; row: Float32Array | null; norm: number};

export const rowBytes = width * 4;

/** Bytes from one row to the next: 4 KiB and a cache line, so that rows do not map to the same cache sets. */
export const stride = rowBytes + 64;

export const pageBytes = 65_536;

export const stateAt = 1024;
const spareAt = stateAt + 8 * stride;
const referenceAt = spareAt + stride;
const previousAt = referenceAt + 8 * stride;
export const inputAt = previousAt + stride;
/** Scratch space for one vector. */
export const scratchAt = inputAt + stride;
/** The products of an input and a state. */
export const productsAt = scratchAt + stride;
/** Other sums that functions return. */
export const sumsAt = productsAt + 128;
/** One row in float64. */
export const exactAt = sumsAt + 64;
/** The directions, followed by their values. */
export const directionsAt = exactAt + width * 8;

const emptySlot = (at: number): Slot => ({at, row: null, norm: 0});

const emptySlots = (at: number): Slot[] => dimensions.map((_, d) => emptySlot(at + d * stride));

/** @throws {RangeError} for a vector of another width: a shorter one would leave old values, and a longer one overwrite the next */
export const checkWidth = (vector: Float32Array): Float32Array => {
	if (vector.length !== width) {
		throw new RangeError(`A kernel computes with vectors of ${width} floats, got ${vector.length}.`);
	}

	return vector;
};

export class WasmMemory {
	readonly functions: KernelFunctions;
	/** Views of the memory; replaced when it grows. */
	floats!: Float32Array;
	doubles!: Float64Array;
	/** Increases whenever the input or a row of the state is replaced: products of an older version are stale. */
	version = 0;

	readonly #memory = new WebAssembly.Memory({initial: Math.ceil(directionsAt / pageBytes), maximum: 65_536});
	readonly #state = emptySlots(stateAt);
	readonly #reference = emptySlots(referenceAt);
	readonly #previous = emptySlot(previousAt);
	/** A cycle writes its new thirdness here. The slot then swaps roles with the old thirdness, without a copy. */
	#spare = emptySlot(spareAt);
	#input: Float32Array | null = null;
	readonly #newRow = createRowAllocator();

	constructor(module: WebAssembly.Module) {
		this.functions = instantiate(module, this.#memory);
		this.#view();
	}

	/** Puts a state's rows into slots, the first at `stateAt` and the others after it; thirdness may be in the spare slot. */
	state(rows: Rows): readonly Slot[] {
		const slots = this.#state;
		const spare = this.#spare;
		if (rows[thirdness] === spare.row && rows[thirdness] !== slots[thirdness]!.row) {
			this.#spare = slots[thirdness]!;
			slots[thirdness] = spare;
			this.version++;
		}

		for (let d = 0; d < 8; d++) {
			const row = rows[d]!;
			const slot = slots[d]!;
			if (slot.row !== row) {
				this.version++;
				this.#place(row, slot);
			}
		}

		return slots;
	}

	/** Puts the reference's rows into slots. */
	reference(rows: Rows): readonly Slot[] {
		for (let d = 0; d < 8; d++) {
			this.#place(rows[d]!, this.#reference[d]!);
		}

		return this.#reference;
	}

	/** The slot of the reference's thirdness; it may be empty. */
	get referenceThirdness(): Slot {
		return this.#reference[thirdness]!;
	}

	/** Puts a row of the previous state into a slot. Usually it is the row in `current`, or the thirdness that was just replaced. */
	previousRow(row: Float32Array, current: Slot): Slot {
		if (current.row === row) {
			return current;
		}

		if (this.#spare.row === row) {
			return this.#spare;
		}

		this.#place(row, this.#previous);
		return this.#previous;
	}

	/** Puts an input at `inputAt`, unless it is already there. */
	input(e: Float32Array): void {
		if (this.#input !== e) {
			this.#input = null;
			this.version++;
			this.write(e, inputAt);
			this.#input = e;
		}
	}

	/** Empties the slot for a new thirdness. */
	spare(): Slot {
		this.#spare.row = null;
		return this.#spare;
	}

	/** Copies out the row that a function wrote into a slot, and records that it is there. */
	takeRow(slot: Slot): Float32Array {
		const row = this.#newRow();
		row.set(this.floats.subarray(slot.at / 4, slot.at / 4 + width));
		slot.row = row;
		return row;
	}

	/** A sum that the last function call returned. */
	sum(index: number): number {
		return this.doubles[sumsAt / 8 + index]!;
	}

	norm(at: number): number {
		return Math.sqrt(this.functions.squares(at));
	}

	/** @throws {RangeError} for a vector of another width */
	write(vector: Float32Array, at: number): void {
		this.floats.set(checkWidth(vector), at / 4);
	}

	/** Grows the memory to at least this many bytes. */
	reserve(bytes: number): void {
		const missing = bytes - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
			this.#view();
		}
	}

	/** Puts a row into a slot, unless it is already there. */
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
