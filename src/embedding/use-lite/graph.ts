/**
 * The model's graph: a transformer with two layers. The mean of the resulting rows goes through tanh.
 *
 * ```
 * x = 2 E[id] + [sin(p f), cos(p f)]
 * layer 0: y = x D + attention(norm(x) QKV) O;  y += relu(norm(y) W1) W2
 * layer 1: y += attention(norm(y) QKV) O;       y += relu(norm(y) W1) W2
 * v = tanh(mean(y) T)
 * ```
 *
 * Each product also adds a bias. The factor 2 and the scaling of queries are in the packed weights.
 */
import {add, relu, store, type EncoderKernel, type RelaxedKernel} from './kernel.ts';
import {modelWidth, scratch, scratchBytes, tokenWidth, type ScratchPart} from './scratch.ts';
import type {SharedWeights} from './weights.ts';

/** The model's matrices: depth and columns. */
export const matrices = {
	'layer0.qkv': [256, 768],
	'layer0.dense': [256, 512],
	'layer0.output': [256, 512],
	'layer0.ffn1': [512, 1536],
	'layer0.ffn2': [1536, 512],
	'layer1.qkv': [512, 1536],
	'layer1.output': [512, 512],
	'layer1.ffn1': [512, 1536],
	'layer1.ffn2': [1536, 512],
	tanh: [512, 512],
} as const satisfies Record<string, readonly [depth: number, columns: number]>;

export type MatrixName = keyof typeof matrices;

const heads = 4;

/** Maps the tokens of one window to 512 floats, not yet normalised. */
export type Forward = (ids: readonly number[]) => Float32Array<ArrayBuffer>;

/** The product of rows with a matrix, plus its bias. */
type Dense = (x: number, rows: number, matrix: MatrixName, out: number, mode: typeof store | typeof relu | typeof add) => void;

/** @param slot The caller's part of the memory. */
export const createForward = (weights: SharedWeights, slot: number, kernel: EncoderKernel, dense: Dense): Forward => {
	const {sections, buffer} = weights;
	const place = (part: ScratchPart): number => placeOf(weights, slot, part);
	const [ids, input, stream, normed, attended, wide] = [
		place('ids'), place('input'), place('stream'), place('normed'), place('attended'), place('wide'),
	];
	const idsView = new Uint16Array(buffer, ids);
	const result = new Float32Array(buffer, attended, modelWidth);

	const normalise = (x: number, rows: number, width: number, name: string) => {
		kernel.normalise(x, rows, width, sections[`${name}.gain`]!, sections[`${name}.bias`]!, normed);
	};

	const attend = (rows: number, width: number) => {
		kernel.attend(wide, rows, heads, width / heads, place('keys'), place('attention'), attended);
	};

	const feedForward = (rows: number, layer: 'layer0' | 'layer1') => {
		normalise(stream, rows, modelWidth, `${layer}.norm2`);
		dense(normed, rows, `${layer}.ffn1`, wide, relu);
		dense(wide, rows, `${layer}.ffn2`, stream, add);
	};

	return tokens => {
		const rows = tokens.length;
		idsView.set(tokens);
		kernel.lookupBytes(ids, rows, tokenWidth, sections['tokens']!, sections['tokens.scales']!, sections['positions']!, input);

		normalise(input, rows, tokenWidth, 'layer0.norm1');
		dense(normed, rows, 'layer0.qkv', wide, store);
		attend(rows, tokenWidth);
		dense(input, rows, 'layer0.dense', stream, store);
		dense(attended, rows, 'layer0.output', stream, add);
		feedForward(rows, 'layer0');

		normalise(stream, rows, modelWidth, 'layer1.norm1');
		dense(normed, rows, 'layer1.qkv', wide, store);
		attend(rows, modelWidth);
		dense(attended, rows, 'layer1.output', stream, add);
		feedForward(rows, 'layer1');

		kernel.average(stream, rows, modelWidth, normed);
		dense(normed, 1, 'tanh', attended, store);
		kernel.tanh(attended, modelWidth);
		return new Float32Array(result);
	};
};

const placeOf = ({scratchAt}: SharedWeights, slot: number, part: ScratchPart): number => scratchAt + slot * scratchBytes + scratch[part];

/**
 * How activations are quantised to integers. Those of the feed-forward networks have 7 bits, which costs little
 * accuracy, as the inner ones are never negative. The others have 14 bits.
 */
const activations = {
	fine: {largest: 8191, zero: 8192},
	signed: {largest: 63, zero: 64},
	positive: {largest: 127, zero: 0},
};

const activationsOf = (matrix: MatrixName): keyof typeof activations =>
	matrix.endsWith('ffn1') ? 'signed' : matrix.endsWith('ffn2') ? 'positive' : 'fine';

/** Multiplies integers through int16. */
export const wordDense = (weights: SharedWeights, slot: number, kernel: EncoderKernel): Dense => {
	const {sections} = weights;
	const [quantised, scales] = [placeOf(weights, slot, 'quantised'), placeOf(weights, slot, 'scales')];
	return (x, rows, matrix, out, mode) => {
		const [depth, columns] = matrices[matrix];
		kernel.quantiseWords(x, rows, depth, activations[activationsOf(matrix)].largest, quantised, scales);
		kernel.multiplyWords(
			quantised, scales, rows, depth, sections[matrix]!, sections[`${matrix}.scales`]!, sections[`${matrix}.bias`]!, columns, out, mode,
		);
	};
};

/** Multiplies the same integers through bytes. */
export const byteDense = (weights: SharedWeights, slot: number, kernel: RelaxedKernel): Dense => {
	const {sections} = weights;
	const [quantised, scales] = [placeOf(weights, slot, 'quantised'), placeOf(weights, slot, 'scales')];
	return (x, rows, matrix, out, mode) => {
		const [depth, columns] = matrices[matrix];
		const [at, columnScales, sums, bias] = [
			sections[matrix]!, sections[`${matrix}.scales`]!, sections[`${matrix}.sums`]!, sections[`${matrix}.bias`]!,
		];
		const kind = activationsOf(matrix);
		if (kind === 'fine') {
			kernel.quantisePlanes(x, rows, depth, quantised, scales);
			kernel.multiplyPlanes(quantised, scales, rows, depth, at, columnScales, sums, bias, columns, out, mode);
		} else {
			const {largest, zero} = activations[kind];
			kernel.quantiseBytes(x, rows, depth, largest, zero, quantised, scales);
			kernel.multiplyBytes(quantised, scales, rows, depth, zero, at, columnScales, sums, bias, columns, out, mode);
		}
	};
};
