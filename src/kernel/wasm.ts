/**
 * The WebAssembly kernel: the port over the functions of `assembly/`, and the layout of the
 * memory that they work on.
 *
 * Rows stay where they were put: a row is immutable, so one that lies in its slot already is
 * recognised by identity and not copied again. In a run of cycles only `e` goes in and only the
 * new thirdness comes out. What is remembered of a row (its norm, its distance to the
 * reference) is a function of that row alone, so results do not depend on what came before.
 */
import {dimensions, indexOf, width} from '../tensor/dimensions.ts';
import type {Rows} from '../tensor/state-tensor.ts';
import type {Adjustment, DirectionMatrix, Kernel, Pull} from './kernel.ts';
import {cosine} from './cosine.ts';
import {wasmBinary} from './wasm-binary.ts';

/** What `assembly/index.ts` exports; addresses and counts are in bytes and items. */
type Functions = {
	dots(state: number, e: number, out: number): void;
	dot(a: number, b: number): number;
	squaredGap(a: number, b: number): number;
	move(e: number, s: number, t: number, v: number, cs: number, ct: number, cv: number, squares: number, limit: number, row: number, out: number): void;
	project(state: number, directions: number, rows: number, count: number, out: number): void;
	adjust(v: number, g: number, target: number): void;
};

const rowBytes = width * 4;
const pageBytes = 65_536;

// Rows lie 4 KiB apart, so the same parts of all of them compete for the same sets of the cache:
// the reference and the input are shifted against the state.
const stateAt = 1024;
const referenceAt = stateAt + 8 * rowBytes + 1024;
const inputAt = referenceAt + 8 * rowBytes + 512;
const scratchAt = inputAt + rowBytes + 256;
const movedAt = scratchAt + rowBytes + 256;
const scalarsAt = movedAt + rowBytes + 256;
const exactAt = scalarsAt + 256;
const directionsAt = exactAt + width * 8;

const secondness = indexOf('secondness');
const thirdness = indexOf('thirdness');
const valeurs = indexOf('valeurs');

/** Eight slots of memory, and which rows lie in them. */
type Slots = {at: number; rows: Array<Float32Array | null>; squares: Float64Array};

/** Compiled once; every kernel is an instance with its own memory. */
let compiled: WebAssembly.Module | undefined;

const compile = (): WebAssembly.Module =>
	compiled ??= new WebAssembly.Module(Uint8Array.from(atob(wasmBinary), letter => letter.codePointAt(0)!));

/** @throws when WebAssembly or its SIMD is missing. */
export const createWasmKernel = (): Kernel => new WasmKernel();

class WasmKernel implements Kernel {
	readonly name = 'wasm';
	readonly #memory = new WebAssembly.Memory({initial: Math.ceil(directionsAt / pageBytes), maximum: 65_536});
	readonly #functions: Functions;
	readonly #state: Slots = {at: stateAt, rows: dimensions.map(() => null), squares: new Float64Array(8)};
	readonly #reference: Slots = {at: referenceAt, rows: dimensions.map(() => null), squares: new Float64Array(8)};
	/** Distances of the rows that they were measured between. */
	readonly #distances = dimensions.map(() => ({row: null as Float32Array | null, reference: null as Float32Array | null, distance: 0}));
	#directions: DirectionMatrix | null = null;
	#floats!: Float32Array;
	#doubles!: Float64Array;

	constructor() {
		const {exports} = new WebAssembly.Instance(compile(), {env: {memory: this.#memory}});
		this.#functions = exports as unknown as Functions;
		this.#view();
	}

	compare(state: Rows, e: Float32Array) {
		this.#place(state, this.#state);
		this.#put(e, inputAt);
		this.#functions.dots(stateAt, inputAt, scalarsAt);
		const norm = Math.sqrt(this.#functions.dot(inputAt, inputAt));
		const dots = this.#doubles.slice(scalarsAt / 8, scalarsAt / 8 + 8);
		return {norm, dots, cosines: dots.map((product, d) => cosine(product, norm, Math.sqrt(this.#state.squares[d]!)))};
	}

	move(state: Rows, e: Float32Array, pull: Pull, limit: number) {
		this.#place(state, this.#state);
		this.#put(e, inputAt);
		this.#functions.move(
			inputAt,
			slot(stateAt, secondness),
			slot(stateAt, thirdness),
			slot(stateAt, valeurs),
			pull.secondness,
			pull.thirdness,
			pull.valeurs,
			this.#state.squares[thirdness]!,
			limit,
			movedAt,
			scalarsAt,
		);
		const [rawMagnitude = 0, s = 0, t = 0, v = 0] = this.#doubles.subarray(scalarsAt / 8, scalarsAt / 8 + 4);
		return {
			rawMagnitude,
			deltaMagnitude: Math.min(rawMagnitude, limit),
			gaps: {secondness: Math.sqrt(s), thirdness: Math.sqrt(t), valeurs: Math.sqrt(v)},
			thirdness: this.#floats.slice(movedAt / 4, movedAt / 4 + width),
		};
	}

	drift(state: Rows, reference: Rows, previous?: Rows) {
		this.#place(state, this.#state);
		this.#place(reference, this.#reference);
		const distances = Float64Array.from(dimensions, (_, d) => this.#distance(d));
		let step = 0;
		let size = 0;
		for (const [d, row] of (previous ?? []).entries()) {
			if (row === state[d]) {
				size += this.#state.squares[d]!;
				continue;
			}

			this.#put(row, scratchAt);
			step += this.#functions.squaredGap(slot(stateAt, d), scratchAt);
			size += this.#functions.dot(scratchAt, scratchAt);
		}

		return {distances, perCycle: size === 0 ? 0 : Math.sqrt(step / size)};
	}

	project(state: Rows, directions: DirectionMatrix) {
		const count = directions.vectors.length;
		const rowsAt = directionsAt + count * rowBytes;
		const valuesAt = rowsAt + Math.ceil(count / 8) * 8;
		if (this.#directions !== directions) {
			this.#reserve(valuesAt + count * 8);
			for (const [i, vector] of directions.vectors.entries()) {
				this.#put(vector, slot(directionsAt, i));
			}

			new Uint8Array(this.#memory.buffer).set(directions.rows, rowsAt);
			this.#directions = directions;
		}

		this.#place(state, this.#state);
		this.#functions.project(stateAt, directionsAt, rowsAt, count, valuesAt);
		return this.#doubles.slice(valuesAt / 8, valuesAt / 8 + count);
	}

	similarity(state: Rows, reference: Rows) {
		this.#place(state, this.#state);
		this.#place(reference, this.#reference);
		return dimensions.reduce((sum, _, d) => sum + this.#functions.dot(slot(stateAt, d), slot(referenceAt, d)), 0) / dimensions.length;
	}

	dots(e: Float32Array, vectors: readonly Float32Array[]) {
		this.#put(e, inputAt);
		return Float64Array.from(vectors, vector => {
			this.#put(vector, scratchAt);
			return this.#functions.dot(inputAt, scratchAt);
		});
	}

	cosines(e: Float32Array, vectors: readonly Float32Array[]) {
		const dots = this.dots(e, vectors);
		const norm = Math.sqrt(this.#functions.dot(inputAt, inputAt));
		return dots.map((product, i) => {
			this.#put(vectors[i]!, scratchAt);
			return cosine(product, norm, Math.sqrt(this.#functions.dot(scratchAt, scratchAt)));
		});
	}

	adjust(row: Float32Array, adjustments: readonly Adjustment[]) {
		this.#doubles.set(row, exactAt / 8);
		for (const {direction, target} of adjustments) {
			this.#put(direction, scratchAt);
			this.#functions.adjust(exactAt, scratchAt, target);
		}

		const adjusted = this.#doubles.subarray(exactAt / 8, exactAt / 8 + width);
		const norm = Math.sqrt(adjusted.reduce((sum, value) => sum + value * value, 0));
		return Float32Array.from(adjusted, value => norm === 0 ? 0 : value / norm);
	}

	/** 1 − x·r/(‖x‖‖r‖), by the difference, which keeps small distances: 2‖x‖‖r‖ times it is ‖x − r‖² − (‖x‖ − ‖r‖)². */
	#distance(d: number): number {
		const known = this.#distances[d]!;
		const row = this.#state.rows[d]!;
		const reference = this.#reference.rows[d]!;
		if (known.row !== row || known.reference !== reference) {
			const a = Math.sqrt(this.#state.squares[d]!);
			const b = Math.sqrt(this.#reference.squares[d]!);
			const distance = a === 0 || b === 0
				? 1
				: (this.#functions.squaredGap(slot(stateAt, d), slot(referenceAt, d)) - (a - b) ** 2) / (2 * a * b);
			this.#distances[d] = {row, reference, distance};
		}

		return this.#distances[d]!.distance;
	}

	/** Copies the rows that do not lie in their slots yet. */
	#place(rows: Rows, slots: Slots): void {
		for (let d = 0; d < rows.length; d++) {
			const row = rows[d]!;
			if (slots.rows[d] !== row) {
				const at = slot(slots.at, d);
				this.#put(row, at);
				slots.rows[d] = row;
				slots.squares[d] = this.#functions.dot(at, at);
			}
		}
	}

	#put(vector: Float32Array, at: number): void {
		this.#floats.set(vector, at / 4);
	}

	#reserve(bytes: number): void {
		const missing = bytes - this.#memory.buffer.byteLength;
		if (missing > 0) {
			this.#memory.grow(Math.ceil(missing / pageBytes));
			this.#view();
		}
	}

	/** Views are of no use any more after the memory has grown. */
	#view(): void {
		this.#floats = new Float32Array(this.#memory.buffer);
		this.#doubles = new Float64Array(this.#memory.buffer);
	}
}

const slot = (at: number, index: number): number => at + index * rowBytes;
