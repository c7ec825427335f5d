/** Directions in the memory of a WebAssembly kernel: those of one row together, in groups of four. */
import type {DirectionMatrix} from '../kernel.ts';
import {directionsAt, stride, type WasmMemory} from './memory.ts';

/** Which row each group is projected on, and where the value of each direction lies: a number of float64 after `valuesAt`. */
export type Groups = {rows: number[]; places: number[]; valuesAt: number};

/** Bytes of the values of a group: four float64 of each of two states. */
export const groupValueBytes = 2 * 4 * 8;

/** From the values of the first state to those of the other: a number of float64. */
export const secondStateOffset = 4;

/** Writes the directions from `directionsAt` on, `stride` apart. A group that is not full repeats its last direction. */
export const layOutDirections = ({rows, vectors}: DirectionMatrix, memory: WasmMemory): Groups => {
	const groups = [...Map.groupBy(vectors.keys(), i => rows[i]!)].flatMap(([row, own]) =>
		Array.from({length: Math.ceil(own.length / 4)}, (_, group) => ({row, own: own.slice(group * 4, group * 4 + 4)})));
	const valuesAt = directionsAt + groups.length * 4 * stride;
	memory.reserve(valuesAt + groups.length * groupValueBytes);
	const places: number[] = [];
	for (const [group, {own}] of groups.entries()) {
		for (let i = 0; i < 4; i++) {
			memory.write(vectors[own[i] ?? own.at(-1)!]!, directionsAt + (group * 4 + i) * stride);
		}

		for (const [i, direction] of own.entries()) {
			places[direction] = group * groupValueBytes / 8 + i;
		}
	}

	return {rows: groups.map(({row}) => row), places, valuesAt};
};
