/**
 * Any model from the hub or a folder, with transformers.js on ONNX Runtime. Runs in a worker.
 *
 * Tokens are cut and pooled here instead of by the library's pipeline, which drops the closing
 * token when it cuts, trusts tokenizers without a limit, and cannot read models that pool
 * internally.
 */
import {existsSync} from 'node:fs';
import path from 'node:path';
import type {PreTrainedTokenizer, ProgressInfo, Tensor} from '@xenova/transformers';
import {makeFolder} from '../../platform/files/folders.ts';
import type {TokenReport, DownloadProgress, Inference} from '../encoder.ts';
import type {Pooling, TransformersChoice} from '../model-choice.ts';
import {importTransformers} from './import-transformers.ts';
import {nameOf} from '../../platform/option-names.ts';
import {reasonOf} from '../../platform/errors.ts';
import {describeConnectionError, isConnectionError} from '../../platform/bounded-fetch.ts';

/** The output of the tokenizer for one text: `input_ids`, `attention_mask`, perhaps `token_type_ids`. */
type Tokens = Record<string, number[]>;

/** No tokenizer averages more characters per token, so text beyond this would be cut anyway. */
const charactersPerToken = 32;

/** @throws {Error} whose message says what happened and what to do. */
export const loadTransformers = async (
	choice: TransformersChoice, onProgress: (progress: DownloadProgress) => void,
): Promise<Inference> => {
	const library = await importTransformers();
	checkFiles(choice);
	const {env, AutoConfig, AutoTokenizer, AutoModel, LogLevel} = library;
	env.logLevel = LogLevel.ERROR;
	env.allowRemoteModels = choice.download;
	env.localModelPath = choice.folder;
	env.cacheDir = choice.folder;
	if (choice.hub) {
		env.remoteHost = choice.hub;
	}

	if (choice.download) {
		try {
			// Private: the library would make it readable for every user. If this fails, the library reports it.
			makeFolder(choice.folder);
		} catch {}
	}

	const options = {
		...(choice.download && {progress_callback: downloadsOf(choice, onProgress)}),
		dtype: choice.dtype as 'fp32',
		device: 'cpu' as const,
		session_options: choice.threads === null ? {} : {intraOpNumThreads: choice.threads},
	};
	try {
		// The configuration comes first, because a missing tokenizer fails without a reason.
		const config = await AutoConfig.from_pretrained(choice.name, options);
		const tokenizer = await AutoTokenizer.from_pretrained(choice.name, options);
		const model = await AutoModel.from_pretrained(choice.name, {...options, config});
		const {max_position_embeddings: positions = Infinity} = config as {max_position_embeddings?: number};
		const tokenize = tokenizerOf(tokenizer, Math.min(tokenizer.model_max_length, positions));

		return async text => {
			const {tokens, report} = tokenize(text);
			const tensors = Object.entries(tokens).map(([name, values]) =>
				[name, new library.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])]);
			return {vector: pool(await model(Object.fromEntries(tensors)) as Record<string, Tensor>, choice.pooling), report};
		};
	} catch (error) {
		throw new Error(explainLoadError(error, choice), {cause: error});
	}
};

/** Tokenises a text into at most `limit` tokens; the tokenizer's closing token (end of sequence) is kept. */
const tokenizerOf = (tokenizer: PreTrainedTokenizer, limit: number): (text: string) => {tokens: Tokens; report: TokenReport} => {
	const encode = (text: string) => tokenizer(text, {return_tensor: false}) as unknown as Tokens;
	const added = encode('').input_ids ?? [];
	const closing = added.at(-1);
	const unknownShareOf = unknownShareBy(tokenizer, added);

	return text => {
		const read = text.slice(0, limit * charactersPerToken);
		const all = encode(read);
		const isTooLong = all.input_ids!.length > limit;
		const tokens = isTooLong ? cutTo(limit, all, closing) : all;
		const ids = tokens.input_ids!;
		return {tokens, report: {tokens: ids.length, isTruncated: isTooLong || read.length < text.length, ...unknownShareOf(ids)}};
	};
};

const cutTo = (limit: number, tokens: Tokens, closing: number | undefined): Tokens => {
	const closed = tokens.input_ids!.at(-1) === closing;
	return Object.fromEntries(Object.entries(tokens).map(([name, values]) =>
		[name, closed ? [...values.slice(0, limit - 1), values.at(-1)!] : values.slice(0, limit)]));
};

const count = (ids: readonly number[], wanted: number | undefined): number => ids.filter(id => id === wanted).length;

/**
 * The share of unknown tokens in a text, without the added ones. Absent if the tokenizer has no unknown token.
 *
 * @param added The tokens that the tokenizer adds to every text.
 */
const unknownShareBy = (
	tokenizer: PreTrainedTokenizer, added: readonly number[],
): ((ids: readonly number[]) => Pick<TokenReport, 'unknownShare'>) => {
	const unknown = tokenizer.unk_token_id as number | undefined;
	// SentencePiece puts a separate space token before an unknown word.
	const space = tokenizer.convert_tokens_to_ids('▁') as number | undefined;
	return ids => {
		const own = ids.length - added.length - (space === unknown ? 0 : count(ids, space));
		return unknown === undefined ? {} : {unknownShare: own > 0 ? (count(ids, unknown) - count(added, unknown)) / own : 0};
	};
};

/** Pools a model's outputs, `[1, tokens, width]`, into one vector. A model that pools internally has `[1, width]`. */
const pool = (outputs: Record<string, Tensor>, pooling: Pooling): Float32Array<ArrayBuffer> => {
	const rank = pooling === 'none' ? 2 : 3;
	const output = [outputs.last_hidden_state, outputs.sentence_embedding, ...Object.values(outputs)]
		.find(tensor => tensor?.dims.length === rank);
	if (!output) {
		throw new Error(pooling === 'none'
			? `it gives no pooled vector; set ${nameOf('encoder.pooling')} to mean, cls or last_token`
			: `it gives no vectors of tokens; if it pools internally, set ${nameOf('encoder.pooling')} to none`);
	}

	const values = output.to('float32').data as Float32Array;
	const width = output.dims.at(-1)!;
	const row = (index: number) => values.slice(index * width, (index + 1) * width) as Float32Array<ArrayBuffer>;
	if (pooling === 'mean') {
		const tokens = values.length / width;
		return Float32Array.from({length: width}, (_, column) => {
			let sum = 0;
			for (let token = 0; token < tokens; token++) {
				sum += values[token * width + column]!;
			}

			return sum / tokens;
		});
	}

	return row(pooling === 'last_token' ? values.length / width - 1 : 0);
};

/** Reports only downloads. The library reports files that it reads from disk in the same way. */
const downloadsOf = ({folder, name}: TransformersChoice, onProgress: (progress: DownloadProgress) => void) => {
	const onDisk = new Set<string>();
	return (info: ProgressInfo): void => {
		if (info.status === 'initiate' && existsSync(path.join(folder, name, info.file))) {
			onDisk.add(info.file);
		} else if (info.status === 'progress' && !onDisk.has(info.file)) {
			onProgress({file: info.file, loaded: info.loaded, total: info.total});
		}
	};
};

// Explains why a model could not be loaded, and what to do, because the library's messages describe its internals.

/** The files of every model, whatever its number format. */
const required = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

const missingFiles = ({folder, name}: TransformersChoice): string =>
	required.filter(file => !existsSync(path.resolve(folder, name, file))).join(', ');

/**
 * Checks for missing files if downloads are off, because the library would fail without naming them.
 *
 * @throws {Error} naming the files and what to do
 */
const checkFiles = (choice: TransformersChoice): void => {
	const missing = missingFiles(choice);
	if (!choice.download && missing) {
		throw new Error(`${path.resolve(choice.folder, choice.name)} lacks ${missing}. ${adviseOnFiles(choice)}`);
	}
};

const adviseOnFiles = ({name}: TransformersChoice): string => path.isAbsolute(name)
	? `Correct ${nameOf('encoder.model')}, or put the model's files there in the layout of the hub.`
	: `Start without ${nameOf('encoder.offline')} to have it downloaded, correct ${nameOf('encoder.model')}, or put the model's files there.`;

/** Explains an error of the library, and says what to do. */
const explainLoadError = (error: unknown, choice: TransformersChoice): string => {
	const {name, folder, download, hub, dtype} = choice;
	const place = path.resolve(folder, name);
	const reason = reasonOf(error);
	if (isConnectionError(error)) {
		return `${hub ?? 'The hub'} cannot be reached (${describeConnectionError(error)}). Check the network, `
			+ `set ${nameOf('encoder.baseUrl')} to a mirror, or load the model from a folder.`;
	}

	const missing = missingFiles(choice);
	if (download && (missing || isMissing(error))) {
		return `${hub ?? 'The hub'} does not serve ${missing || `its weights in ${dtype}`} (${reason}). `
			+ `Correct ${nameOf('encoder.model')}, set ${nameOf('encoder.dtype')} to an available format, or set HF_TOKEN for a gated model.`;
	}

	return isMissing(error)
		? `${place} lacks its weights in ${dtype} (${reason}). Set ${nameOf('encoder.dtype')} to an available format. `
			+ adviseOnFiles(choice)
		: `The files in ${place} cannot be used: ${reason} Remove a damaged file and download it again. `
			+ 'If transformers.js does not support this kind of model, choose another.';
};

const isMissing = (error: unknown): boolean => (error as Error).name === 'ModelFileNotFoundError';
