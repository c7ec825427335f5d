/** A model for transformers.js in a folder with the layout of the hub, its graph in ONNX. */
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import proto from 'onnx-proto';

const {onnx} = proto;
export const {FLOAT, INT64} = onnx.TensorProto.DataType;

/** The contents of a model's files. */
type ModelFiles = {
	config: {hidden_size: number; vocab_size: number; max_position_embeddings: number};
	tokenizerConfig: object;
	tokenizer: object;
	graph: Uint8Array;
	/** The graph's suffix for its number format; none for fp32. */
	suffix?: string;
};

/** Writes a model into a folder. */
export const writeModel = async (folder: string, {config, tokenizerConfig, tokenizer, graph, suffix = ''}: ModelFiles): Promise<void> => {
	await mkdir(path.join(folder, 'onnx'), {recursive: true});
	const write = async (name: string, content: object) => writeFile(path.join(folder, name), JSON.stringify(content));
	await write('config.json', {model_type: 'bert', ...config});
	await write('tokenizer_config.json', tokenizerConfig);
	await write('tokenizer.json', tokenizer);
	await writeFile(path.join(folder, 'onnx', `model${suffix}.onnx`), graph);
};

const port = (name: string, elemType: number, dims: ReadonlyArray<string | number>) => ({
	name,
	type: {tensorType: {elemType, shape: {dim: dims.map(dim => typeof dim === 'string' ? {dimParam: dim} : {dimValue: dim})}}},
});

/** A graph from the tokens of a text to one output. */
type Graph = {
	name: string;
	version: number;
	output: {name: string; dims: ReadonlyArray<string | number>};
	initializer: object[];
	node: object[];
};

/** @param graph its `version` is that of ONNX's operators */
export const encodeGraph = ({name, version, output, initializer, node}: Graph): Uint8Array => onnx.ModelProto.encode({
	irVersion: 8,
	opsetImport: [{domain: '', version}],
	producerName: 'test',
	graph: {
		name,
		input: ['input_ids', 'attention_mask'].map(input => port(input, INT64, ['batch', 'tokens'])),
		output: [port(output.name, FLOAT, output.dims)],
		initializer,
		node,
	},
} as never).finish();
