/** Reads the golden data: float32 vectors by their index, and the cases around them (`README.md` beside this file). */
import {readFileSync} from 'node:fs';
import type {Rows} from '../../src/kernel/state-tensor.ts';

const bytesOf = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

const vectorsOf = (name: string) => {
	const {buffer, byteOffset} = Uint8Array.from(bytesOf(name));
	const made = new Map<number, Float32Array>();
	return (index: number): Float32Array => {
		const vector = made.get(index) ?? new Float32Array(buffer, byteOffset + index * 4096, 1024);
		made.set(index, vector);
		return vector;
	};
};

/** Inputs. The same index is always the same object, as rows of states are in the service. */
export const vector = vectorsOf('vectors.bin');

/** Results, float64 rounded to float32. */
export const expected = vectorsOf('expected.bin');

export const read = <Content>(name: string): Content => JSON.parse(bytesOf(name).toString()) as Content;

type States = {states: Record<string, {state_id: number; dims: Record<string, number>}>};

const {states} = read<States>('cycles.json');

/** A named state of `cycles.json`: its id and its rows. */
export const stateNamed = (name: string): {stateId: number; rows: Rows} => {
	const {state_id: stateId, dims} = states[name]!;
	return {stateId, rows: Object.values(dims).map(vector)};
};

/** The largest difference of two vectors in any component. */
export const worst = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
	let largest = 0;
	for (let i = 0; i < b.length; i++) {
		largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
	}

	return largest;
};

/** v / ‖v‖, the norm summed from left to right in float64. */
export const unit = (v: ArrayLike<number>): Float32Array => {
	let squares = 0;
	for (let i = 0; i < v.length; i++) {
		squares += v[i]! * v[i]!;
	}

	const norm = Math.sqrt(squares);
	const result = new Float32Array(v.length);
	for (let i = 0; i < v.length; i++) {
		result[i] = v[i]! / norm;
	}

	return result;
};
