/**
 * Resolves the name of a model to an adapter and its settings.
 *
 * | name | model |
 * |---|---|
 * | `bundled:universal-sentence-encoder-lite-q8` | the bundled model; the default |
 * | `bundled:universal-sentence-encoder-lite-q8-fr` | the same, with a table that turns French into English words |
 * | `owner/name` | a model of the hub, with transformers.js |
 * | `./folder`, `../folder`, `/folder` | a model in a folder, with transformers.js |
 * | `openai:name` | a model on a server with OpenAI's `/v1/embeddings` |
 */
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {ModelLoadError} from '../platform/errors.ts';
import {requirePlainUrl} from '../platform/server-access.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';
import {bundledModel, frenchModel, originalModel} from './use-lite/identifier.ts';
import {nameOf} from '../platform/option-names.ts';

/** How token vectors are combined into one; `none` for a model that pools internally. */
export type Pooling = 'mean' | 'cls' | 'last_token' | 'none';

/** Which model to use, and how to run it. */
export type EmbeddingOptions = {
	/** As in the table above. @default bundledModel */
	model?: string | undefined;
	/** How a transformers.js model pools. @default the known model's, else 'mean' */
	pooling?: Pooling | undefined;
	/** A text put before every text. @default the known transformers.js model's, else '' */
	prefix?: string | undefined;
	/** Number format of a transformers.js model's weights: `fp32`, `fp16`, `q8`, `q4` … @default 'fp32' */
	dtype?: string | undefined;
	/** Threads of one inference of a transformers.js model. @default one per core */
	threads?: number | undefined;
	/**
	 * Maximum worker threads, started on demand. By default the bundled model has one fewer than the cores, at most 4, so
	 * that one core stays free for reads; its workers share the weights. A transformers.js model has 1, because its
	 * inference uses every core; each worker has a copy of the model.
	 *
	 * @default one fewer than the cores, at most 4; 1 for a transformers.js model or a server
	 */
	workers?: number | undefined;
	/** The number of texts whose vectors are cached, at most a million; 0 for no cache. @default 1000 */
	cacheSize?: number | undefined;
	/** Whether to truncate vectors wider than 1024. Only valid for Matryoshka models. @default false */
	truncate?: boolean | undefined;
	/** Whether downloads are forbidden. A hub model must then be in `cacheDir`. @default false */
	offline?: boolean | undefined;
	/** The folder of downloaded models. @default '.processual/models' */
	cacheDir?: string | undefined;
	/**
	 * The server of an `openai:` model, for example `http://localhost:11434/v1`; for a hub model, a mirror of the hub.
	 * @default 'https://api.openai.com/v1', or the hub
	 */
	baseUrl?: string | undefined;
	/** Bearer key for the server of an `openai:` model. @default undefined */
	apiKey?: string | undefined;
	/** The timeout of one attempt at that server, in seconds. @default 30 */
	timeoutSeconds?: number | undefined;
};

const checks: Checks<EmbeddingOptions> = {
	model: true, pooling: true, prefix: true, dtype: true, threads: whole(ranges.count), workers: whole(ranges.workers),
	cacheSize: whole(ranges.cached), truncate: true, offline: true, cacheDir: true, baseUrl: true, apiKey: true,
	timeoutSeconds: within(ranges.seconds),
};

export type TransformersChoice = {
	adapter: 'transformers';
	/** `owner/name` on the hub and below `folder`, or the model's folder as an absolute path. */
	name: string;
	/** The absolute path of the folder that is searched for models and keeps downloads. */
	folder: string;
	/** Whether files that the folder lacks may be downloaded from the hub. */
	download: boolean;
	hub: string | null;
	pooling: Pooling;
	dtype: string;
	threads: number | null;
};

export type OpenAiChoice = {
	adapter: 'openai';
	name: string;
	baseUrl: string;
	apiKey: string | null;
	timeoutSeconds: number;
};

/** An adapter and its settings. */
export type ModelChoice = {model: string; prefix: string; workers: number; cacheSize: number; truncate: boolean}
	& ({adapter: 'bundled'; readsFrench: boolean} | TransformersChoice | OpenAiChoice);

/** Settings from the cards of known 1024-wide models, by the name without its owner and without `-onnx`. */
const knownModels: Record<string, {pooling: Pooling; prefix?: string}> = {
	'bge-m3': {pooling: 'cls'},
	'bge-large-en-v1.5': {pooling: 'cls'},
	'mxbai-embed-large-v1': {pooling: 'cls'},
	'multilingual-e5-large': {pooling: 'mean', prefix: 'query: '},
	'snowflake-arctic-embed-l-v2.0': {pooling: 'cls', prefix: 'query: '},
	'qwen3-embedding-0.6b': {pooling: 'last_token'},
};

/** The number formats of published ONNX weights. Others are refused: the library would silently use fp32. */
const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4', 'q2', 'q2f16', 'q1', 'q1f16'];

const hubName = /^[\w.-]+\/[\w.-]+$/;

const openAi = 'openai:';

const isFolder = (model: string): boolean => /^\.{1,2}([/\\]|$)/.test(model) || path.isAbsolute(model);

const checkedUrl = (baseUrl: string): string =>
	requirePlainUrl(baseUrl, nameOf('encoder.baseUrl'), nameOf('encoder.apiKey'), 'http://localhost:11434/v1', ModelLoadError);

/** The number of workers that share a bundled model's weights: one per core except the spared ones, at most 4. */
export const sharingWorkers = (sparedCores: number): number => Math.max(1, Math.min(availableParallelism() - sparedCores, 4));

/** @throws {ModelLoadError} for a name that fits no adapter, or a setting that the adapter cannot use. */
export const chooseModel = (options: EmbeddingOptions): ModelChoice => {
	requireOptions('The encoder', options, checks);
	const {
		model = bundledModel,
		pooling,
		prefix,
		dtype = 'fp32',
		threads,
		workers,
		cacheSize = 1000,
		truncate = false,
		offline = false,
		cacheDir = path.join('.processual', 'models'),
		baseUrl,
		apiKey,
		timeoutSeconds = 30,
	} = options;
	const common = {model, prefix: prefix ?? '', workers: workers ?? 1, cacheSize, truncate};

	if (model === bundledModel || model === frenchModel) {
		return {
			...common,
			adapter: 'bundled',
			readsFrench: model === frenchModel,
			workers: workers ?? sharingWorkers(1),
		};
	}

	if (model === originalModel) {
		throw new ModelLoadError(`“${originalModel}”, with float32 weights, is no longer offered. `
			+ `Run “processual reembed” without ${nameOf('encoder.model')}: it moves the journal to ${bundledModel}, and keeps the old one.`);
	}

	if (model.startsWith(openAi) && model.length > openAi.length) {
		return {
			...common,
			adapter: 'openai',
			name: model.slice(openAi.length),
			baseUrl: checkedUrl(baseUrl ?? 'https://api.openai.com/v1'),
			apiKey: apiKey || null,
			timeoutSeconds,
		};
	}

	if (isFolder(model) || hubName.test(model)) {
		if (!dtypes.includes(dtype)) {
			throw new ModelLoadError(`${nameOf('encoder.dtype')} is “${dtype}”. Set it to one of ${dtypes.join(', ')}.`);
		}

		const name = path.basename(path.resolve(model));
		const known = knownModels[name.toLowerCase().replace(/-onnx$/, '')];
		return {
			...common,
			adapter: 'transformers',
			prefix: prefix ?? known?.prefix ?? '',
			pooling: pooling ?? known?.pooling ?? 'mean',
			dtype,
			threads: threads ?? null,
			...(isFolder(model)
				? {name: path.resolve(model), folder: path.resolve(model), download: false, hub: null}
				: {name: model, folder: path.resolve(cacheDir), download: !offline, hub: baseUrl === undefined ? null : checkedUrl(baseUrl)}),
		};
	}

	throw new ModelLoadError(`“${model}” names no embedding model. Set ${nameOf('encoder.model')} to ${bundledModel}, `
		+ 'to owner/name for a model of the hub, to ./folder or /folder for one on disk, or to openai:name for one on a server.');
};
