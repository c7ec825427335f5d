/** Directions in the memory of a WebAssembly kernel: those of one row together, in groups of four. */
import type {DirectionMatrix} from './kernel.ts';
import {directionsAt, stride, type WasmMemory} from './wasm-memory.ts';

/** Which row each group is projected on, and which direction lies at each place. */
export type Groups = {rows: number[]; directions: number[]; valuesAt: number};

/** Writes the directions from `directionsAt` on, `stride` apart. A group that is not full repeats its last direction. */
export const layOutDirections = ({rows, vectors}: DirectionMatrix, memory: WasmMemory): Groups => {
	const groups: Groups = {rows: [], directions: [], valuesAt: 0};
	for (const [row, own] of Map.groupBy(vectors.keys(), i => rows[i]!)) {
		for (let first = 0; first < own.length; first += 4) {
			groups.rows.push(row);
			groups.directions.push(...[0, 1, 2, 3].map(i => own[Math.min(first + i, own.length - 1)]!));
		}
	}

	groups.valuesAt = directionsAt + groups.directions.length * stride;
	memory.reserve(groups.valuesAt + groups.directions.length * 8);
	for (const [place, i] of groups.directions.entries()) {
		memory.write(vectors[i]!, directionsAt + place * stride);
	}

	return groups;
};
