/**
 * The WebAssembly kernel: the port over the functions of `assembly/`.
 *
 * Rows stay where they were put: a row is immutable, so one that lies in memory already is
 * recognised by identity and not copied again. In a run of cycles only `e` goes in and only the
 * new thirdness comes out. What is remembered of a row (its norm, its distance to the
 * reference) is a function of that row alone, so results do not depend on what came before.
 */
import {dimensions, indexOf, width} from '../tensor/dimensions.ts';
import type {Rows} from '../tensor/state-tensor.ts';
import {angularDistance, cosine} from './cosine.ts';
import type {Adjustment, Comparison, DirectionMatrix, Drift, Kernel, Move, Pull} from './kernel.ts';
import {layOutDirections, type Groups} from './wasm-directions.ts';
import {directionsAt, exactAt, inputAt, passingAt, scalarsAt, stride, WasmMemory, type Slot} from './wasm-memory.ts';

const secondness = indexOf('secondness');
const thirdness = indexOf('thirdness');
const valeurs = indexOf('valeurs');

/** A distance, and the rows that it was measured between. */
type Known = {row: Float32Array | null; reference: Float32Array | null; distance: number};

/** @throws when WebAssembly or its SIMD is missing. */
export const createWasmKernel = (): Kernel => new WasmKernel();

class WasmKernel implements Kernel {
	readonly name = 'wasm';
	readonly #memory = new WasmMemory();
	readonly #functions = this.#memory.functions;
	readonly #distances = dimensions.map((): Known => ({row: null, reference: null, distance: 0}));
	#directions: {matrix: DirectionMatrix; groups: Groups} | null = null;

	compare(state: Rows, e: Float32Array): Comparison {
		const slots = this.#memory.state(state);
		this.#memory.input(e);
		this.#functions.dots(slots[0]!.at, slots[thirdness]!.at, inputAt, scalarsAt);
		const norm = Math.sqrt(this.#scalar(8));
		const dots = new Float64Array(8);
		const cosines = new Float64Array(8);
		for (let d = 0; d < 8; d++) {
			dots[d] = this.#scalar(d);
			cosines[d] = cosine(dots[d]!, norm, slots[d]!.norm);
		}

		return {norm, dots, cosines};
	}

	move(state: Rows, e: Float32Array, pull: Pull, limit: number): Move {
		const slots = this.#memory.state(state);
		this.#memory.input(e);
		const [s, t, v] = [slots[secondness]!, slots[thirdness]!, slots[valeurs]!];
		const row = this.#memory.made(at => {
			this.#functions.move(inputAt, s.at, t.at, v.at, pull.secondness, pull.thirdness, pull.valeurs, t.norm ** 2, limit, at, scalarsAt);
		});
		const rawMagnitude = this.#scalar(0);
		return {
			rawMagnitude,
			deltaMagnitude: Math.min(rawMagnitude, limit),
			gaps: {secondness: Math.sqrt(this.#scalar(1)), thirdness: Math.sqrt(this.#scalar(2)), valeurs: Math.sqrt(this.#scalar(3))},
			thirdness: row,
		};
	}

	drift(state: Rows, reference: Rows, previous?: Rows): Drift {
		const slots = this.#memory.state(state);
		const referenceSlots = this.#memory.reference(reference);
		const distances = new Float64Array(8);
		let step = 0;
		let size = 0;
		for (let d = 0; d < 8; d++) {
			const slot = slots[d]!;
			distances[d] = this.#distance(d, slot, referenceSlots[d]!);
			if (previous) {
				const before = this.#memory.previous(previous[d]!, slot);
				step += before === slot ? 0 : this.#functions.squaredGap(slot.at, before.at);
				size += before.norm ** 2;
			}
		}

		return {distances, perCycle: size === 0 ? 0 : Math.sqrt(step / size)};
	}

	project(state: Rows, matrix: DirectionMatrix): Float64Array {
		if (this.#directions?.matrix !== matrix) {
			this.#directions = null;
			this.#directions = {matrix, groups: layOutDirections(matrix, this.#memory)};
		}

		const {rows, directions, valuesAt} = this.#directions.groups;
		const slots = this.#memory.either(state);
		for (let group = 0; group < rows.length; group++) {
			this.#functions.project(slots[rows[group]!]!.at, directionsAt + group * 4 * stride, valuesAt + group * 32);
		}

		const values = new Float64Array(matrix.vectors.length);
		for (let place = 0; place < directions.length; place++) {
			values[directions[place]!] = this.#memory.doubles[valuesAt / 8 + place]!;
		}

		return values;
	}

	similarity(state: Rows, reference: Rows): number {
		const slots = this.#memory.state(state);
		const referenceSlots = this.#memory.reference(reference);
		return slots.reduce((sum, {at}, d) => sum + this.#functions.dot(at, referenceSlots[d]!.at), 0) / 8;
	}

	dots(e: Float32Array, vectors: readonly Float32Array[]): Float64Array {
		this.#memory.input(e);
		return Float64Array.from(vectors, vector => {
			this.#memory.write(vector, passingAt);
			return this.#functions.dot(inputAt, passingAt);
		});
	}

	cosines(e: Float32Array, vectors: readonly Float32Array[]): Float64Array {
		this.#memory.input(e);
		const norm = this.#memory.norm(inputAt);
		return Float64Array.from(vectors, vector => {
			this.#memory.write(vector, passingAt);
			return cosine(this.#functions.dot(inputAt, passingAt), norm, this.#memory.norm(passingAt));
		});
	}

	adjust(row: Float32Array, adjustments: readonly Adjustment[]): Float32Array {
		const exact = this.#memory.doubles.subarray(exactAt / 8, exactAt / 8 + width);
		exact.set(row);
		for (const {direction, target} of adjustments) {
			this.#memory.write(direction, passingAt);
			this.#functions.adjust(exactAt, passingAt, target);
		}

		const norm = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0));
		return Float32Array.from(exact, value => norm === 0 ? 0 : value / norm);
	}

	/** A number that the function just called has left. */
	#scalar(index: number): number {
		return this.#memory.doubles[scalarsAt / 8 + index]!;
	}

	/** The distance of a row from the reference's, measured when either is another than last time. */
	#distance(d: number, {at, row, norm}: Slot, reference: Slot): number {
		const known = this.#distances[d]!;
		if (known.row !== row || known.reference !== reference.row) {
			known.distance = angularDistance(this.#functions.squaredGap(at, reference.at), norm, reference.norm);
			known.row = row;
			known.reference = reference.row;
		}

		return known.distance;
	}
}
