/**
 * The data that all contestants share, so that their responses can be compared: an encoder that
 * takes no time, and the identity's sources.
 *
 * A text's vector is one of a bank's, chosen by the text's CRC-32, which Node and Python both
 * compute in C. The state, the reference and the directions are embeddings too: of the
 * dimensions' names, of "the person", of `category.name`.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {crc32} from 'node:zlib';
import type {Encoder, ModelPassport} from '../../../src/embedding/encoder.ts';
import type {Direction} from '../../../src/semiosis/profile.ts';
import type {Person} from '../../../src/semiosis/reference.ts';
import {dimensions, width} from '../../../src/kernel/dimensions.ts';
import {StateTensor} from '../../../src/kernel/state-tensor.ts';
import {mulberry32} from '../../../test/actors/fixtures.ts';

const vectorCount = 256;

const categories = ['epistemic', 'affective', 'cognitive', 'relational', 'ethical', 'temporal', 'thematic', 'metacognitive', 'vital', 'ecosystemic', 'philosophical'];

type Described = {category: string; name: string; pole_positive: string; pole_negative: string};

export const passport: ModelPassport = {model: 'instant', width, pooling: 'none', prefix: '', dtype: 'fp32'};

/** Writes the bank and the given number of directions into a folder. */
export const writeWorld = (folder: string, directionCount = 109): void => {
	const random = mulberry32(6);
	const noise = (): Float64Array => Float64Array.from({length: width}, () => random() - 0.5);
	const common = noise();
	const bank = new Float32Array(vectorCount * width);
	for (let i = 0; i < vectorCount; i++) {
		// Different shares of something common: cosines from 0 to 0.94, on both sides of the thresholds.
		const share = 4 * random();
		const vector = noise().map((value, k) => value + share * common[k]!);
		const norm = Math.hypot(...vector);
		bank.set(vector.map(value => value / norm), i * width);
	}

	writeFileSync(path.join(folder, 'bank.f32'), bank);
	writeFileSync(path.join(folder, 'directions.json'), JSON.stringify(Array.from({length: directionCount}, (_, i): Described => ({
		category: categories[i % categories.length]!,
		name: `direction_${i}`,
		pole_positive: `wholly given to the one side of direction ${i}`,
		pole_negative: `wholly given to the other side of direction ${i}`,
	}))));
};

/** The world of a folder, as options of a process. */
export const readWorld = (folder: string): {encoder: Encoder; initialState: StateTensor; person: Person; directions: Direction[]} => {
	const bank = new Float32Array(new Uint8Array(readFileSync(path.join(folder, 'bank.f32'))).buffer);
	const described = JSON.parse(readFileSync(path.join(folder, 'directions.json'), 'utf8')) as Described[];

	/** A new array for each text, as a model returns. */
	const embed = (text: string): Float32Array => {
		const begin = crc32(text) % vectorCount * width;
		return bank.slice(begin, begin + width);
	};

	const state = new StateTensor(0, new Date().toISOString(), dimensions.map(name => embed(name)));
	return {
		encoder: {passport, embed: async text => embed(text)},
		initialState: state,
		person: {words: 'the person', profile: null},
		directions: described.map(({category, name, pole_positive: polePositive, pole_negative: poleNegative}) =>
			({category, name, polePositive, poleNegative, vector: embed(`${category}.${name}`)})),
	};
};
