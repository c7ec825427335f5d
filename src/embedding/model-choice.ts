/**
 * What `EMBEDDING_MODEL` means: which adapter answers for a name, and with which settings.
 *
 * | name | model |
 * |---|---|
 * | `bundled:universal-sentence-encoder-lite` | the one that comes with the package; the default |
 * | `owner/name` | of the hub, by transformers.js |
 * | `./folder`, `../folder`, `/folder` | of a folder, by transformers.js |
 * | `openai:name` | of a server that speaks OpenAI's `/v1/embeddings` |
 */
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {ModelLoadError} from '../errors.ts';
import {bundledModel} from './use-lite/identifier.ts';

/** How the vectors of a text's tokens become one; `none` for a model that pools itself. */
export type Pooling = 'mean' | 'cls' | 'last_token' | 'none';

/** Which model, and how it is run. Absent: the bundled one. */
export type EmbeddingOptions = {
	/** As in the table above; {@link bundledModel} unless given. */
	model?: string | undefined;
	/** For transformers.js models; known models bring their own, others are pooled by the mean. */
	pooling?: Pooling | undefined;
	/** Put before every text; known transformers.js models bring their own, others have none. */
	prefix?: string | undefined;
	/** Number format of a transformers.js model's weights: `fp32` (the default), `fp16`, `q8`, `q4` … */
	dtype?: string | undefined;
	/** Threads inside one inference of a transformers.js model; as many as there are cores unless given. */
	threads?: number | undefined;
	/**
	 * Worker threads that hold a copy of the model each, started when they are needed. Unless given, for the bundled
	 * model one less than there are cores, so that one is left to answer reads, at most 4; and 1 for a transformers.js model,
	 * which uses every core itself.
	 */
	workers?: number | undefined;
	/**
	 * How many waiting texts the bundled model embeds together; 8 unless given. In company a vector may differ in its
	 * last bits: 1 gives a text the same bits whatever else is asked.
	 */
	batch?: number | undefined;
	/** How many texts are cached with their vectors; 1000 unless given, 0 for no cache. */
	cacheSize?: number | undefined;
	/** Whether a model wider than 1024 may be cut: right for Matryoshka models only. */
	truncate?: boolean | undefined;
	/** Never download: a hub model must be in `cacheDir`. */
	offline?: boolean | undefined;
	/** Where downloaded models are kept; `.processual/models` unless given. */
	cacheDir?: string | undefined;
	/** The server of an `openai:` model, for example `http://localhost:11434/v1`; for a hub model, a mirror of the hub. */
	baseUrl?: string | undefined;
	/** Bearer key for the server of an `openai:` model. */
	apiKey?: string | undefined;
	/** How long that server may take for one attempt; 30 unless given. */
	timeoutSeconds?: number | undefined;
};

export type TransformersChoice = {
	adapter: 'transformers';
	/** `owner/name` on the hub and below `folder`, or a model's own folder, absolute. */
	name: string;
	/** Where models are looked for, and kept after a download; absolute. */
	folder: string;
	/** Whether the hub may be asked for what the folder lacks. */
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

/** An adapter and all that it needs to know. */
export type ModelChoice = {model: string; prefix: string; workers: number; batch: number; cacheSize: number; truncate: boolean}
	& ({adapter: 'bundled'} | TransformersChoice | OpenAiChoice);

/** What the cards of known 1024-wide models ask for, by the name without its owner and without `-onnx`. */
const knownModels: Record<string, {pooling: Pooling; prefix?: string}> = {
	'bge-m3': {pooling: 'cls'},
	'bge-large-en-v1.5': {pooling: 'cls'},
	'mxbai-embed-large-v1': {pooling: 'cls'},
	'multilingual-e5-large': {pooling: 'mean', prefix: 'query: '},
	'snowflake-arctic-embed-l-v2.0': {pooling: 'cls', prefix: 'query: '},
	'qwen3-embedding-0.6b': {pooling: 'last_token'},
};

/** Weights' formats that ONNX models are published in. An unknown one is refused: the library would silently take fp32. */
const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4', 'q2', 'q2f16', 'q1', 'q1f16'];

const hubName = /^[\w.-]+\/[\w.-]+$/;

const openAi = 'openai:';

const isFolder = (model: string): boolean => /^\.{1,2}([/\\]|$)/.test(model) || path.isAbsolute(model);

/** @throws {ModelLoadError} for a name of no adapter, or a setting that its adapter cannot use. */
export const chooseModel = ({
	model = bundledModel,
	pooling,
	prefix,
	dtype = 'fp32',
	threads,
	workers,
	batch = 8,
	cacheSize = 1000,
	truncate = false,
	offline = false,
	cacheDir = path.join('.processual', 'models'),
	baseUrl,
	apiKey,
	timeoutSeconds = 30,
}: EmbeddingOptions): ModelChoice => {
	const common = {model, workers: workers ?? 1, batch: 1, cacheSize, truncate};

	if (model === bundledModel) {
		return {...common, workers: workers ?? Math.max(1, Math.min(availableParallelism() - 1, 4)), batch, adapter: 'bundled', prefix: prefix ?? ''};
	}

	if (model.startsWith(openAi) && model.length > openAi.length) {
		return {
			...common,
			adapter: 'openai',
			prefix: prefix ?? '',
			name: model.slice(openAi.length),
			baseUrl: baseUrl ?? 'https://api.openai.com/v1',
			apiKey: apiKey || null,
			timeoutSeconds,
		};
	}

	if (isFolder(model) || hubName.test(model)) {
		if (!dtypes.includes(dtype)) {
			throw new ModelLoadError(`EMBEDDING_DTYPE is “${dtype}”; it can be ${dtypes.join(', ')}.`);
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
				: {name: model, folder: path.resolve(cacheDir), download: !offline, hub: baseUrl ?? null}),
		};
	}

	throw new ModelLoadError(`“${model}” names no embedding model. Set EMBEDDING_MODEL to ${bundledModel}, `
		+ 'to owner/name for a model of the hub, to ./folder or /folder for one on disk, or to openai:name for one on a server.');
};
