/** The input of all contestants: the same numbers, from a file. */
import {readFileSync, writeFileSync} from 'node:fs';
import type {DirectionMatrix} from '../../../src/kernel/kernel.ts';
import {normalise} from '../../../src/kernel/normalise.ts';
import {StateTensor} from '../../../src/kernel/state-tensor.ts';
import {mulberry32} from '../../../test/actors/fixtures.ts';

export type Scene = {
	start: StateTensor;
	reference: StateTensor;
	inputs: Float32Array[];
	/** Direction i is projected on row i % 8. */
	directions: DirectionMatrix;
	/** The vectors to search. */
	many: Float32Array[];
};

const lengths = {start: 8, reference: 8, inputs: 64, directions: 128, many: 10_000};

/** How many nearest vectors a search finds. */
export const best = 10;

/** The pull of an input that no method favours, as the rules decide it. */
export const pull = {secondness: 0.0225, thirdness: 0.0125, valeurs: 0};
export const limit = 0.001;

const rowBytes = 4096;

/** Writes random unit vectors, one after the other: float32, little-endian, no header. */
export const writeScene = (file: string): void => {
	const random = mulberry32(1);
	const count = Object.values(lengths).reduce((sum, length) => sum + length);
	const floats = new Float32Array(count * 1024);
	for (let i = 0; i < count; i++) {
		floats.set(normalise(Float64Array.from({length: 1024}, () => random() + random() - random() - random())), i * 1024);
	}

	writeFileSync(file, new Uint8Array(floats.buffer));
};

export const readScene = (file: string): Scene => {
	const {buffer, byteOffset} = readFileSync(file);
	let read = 0;
	// Each with separate memory, as vectors of an encoder or a store have.
	const next = (length: number): Float32Array[] => Array.from({length}, () => new Float32Array(buffer, byteOffset + rowBytes * read++, 1024).slice());
	return {
		start: new StateTensor(0, '', next(lengths.start)),
		reference: new StateTensor(-1, '', next(lengths.reference)),
		inputs: next(lengths.inputs),
		directions: {rows: Uint8Array.from({length: lengths.directions}, (_, i) => i % 8), vectors: next(lengths.directions)},
		many: next(lengths.many),
	};
};
