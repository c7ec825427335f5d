/**
 * The bundled model's original weights as an ONNX model in a folder with the layout of the hub: a
 * real model for transformers.js and ONNX Runtime that needs no network.
 *
 * It reads one text at a time. Its output is `sentence_embedding`, 512 floats before their normalisation.
 */
import proto from 'onnx-proto';
import {readModelPackage, type SourceModel} from '../../../scripts/encoder/model-package.ts';
import {matrices, type MatrixName} from '../../../src/embedding/use-lite/graph.ts';
import {makePositions, namesInGraph} from '../../../scripts/encoder/pack-weights.ts';
import {maxTokens, modelWidth} from '../../../src/embedding/use-lite/scratch.ts';
import {encodeGraph, FLOAT, INT64, writeModel} from '../write-model.ts';

const {onnx} = proto;
const {FLOAT: FLOAT_ATTRIBUTE, INT, INTS} = onnx.AttributeProto.AttributeType;

type Node = {opType: string; input: string[]; output: string[]; attribute?: object[]};

export const makeOnnxModel = async (folder: string): Promise<void> => {
	const source = await readModelPackage();
	await writeModel(folder, {
		config: {max_position_embeddings: maxTokens, hidden_size: modelWidth, vocab_size: source.vocabulary.length},
		tokenizerConfig: {tokenizer_class: 'PreTrainedTokenizer', unk_token: '\uFFFD', model_max_length: maxTokens},
		tokenizer: tokenizerOf(source),
		graph: graphOf(source),
	});
};

const tokenizerOf = ({vocabulary}: SourceModel) => ({
	version: '1.0',
	truncation: null,
	padding: null,
	added_tokens: [],
	normalizer: {type: 'NFKC'},
	pre_tokenizer: {type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false},
	post_processor: null,
	decoder: {type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false},
	model: {type: 'Unigram', unk_id: 0, vocab: vocabulary.map(([token, score]) => [token, score ?? 0])},
});

const floats = (name: string, dims: number[], values: Float32Array) =>
	({name, dataType: FLOAT, dims, rawData: new Uint8Array(values.buffer, values.byteOffset, values.byteLength)});

const integers = (name: string, values: number[], dims = [values.length]) => ({name, dataType: INT64, dims, int64Data: values});

const attributes = (values: Record<string, number | number[]>) => Object.entries(values).map(([name, value]) => Array.isArray(value)
	? {name, type: INTS, ints: value}
	: Number.isInteger(value) ? {name, type: INT, i: value} : {name, type: FLOAT_ATTRIBUTE, f: value});

/** The graph of `src/embedding/use-lite/graph.ts`. */
const graphOf = (source: SourceModel): Uint8Array => {
	const initializer: object[] = [
		floats('table', [source.vocabulary.length, 256], source.tensor('Embeddings_en')
			.slice(0, source.vocabulary.length * 256)
			.map(value => 2 * value)),
		floats('positions', [128, 256], makePositions(source.tensor('TimingSignal/ExpandDims_1'))),
		integers('zero', [0], []),
		integers('one', [1], []),
	];
	const node: Node[] = [];
	/** Adds a node, whose output has the node's name. */
	const step = (name: string, opType: string, input: string[], values: Record<string, number | number[]> = {}): string => {
		node.push({opType, input, output: [name], attribute: attributes(values)});
		return name;
	};

	const dense = (x: string, matrix: MatrixName): string => {
		const names = namesInGraph(matrix);
		initializer.push(
			floats(`${matrix}.weights`, [...matrices[matrix]], source.tensor(names.weights)),
			floats(`${matrix}.bias`, [matrices[matrix][1]], source.tensor(names.bias)),
		);
		return step(matrix, 'Add', [step(`${matrix}.product`, 'MatMul', [x, `${matrix}.weights`]), `${matrix}.bias`]);
	};

	const normalise = (x: string, name: string, width: number, layer: number, place: string): string => {
		const parts = ['scale', 'bias'] as const;
		for (const part of parts) {
			initializer.push(floats(
				`${name}.${part}`,
				[width],
				source.tensor(`Layer_${layer}/TransformerLayer/${place}layer_prepostprocess/layer_norm/layer_norm_${part}/ConcatPartitions/concat`),
			));
		}

		return step(name, 'LayerNormalization', [x, `${name}.scale`, `${name}.bias`], {axis: -1, epsilon: 1e-6});
	};

	const attend = (qkv: string, layer: number, width: number): string => {
		const size = width / 4;
		const name = (part: string) => `attention${layer}.${part}`;
		initializer.push(
			integers(name('split'), [width, width, width]),
			integers(name('heads'), [1, -1, 4, size]),
			integers(name('joined'), [1, -1, width]),
			floats(name('factor'), [], Float32Array.of(1 / Math.sqrt(size))),
		);
		node.push({opType: 'Split', input: [qkv, name('split')], output: ['q', 'k', 'v'].map(name), attribute: attributes({axis: 2})});
		const heads = (part: string, perm: number[]) =>
			step(name(`${part}.heads`), 'Transpose', [step(name(`${part}.split`), 'Reshape', [name(part), name('heads')])], {perm});
		const scaled = step(name('scaled'), 'Mul', [heads('q', [0, 2, 1, 3]), name('factor')]);
		const scores = step(name('scores'), 'MatMul', [scaled, heads('k', [0, 2, 3, 1])]);
		const values = step(name('values'), 'MatMul', [step(name('weights'), 'Softmax', [scores], {axis: -1}), heads('v', [0, 2, 1, 3])]);
		return step(name('out'), 'Reshape', [step(name('rows'), 'Transpose', [values], {perm: [0, 2, 1, 3]}), name('joined')]);
	};

	const feedForward = (x: string, layer: 0 | 1): string => {
		const inner = step(`inner${layer}`, 'Relu', [dense(normalise(x, `norm${layer}.2`, 512, layer, 'FFN/'), `layer${layer}.ffn1`)]);
		return step(`layer${layer}`, 'Add', [x, dense(inner, `layer${layer}.ffn2`)]);
	};

	const places = step('places', 'Range', ['zero', step('length', 'Gather', [step('shape', 'Shape', ['input_ids']), 'one']), 'one']);
	const input = step('input', 'Add', [step('words', 'Gather', ['table', 'input_ids']), step('placed', 'Gather', ['positions', places])]);
	const first = attend(dense(normalise(input, 'norm0.1', 256, 0, ''), 'layer0.qkv'), 0, 256);
	const afterFirst = feedForward(step('residual0', 'Add', [dense(input, 'layer0.dense'), dense(first, 'layer0.output')]), 0);
	const second = attend(dense(normalise(afterFirst, 'norm1.1', 512, 1, ''), 'layer1.qkv'), 1, 512);
	const afterSecond = feedForward(step('residual1', 'Add', [afterFirst, dense(second, 'layer1.output')]), 1);
	step('sentence_embedding', 'Tanh', [dense(step('mean', 'ReduceMean', [afterSecond], {axes: [1], keepdims: 0}), 'tanh')]);

	return encodeGraph({name: 'use-lite', version: 17, output: {name: 'sentence_embedding', dims: ['batch', modelWidth]}, initializer, node});
};
