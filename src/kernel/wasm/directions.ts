/** Lays out directions in the memory of a WebAssembly kernel, in groups of four that share a row. */
import type {DirectionMatrix} from '../kernel.ts';
import {directionsAt, stride, type WasmMemory} from './memory.ts';

/**
 * `rows[g]` is projected on group g; the value of direction i is `places[i]` float64 after the address `valuesAt`. After their first
 * `size` bytes all directions are zero: those of a narrow model are padded.
 */
export type DirectionGroups = {rows: number[]; places: number[]; valuesAt: number; size: number};

/** Bytes of a group's values: four float64 for each of two states. */
export const groupValueBytes = 2 * 4 * 8;

/** The distance from the values of the first state to those of the second, in float64. */
export const secondStateOffset = 4;

/** Writes the directions from `directionsAt` on, `stride` apart. An incomplete group repeats its last direction. */
export const layOutDirections = ({rows, vectors}: DirectionMatrix, memory: WasmMemory): DirectionGroups => {
	const groups = [...Map.groupBy(vectors.keys(), i => rows[i]!)].flatMap(([row, indices]) =>
		Array.from({length: Math.ceil(indices.length / 4)}, (_, group) => ({row, members: indices.slice(group * 4, group * 4 + 4)})));
	const valuesAt = directionsAt + groups.length * 4 * stride;
	memory.reserve(valuesAt + groups.length * groupValueBytes);
	const places: number[] = [];
	for (const [group, {members}] of groups.entries()) {
		for (let i = 0; i < 4; i++) {
			memory.write(vectors[members[i] ?? members.at(-1)!]!, directionsAt + (group * 4 + i) * stride);
		}

		for (const [i, direction] of members.entries()) {
			places[direction] = group * groupValueBytes / 8 + i;
		}
	}

	const used = vectors.reduce((most, vector) => Math.max(most, vector.findLastIndex(value => value !== 0) + 1), 0);
	return {rows: groups.map(({row}) => row), places, valuesAt, size: Math.ceil(used / 4) * 16};
};
