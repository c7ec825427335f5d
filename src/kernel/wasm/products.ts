/**
 * The products of an input and a state, taken in one pass, and what follows from them: how long
 * a pull is, and how far the input lies from a row. Where the digits of a product do not tell,
 * the vectors are asked.
 */
import {indexOf} from '../../tensor/dimensions.ts';
import type {Rows} from '../../tensor/state-tensor.ts';
import type {Pull} from '../kernel.ts';
import {inputAt, productsAt, stateAt, sumsAt, type Slot, type WasmMemory} from './memory.ts';

const secondness = indexOf('secondness');
const thirdness = indexOf('thirdness');
const valeurs = indexOf('valeurs');

/** Places behind the eight of the input with the rows, as `assembly/compare.ts` leaves them. */
const withItself = 8;
const thirdAndSecond = 9;
const thirdAndValues = 10;

/** Of raw = Σ c_k (e − X_k): ‖raw‖² and X_thirdness·raw. */
type Strength = {squares: number; dotThirdness: number};

/**
 * Whether a squared length that is made of products keeps its digits: a product is right to
 * about 1e-7 of the square of `parts`, the lengths that it is made of added up. The limit leaves
 * a length right to 2e-6 of itself.
 */
const isClear = (squares: number, parts: number): boolean => squares >= (parts / 4) ** 2;

export class WasmProducts {
	readonly #memory: WasmMemory;
	/** What the memory counted when the products were taken that lie there. */
	#taken = -1;

	constructor(memory: WasmMemory) {
		this.#memory = memory;
	}

	/** Takes the products, unless they are those taken last. @returns the slots of the state */
	take(state: Rows, e: Float32Array): readonly Slot[] {
		const slots = this.#memory.state(state);
		this.#memory.input(e);
		if (this.#taken !== this.#memory.changes) {
			this.#memory.functions.compare(stateAt, slots[thirdness]!.at, inputAt, productsAt);
			this.#taken = this.#memory.changes;
		}

		return slots;
	}

	/** e·X_d */
	of(d: number): number {
		return this.#memory.doubles[productsAt / 8 + d]!;
	}

	/** ‖e‖ */
	get norm(): number {
		return Math.sqrt(this.of(withItself));
	}

	/** ‖e − X_d‖ */
	gap(d: number, {at, norm}: Slot): number {
		const squares = this.of(withItself) - 2 * this.of(d) + norm ** 2;
		return Math.sqrt(isClear(squares, this.norm + norm) ? squares : this.#memory.functions.squaredGap(inputAt, at));
	}

	strength(slots: readonly Slot[], {secondness: cs, thirdness: ct, valeurs: cv}: Pull): Strength {
		const s = slots[secondness]!;
		const t = slots[thirdness]!;
		const v = slots[valeurs]!;
		const ce = cs + ct + cv;
		const et = this.of(thirdness);
		const ts = this.of(thirdAndSecond);
		const tv = this.of(thirdAndValues);
		// That both of them pull is rare, so their product is taken when it counts.
		const sv = cs === 0 || cv === 0 ? 0 : this.#memory.functions.dot(s.at, v.at);
		const squares = ce ** 2 * this.of(withItself) - 2 * ce * (cs * this.of(secondness) + ct * et + cv * this.of(valeurs))
			+ (cs * s.norm) ** 2 + (ct * t.norm) ** 2 + (cv * v.norm) ** 2 + 2 * (cs * ct * ts + cs * cv * sv + ct * cv * tv);
		const parts = Math.abs(ce) * this.norm + Math.abs(cs) * s.norm + Math.abs(ct) * t.norm + Math.abs(cv) * v.norm;
		if (isClear(squares, parts)) {
			return {squares, dotThirdness: ce * et - cs * ts - ct * t.norm ** 2 - cv * tv};
		}

		this.#memory.functions.pull(inputAt, s.at, t.at, v.at, cs, ct, cv, sumsAt);
		return {squares: this.#memory.sum(0), dotThirdness: this.#memory.sum(1)};
	}
}
