/**
 * The WebAssembly kernel: the port over the functions of `assembly/`.
 *
 * Rows are immutable, so a row in memory is recognised by identity and not copied again. In a run of cycles only `e` is copied in, and
 * only the new thirdness is copied out. Cached values (norms, distances from the reference) depend only on their rows, so results do
 * not depend on earlier calls.
 *
 * A cycle passes over its vectors twice. `compare` computes all products of the input and the state, from which the strength of the
 * pull and the length of the new row follow. `move` writes that row and sums its drift in the same pass.
 */
import {dimensions, secondness, thirdness, valeurs, width} from '../dimensions.ts';
import type {Rows} from '../state-tensor.ts';
import {angularDistance, cosine} from '../dot.ts';
import type {Adjustment, Comparison, DirectionMatrix, Distances, Kernel, KernelName, Move, Neighbour, Pull} from '../kernel.ts';
import {layOutDirections, secondStateOffset, groupValueBytes, type DirectionGroups} from './directions.ts';
import {directionsAt, exactAt, inputAt, scratchAt, stride, sumsAt, WasmMemory, type Slot, type KernelFunctions} from './memory.ts';
import {WasmProducts} from './products.ts';
import {VectorIndex} from './vector-index.ts';

type CachedDistance = {row: Float32Array | null; other: Float32Array | null; distance: number};

const emptyCache = (): CachedDistance => ({row: null, other: null, distance: 0});

/** A kernel that computes with a compiled module. */
export class WasmKernel implements Kernel {
	readonly name: KernelName = 'wasm';
	readonly #module: WebAssembly.Module;
	readonly #memory: WasmMemory;
	readonly #functions: KernelFunctions;
	readonly #products: WasmProducts;
	readonly #distances = dimensions.map(emptyCache);
	/** The squared step to the last new thirdness. */
	readonly #step = emptyCache();
	#directions: {matrix: DirectionMatrix; groups: DirectionGroups} | null = null;
	#index: VectorIndex | null = null;

	constructor(module: WebAssembly.Module) {
		this.#module = module;
		this.#memory = new WasmMemory(module);
		this.#functions = this.#memory.functions;
		this.#products = new WasmProducts(this.#memory);
	}

	compare(state: Rows, e: Float32Array): Comparison {
		const slots = this.#products.compute(state, e);
		const {norm} = this.#products;
		const dots = new Float64Array(8);
		const cosines = new Float64Array(8);
		for (let d = 0; d < 8; d++) {
			dots[d] = this.#products.of(d);
			cosines[d] = cosine(dots[d]!, norm, slots[d]!.norm);
		}

		return {norm, dots, cosines};
	}

	move(state: Rows, e: Float32Array, pull: Pull, limit: number): Move {
		const slots = this.#products.compute(state, e);
		const s = slots[secondness]!;
		const t = slots[thirdness]!;
		const v = slots[valeurs]!;
		const {squares, dotThirdness} = this.#products.strength(slots, pull);
		const rawMagnitude = Math.sqrt(squares);
		const damping = rawMagnitude > limit ? limit / rawMagnitude : 1;

		// normalise(t + damping · raw); its length follows from products: ‖t‖² + 2 damping t·raw + damping² ‖raw‖².
		const length = Math.sqrt(Math.max(t.norm ** 2 + 2 * damping * dotThirdness + damping ** 2 * squares, 0));
		const inverse = length > 0 ? 1 / length : 0;
		const scale = damping * inverse;
		const reference = this.#memory.referenceThirdness;
		const made = this.#memory.spare();
		this.#functions.move(
			inputAt, s.at, t.at, v.at, reference.at, scale * (pull.secondness + pull.thirdness + pull.valeurs), -scale * pull.secondness,
			inverse - 1 - scale * pull.thirdness, -scale * pull.valeurs, made.at, sumsAt,
		);
		made.norm = Math.sqrt(this.#memory.sum(0));
		const row = this.#memory.takeRow(made);
		store(this.#distances[thirdness]!, row, reference.row, angularDistance(this.#memory.sum(1), made.norm, reference.norm));
		store(this.#step, row, t.row, this.#memory.sum(2));
		return {
			rawMagnitude,
			deltaMagnitude: Math.min(rawMagnitude, limit),
			gaps: {
				secondness: this.#products.gap(secondness, s), thirdness: this.#products.gap(thirdness, t),
				valeurs: this.#products.gap(valeurs, v),
			},
			thirdness: row,
		};
	}

	drift(state: Rows, reference: Rows, previous?: Rows): Distances {
		const slots = this.#memory.state(state);
		const referenceSlots = this.#memory.reference(reference);
		const distances = new Float64Array(8);
		let step = 0;
		let size = 0;
		for (let d = 0; d < 8; d++) {
			const slot = slots[d]!;
			distances[d] = this.#distance(d, slot, referenceSlots[d]!);
			if (previous) {
				const before = this.#memory.previousRow(previous[d]!, slot);
				step += before === slot ? 0 : this.#squaredStep(slot, before);
				size += before.norm ** 2;
			}
		}

		return {distances, perCycle: size === 0 ? 0 : Math.sqrt(step / size)};
	}

	project(states: readonly Rows[], matrix: DirectionMatrix): number[][] {
		if (this.#directions?.matrix !== matrix) {
			this.#directions = null;
			this.#directions = {matrix, groups: layOutDirections(matrix, this.#memory)};
		}

		const {groups} = this.#directions;
		const values: number[][] = [];
		for (let i = 0; i < states.length; i += 2) {
			const other = states[i + 1];
			const x = this.#memory.state(states[i]!);
			const y = other ? this.#memory.reference(other) : x;
			this.#project(x, y, groups);
			values.push(this.#values(groups, 0), ...other ? [this.#values(groups, secondStateOffset)] : []);
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
			this.#memory.write(vector, scratchAt);
			return this.#functions.dot(inputAt, scratchAt);
		});
	}

	cosines(e: Float32Array, vectors: readonly Float32Array[]): Float64Array {
		this.#memory.input(e);
		const norm = this.#memory.norm(inputAt);
		return Float64Array.from(vectors, vector => {
			this.#memory.write(vector, scratchAt);
			return cosine(this.#functions.dot(inputAt, scratchAt), norm, this.#memory.norm(scratchAt));
		});
	}

	nearest(e: Float32Array, vectors: readonly Float32Array[], count: number): Neighbour[] {
		this.#index ??= new VectorIndex(this.#module);
		return this.#index.nearest(e, vectors, count);
	}

	adjust(row: Float32Array, adjustments: readonly Adjustment[]): Float32Array {
		const exact = this.#memory.doubles.subarray(exactAt / 8, exactAt / 8 + width);
		exact.set(row);
		for (const {direction, target} of adjustments) {
			this.#memory.write(direction, scratchAt);
			this.#functions.adjust(exactAt, scratchAt, target);
		}

		const norm = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0));
		return Float32Array.from(exact, value => norm === 0 ? 0 : value / norm);
	}

	/** The angular distance of a row from the reference's row, cached until either is replaced. */
	#distance(d: number, {at, row, norm}: Slot, reference: Slot): number {
		const known = this.#distances[d]!;
		if (known.row !== row || known.other !== reference.row) {
			store(known, row, reference.row, angularDistance(this.#functions.squaredGap(at, reference.at), norm, reference.norm));
		}

		return known.distance;
	}

	#squaredStep({at, row}: Slot, before: Slot): number {
		const known = this.#step;
		return known.row === row && known.other === before.row ? known.distance : this.#functions.squaredGap(at, before.at);
	}

	#project(x: readonly Slot[], y: readonly Slot[], {rows, valuesAt, size}: DirectionGroups): void {
		for (let group = 0; group < rows.length; group++) {
			const row = rows[group]!;
			this.#functions.project(x[row]!.at, y[row]!.at, directionsAt + group * 4 * stride, size, valuesAt + group * groupValueBytes);
		}
	}

	/** The values of the last projection, in the directions' order. */
	#values({places, valuesAt}: DirectionGroups, offset: number): number[] {
		const {doubles} = this.#memory;
		const first = valuesAt / 8 + offset;
		return places.map(place => doubles[first + place]!);
	}
}

const store = (cache: CachedDistance, row: Float32Array | null, other: Float32Array | null, distance: number): void => {
	cache.row = row;
	cache.other = other;
	cache.distance = distance;
};
