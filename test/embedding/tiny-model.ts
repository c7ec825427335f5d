/**
 * A real but tiny model for transformers.js, made from scratch: a WordPiece tokenizer of a few
 * words and an ONNX graph whose outputs can be computed by hand.
 *
 * `last_hidden_state[i] = tanh(table[input_ids[i]] + positions[i])`. The model has as many positions
 * as it may read tokens; with one more token the graph fails.
 */
import proto from 'onnx-proto';
import {encodeGraph, FLOAT, INT64, writeModel} from './write-model.ts';

const {onnx} = proto;

/** How many tokens the model reads, [CLS] and [SEP] among them. */
export const longest = 8;

const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'thought', 'moves', 'slowly', 'query', ':', '##s', 'x'];

type TinyOptions = {
	width: number;
	/** Whether the graph pools by itself: its output is then `sentence_embedding`, the mean. */
	pools?: boolean;
	/** The file's suffix for its number format; none for fp32. */
	suffix?: string;
	/** The tokenizer's limit of tokens; absent if it has none. */
	tokenizerLimit?: number;
	/** Whether the tokenizer names no unknown token. */
	withoutUnknown?: boolean;
};

/** A weight depends only on its place: pseudo-random, and the same everywhere. */
const weight = (row: number, column: number): number => Math.fround(Math.sin((row + 1) * 12.9898 + (column + 1) * 78.233));

const positionWeight = (row: number, column: number): number => Math.fround(0.1 * weight(row + 100, column));

/** The vector of the token at a place, as the graph computes it. */
export const tokenVector = (token: string, place: number, width: number): number[] =>
	Array.from({length: width}, (_, column) =>
		Math.tanh(weight(vocabulary.indexOf(token), column) + positionWeight(place, column)));

/** Writes a model into a folder with the layout of the hub. */
export const makeTinyModel = async (
	folder: string,
	{width, pools = false, suffix = '', tokenizerLimit, withoutUnknown = false}: TinyOptions,
): Promise<void> => {
	await writeModel(folder, {
		config: {max_position_embeddings: longest, hidden_size: width, vocab_size: vocabulary.length},
		tokenizerConfig: {
			tokenizer_class: 'BertTokenizer',
			...(!withoutUnknown && {unk_token: '[UNK]'}),
			...(tokenizerLimit && {model_max_length: tokenizerLimit}),
		},
		tokenizer,
		graph: graphOf(width, pools),
		suffix,
	});
};

const special = (content: string) =>
	({id: vocabulary.indexOf(content), content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false});

const tokenizer = {
	version: '1.0',
	truncation: null,
	padding: null,
	added_tokens: vocabulary.slice(0, 5).map(special),
	normalizer: {type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true},
	pre_tokenizer: {type: 'BertPreTokenizer'},
	post_processor: {
		type: 'TemplateProcessing',
		single: [{SpecialToken: {id: '[CLS]', type_id: 0}}, {Sequence: {id: 'A', type_id: 0}}, {SpecialToken: {id: '[SEP]', type_id: 0}}],
		pair: [],
		special_tokens: {
			'[CLS]': {id: '[CLS]', ids: [2], tokens: ['[CLS]']},
			'[SEP]': {id: '[SEP]', ids: [3], tokens: ['[SEP]']},
		},
	},
	decoder: {type: 'WordPiece', prefix: '##', cleanup: true},
	model: {
		type: 'WordPiece',
		unk_token: '[UNK]',
		continuing_subword_prefix: '##',
		max_input_chars_per_word: 100,
		vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
	},
};

const {INT, INTS} = onnx.AttributeProto.AttributeType;

const matrix = (name: string, rows: number, columns: number, value: (row: number, column: number) => number) => ({
	name,
	dataType: FLOAT,
	dims: [rows, columns],
	floatData: Array.from({length: rows * columns}, (_, i) => value(Math.floor(i / columns), i % columns)),
});

const integer = (name: string, value: number) => ({name, dataType: INT64, dims: [], int64Data: [value]});

const graphOf = (width: number, pools: boolean): Uint8Array => encodeGraph({
	name: 'tiny',
	version: 13,
	output: pools ? {name: 'sentence_embedding', dims: ['batch', width]} : {name: 'last_hidden_state', dims: ['batch', 'tokens', width]},
	initializer: [
		matrix('table', vocabulary.length, width, weight),
		matrix('positions', longest, width, positionWeight),
		integer('zero', 0),
		integer('one', 1),
	],
	node: [
		{opType: 'Gather', input: ['table', 'input_ids'], output: ['words']},
		{opType: 'Shape', input: ['input_ids'], output: ['shape']},
		{opType: 'Gather', input: ['shape', 'one'], output: ['length']},
		{opType: 'Range', input: ['zero', 'length', 'one'], output: ['places']},
		{opType: 'Gather', input: ['positions', 'places'], output: ['placed']},
		{opType: 'Add', input: ['words', 'placed'], output: ['sum']},
		{opType: 'Tanh', input: ['sum'], output: ['last_hidden_state']},
		...(pools ? [{
			opType: 'ReduceMean',
			input: ['last_hidden_state'],
			output: ['sentence_embedding'],
			attribute: [{name: 'axes', type: INTS, ints: [1]}, {name: 'keepdims', type: INT, i: 0}],
		}] : []),
	],
});
