/**
 * The products of an input and a state, computed in one pass. The length of a pull and the Euclidean distance to a row follow from
 * them, or are computed from the vectors if cancellation would lose their digits.
 */
import {secondness, thirdness, valeurs} from '../dimensions.ts';
import type {Rows} from '../state-tensor.ts';
import type {Pull} from '../kernel.ts';
import {inputAt, productsAt, stateAt, sumsAt, type Slot, type WasmMemory} from './memory.ts';

/** The indices of the products that `assembly/compare.ts` writes after those with the eight rows. */
const inputInput = 8;
const thirdnessSecondness = 9;
const thirdnessValeurs = 10;

/** ‖raw‖² and X_thirdness·raw of raw = Σ c_k (e − X_k). */
type Strength = {squares: number; dotThirdness: number};

/**
 * Whether a squared length computed from products is accurate enough. Its error is about 1e-7 times the square of `parts`, the sum
 * of the lengths involved. Above this limit the relative error of the length is at most 2e-6.
 */
const isAccurate = (squares: number, parts: number): boolean => squares >= (parts / 4) ** 2;

export class WasmProducts {
	readonly #memory: WasmMemory;
	/** The memory's version when the products were computed. */
	#version = -1;

	constructor(memory: WasmMemory) {
		this.#memory = memory;
	}

	/** Computes the products, unless those in memory are still valid. @returns the slots of the state */
	compute(state: Rows, e: Float32Array): readonly Slot[] {
		const slots = this.#memory.state(state);
		this.#memory.input(e);
		if (this.#version !== this.#memory.version) {
			this.#memory.functions.compare(stateAt, slots[thirdness]!.at, inputAt, productsAt);
			this.#version = this.#memory.version;
		}

		return slots;
	}

	/** e·X_d */
	of(d: number): number {
		return this.#memory.doubles[productsAt / 8 + d]!;
	}

	/** ‖e‖ */
	get norm(): number {
		return Math.sqrt(this.of(inputInput));
	}

	/** ‖e − X_d‖ */
	gap(d: number, {at, norm}: Slot): number {
		const squares = this.of(inputInput) - 2 * this.of(d) + norm ** 2;
		return Math.sqrt(isAccurate(squares, this.norm + norm) ? squares : this.#memory.functions.squaredGap(inputAt, at));
	}

	/** ‖raw‖² and X_thirdness·raw of a pull. */
	strength(slots: readonly Slot[], {secondness: cs, thirdness: ct, valeurs: cv}: Pull): Strength {
		const s = slots[secondness]!;
		const t = slots[thirdness]!;
		const v = slots[valeurs]!;
		const ce = cs + ct + cv;
		const et = this.of(thirdness);
		const ts = this.of(thirdnessSecondness);
		const tv = this.of(thirdnessValeurs);
		// Both pull only rarely, so their product is computed on demand.
		const sv = cs === 0 || cv === 0 ? 0 : this.#memory.functions.dot(s.at, v.at);
		const squares = ce ** 2 * this.of(inputInput) - 2 * ce * (cs * this.of(secondness) + ct * et + cv * this.of(valeurs))
			+ (cs * s.norm) ** 2 + (ct * t.norm) ** 2 + (cv * v.norm) ** 2 + 2 * (cs * ct * ts + cs * cv * sv + ct * cv * tv);
		const parts = Math.abs(ce) * this.norm + Math.abs(cs) * s.norm + Math.abs(ct) * t.norm + Math.abs(cv) * v.norm;
		if (isAccurate(squares, parts)) {
			return {squares, dotThirdness: ce * et - cs * ts - ct * t.norm ** 2 - cv * tv};
		}

		this.#memory.functions.pull(inputAt, s.at, t.at, v.at, cs, ct, cv, sumsAt);
		return {squares: this.#memory.sum(0), dotThirdness: this.#memory.sum(1)};
	}
}
