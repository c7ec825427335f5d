/**
 * Packs the model into the bytes that the kernels read in place: matrices in panels of eight columns,
 * the vocabulary as a trie.
 *
 * The file: the length of a header (uint32), the header (JSON, the offset of each section), the
 * sections, each aligned to 64 bytes.
 *
 * q8: each column of a matrix, and each row of the table of tokens, has integers of 8 bits and one scale.
 */
import {matrices, type MatrixName} from '../../src/embedding/use-lite/graph.ts';
import {alignment, type WeightHeader} from '../../src/embedding/use-lite/weights.ts';
import type {SourceModel} from './model-package.ts';
import {packVocabulary} from './pack-vocabulary.ts';

const align = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

const tokenWidth = 256;
const maxPositions = 128;

const joined = '/ConcatPartitions/concat';

export const namesInGraph = (name: MatrixName): {weights: string; bias: string} => {
	const layer = `Layer_${name.at(5)}/TransformerLayer`;
	const attention = (part: string) => ({
		weights: `${layer}/MultiheadAttention/${part}_transform_single/kernel/part_0`,
		bias: `${layer}/MultiheadAttention/${part}_transform_single/bias${joined}`,
	});
	const ffn = (place: number) => ({weights: `${layer}/FFN/conv${place}/Tensordot/Reshape_1`, bias: `${layer}/FFN/conv${place}/bias${joined}`});
	switch (name.slice(7)) {
		case 'qkv': return attention('qkv');
		case 'output': return attention('output');
		case 'ffn1': return ffn(1);
		case 'ffn2': return ffn(2);
		case 'dense': return {weights: `${layer}/dense/kernel${joined}`, bias: `${layer}/dense/bias${joined}`};
		default: return {weights: 'tanh_layer_0/weights', bias: 'tanh_layer_0/bias'};
	}
};

export const packWeights = (source: SourceModel): Uint8Array => {
	const sections: Record<string, ArrayBufferView> = {...packVocabulary(source.vocabulary)};
	const tokens = source.vocabulary.length;
	const table = source.tensor('Embeddings_en').slice(0, tokens * tokenWidth).map(value => 2 * value);
	const tokenScales = new Float32Array(tokens);
	sections['tokens'] = quantise(table, tokens, tokenWidth, tokenScales, false);
	sections['tokens.scales'] = tokenScales;
	sections['positions'] = makePositions(source.tensor('TimingSignal/ExpandDims_1'));

	for (const layer of [0, 1]) {
		for (const [name, place] of [['norm1', ''], ['norm2', 'FFN/']] as const) {
			const norm = `Layer_${layer}/TransformerLayer/${place}layer_prepostprocess/layer_norm/layer_norm_`;
			sections[`layer${layer}.${name}.gain`] = source.tensor(`${norm}scale${joined}`);
			sections[`layer${layer}.${name}.bias`] = source.tensor(`${norm}bias${joined}`);
		}
	}

	for (const [name, [depth, columns]] of Object.entries(matrices) as Array<[MatrixName, readonly [number, number]]>) {
		const names = namesInGraph(name);
		const weights = source.tensor(names.weights).slice();
		const bias = source.tensor(names.bias).slice();
		if (name.endsWith('qkv')) {
			scaleQueries(weights, bias, columns, source.tensor(`Layer_${name.at(5)}/TransformerLayer/MultiheadAttention/mul/y`)[0]!);
		}

		sections[`${name}.bias`] = bias;
		const scales = new Float32Array(columns);
		const integers = quantise(weights, depth, columns, scales, true);
		sections[name] = toPanels(integers, depth, columns);
		sections[`${name}.scales`] = scales;
		sections[`${name}.sums`] = sumColumns(integers, columns);
	}

	return layOut(sections);
};

/** Queries are a third of the columns. Scaling them here saves the attention's scaling. */
const scaleQueries = (weights: Float32Array, bias: Float32Array, columns: number, factor: number): void => {
	for (const values of [weights, bias]) {
		for (let i = 0; i < values.length; i++) {
			if (i % columns < columns / 3) {
				values[i]! *= factor;
			}
		}
	}
};

/** sin(p f), then cos(p f), for each position. */
export const makePositions = (frequencies: Float32Array): Float32Array => {
	const positions = new Float32Array(maxPositions * tokenWidth);
	for (let p = 0; p < maxPositions; p++) {
		for (const [i, frequency] of frequencies.entries()) {
			const angle = Math.fround(p * frequency);
			positions[p * tokenWidth + i] = Math.sin(angle);
			positions[p * tokenWidth + frequencies.length + i] = Math.cos(angle);
		}
	}

	return positions;
};

/** @param scales filled with the scale of each column, or of each row */
const quantise = (values: Float32Array, rows: number, columns: number, scales: Float32Array, byColumn: boolean): Int8Array => {
	const groupOf = (i: number) => byColumn ? i % columns : Math.floor(i / columns);
	for (const [i, value] of values.entries()) {
		scales[groupOf(i)] = Math.max(scales[groupOf(i)]!, Math.abs(value));
	}

	for (const [i, largest] of scales.entries()) {
		scales[i] = largest === 0 ? 1 : largest / 127;
	}

	const integers = new Int8Array(rows * columns);
	for (const [i, value] of values.entries()) {
		integers[i] = Math.max(-127, Math.min(127, Math.round(value / scales[groupOf(i)]!)));
	}

	return integers;
};

/** The sum of each column. */
const sumColumns = (integers: Int8Array, columns: number): Int32Array => {
	const sums = new Int32Array(columns);
	for (const [i, integer] of integers.entries()) {
		sums[i % columns]! += integer;
	}

	return sums;
};

/** Panels of eight columns; within one, four values of each column, then the next four. */
const toPanels = (values: Int8Array, depth: number, columns: number): Int8Array => {
	const group = 4;
	const panels = values.slice();
	let at = 0;
	for (let panel = 0; panel < columns; panel += 8) {
		for (let k = 0; k < depth; k += group) {
			for (let column = panel; column < panel + 8; column++) {
				for (let i = k; i < k + group; i++) {
					panels[at++] = values[i * columns + column]!;
				}
			}
		}
	}

	return panels;
};

const layOut = (sections: Record<string, ArrayBufferView>): Uint8Array => {
	const header: WeightHeader = {sections: {}};
	let bytes = 0;
	for (const [name, {byteLength}] of Object.entries(sections)) {
		header.sections[name] = bytes;
		bytes += align(byteLength);
	}

	const text = Buffer.from(JSON.stringify(header));
	const start = align(4 + text.length);
	const file = new Uint8Array(start + bytes);
	new DataView(file.buffer).setUint32(0, text.length, true);
	file.set(text, 4);
	for (const [name, {buffer, byteOffset, byteLength}] of Object.entries(sections)) {
		file.set(new Uint8Array(buffer, byteOffset, byteLength), start + header.sections[name]!);
	}

	return file;
};
