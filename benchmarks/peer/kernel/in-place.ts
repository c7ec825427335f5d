/**
 * Our WebAssembly functions by themselves: all vectors are in their memory, and the new row stays
 * there, as in the C program. So a cycle lacks the cost of rows as JavaScript values: copying the
 * input in, and copying the new row out into 4 KiB of new memory.
 */
import {angularDistance, cosine} from '../../../src/kernel/dot.ts';
import {kernelModule, directionsAt, productsAt, stateAt, stride, sumsAt, WasmMemory} from '../../../src/kernel/wasm/memory.ts';
import type {Work} from './lines.ts';
import {limit, pull, type Scene} from './scene.ts';

const isClear = (squares: number, parts: number): boolean => squares >= (parts / 4) ** 2;

export const inPlace = ({start, reference, inputs, directions}: Scene): Work => {
	const memory = new WasmMemory(kernelModule.compiled);
	const {functions} = memory;
	const state = memory.state(start.rows);
	const [, s, t, , , , , v] = state;
	const others = memory.reference(reference.rows);
	const r = others[2]!;
	const spare = memory.spare();

	const projectedAt = directionsAt + inputs.length * stride;
	const valuesAt = projectedAt + directions.vectors.length * stride;
	memory.reserve(valuesAt + 2 * 8 * directions.vectors.length);
	for (const [i, input] of inputs.entries()) {
		memory.write(input, directionsAt + i * stride);
	}

	// The directions of a row lie together: direction i is projected on row i % 8.
	const own = directions.vectors.length / 8;
	for (const [i, direction] of directions.vectors.entries()) {
		memory.write(direction, projectedAt + (i % 8 * own + (i >> 3)) * stride);
	}

	const {doubles} = memory;
	const product = (index: number): number => doubles[productsAt / 8 + index]!;
	const sum = (index: number): number => doubles[sumsAt / 8 + index]!;
	const firstNorm = t!.norm;
	const norms = state.map(({norm}) => norm);
	const cosines = new Float64Array(8);
	const gaps = new Float64Array(3);
	const first = state.map(({at, norm}, d) => angularDistance(functions.squaredGap(at, others[d]!.at), norm, others[d]!.norm));
	const distances = Float64Array.from(first);

	const gap = (e: number, ee: number, of: number, at: number, norm: number): number => {
		const squares = ee - 2 * of + norm ** 2;
		return Math.sqrt(isClear(squares, Math.sqrt(ee) + norm) ? squares : functions.squaredGap(e, at));
	};

	let third = t!.at;
	let drift = 0;

	const cycle = (e: number): void => {
		functions.compare(stateAt, third, e, productsAt);
		const ee = product(8);
		const norm = Math.sqrt(ee);
		for (let d = 0; d < 8; d++) {
			cosines[d] = cosine(product(d), norm, norms[d]!);
		}

		const {secondness: cs, thirdness: ct, valeurs: cv} = pull;
		const ce = cs + ct + cv;
		const [es, et, ev, ts, tv] = [product(1), product(2), product(7), product(9), product(10)];
		const tt = norms[2]! ** 2;
		const sv = cs === 0 || cv === 0 ? 0 : functions.dot(s!.at, v!.at);
		let squares = ce ** 2 * ee - 2 * ce * (cs * es + ct * et + cv * ev)
			+ (cs * norms[1]!) ** 2 + ct ** 2 * tt + (cv * norms[7]!) ** 2 + 2 * (cs * ct * ts + cs * cv * sv + ct * cv * tv);
		let along = ce * et - cs * ts - ct * tt - cv * tv;
		if (!isClear(squares, Math.abs(ce) * norm + Math.abs(cs) * norms[1]! + Math.abs(ct) * norms[2]! + Math.abs(cv) * norms[7]!)) {
			functions.pull(e, s!.at, third, v!.at, cs, ct, cv, sumsAt);
			squares = sum(0);
			along = sum(1);
		}

		gaps[0] = gap(e, ee, es, s!.at, norms[1]!);
		gaps[1] = gap(e, ee, et, third, norms[2]!);
		gaps[2] = gap(e, ee, ev, v!.at, norms[7]!);
		const magnitude = Math.sqrt(squares);
		const cut = magnitude > limit ? limit / magnitude : 1;
		const inverse = 1 / Math.sqrt(tt + 2 * cut * along + cut ** 2 * squares);
		const scale = cut * inverse;
		const row = third === t!.at ? spare.at : t!.at;
		functions.move(e, s!.at, third, v!.at, r.at, scale * ce, -scale * cs, inverse - 1 - scale * ct, -scale * cv, row, sumsAt);
		let size = 0;
		for (let d = 0; d < 8; d++) {
			size += norms[d]! ** 2;
		}

		drift += Math.sqrt(sum(2) / size);
		norms[2] = Math.sqrt(sum(0));
		distances[2] = angularDistance(sum(1), norms[2], r.norm);
		third = row;
	};

	const cycles = (count: number): void => {
		third = t!.at;
		memory.write(start.rows[2]!, third);
		norms[2] = firstNorm;
		distances[2] = first[2]!;
		drift = 0;
		for (let i = 0; i < count; i++) {
			cycle(directionsAt + i % inputs.length * stride);
		}
	};

	const profiles = (count: number): void => {
		for (let i = 0; i < count; i++) {
			for (let place = 0; place < 8 * own; place += 4) {
				const row = Math.floor(place / own);
				functions.project(state[row]!.at, others[row]!.at, projectedAt + place * stride, 4096, valuesAt + place * 16);
			}
		}
	};

	const value = (which: number, i: number): number => {
		const place = i % 8 * own + (i >> 3);
		return doubles[valuesAt / 8 + (place >> 2) * 8 + which * 4 + place % 4]!;
	};

	return {
		runs: {cycle: cycles, profile: profiles},
		results() {
			profiles(1);
			const profile = [0, 1].flatMap(which => directions.vectors.map((_, i) => value(which, i)));
			cycles(100);
			return {thirdness: memory.floats.slice(third / 4, third / 4 + 1024), cosines, gaps, distances, drift, profile};
		},
	};
};
