/**
 * Loads the embedding model that the options name, and tests it on one text. The resulting
 * {@link Encoder} adds what all models share: the prefix, fitting to the state's width, errors.
 */
import {EmbeddingError, ModelLoadError, reasonOf} from '../platform/errors.ts';
import {languagesOf} from './use-lite/identifier.ts';
import {encoderBy, type LoadedEncoder, type ModelPassport, type DownloadProgress, type TextModel} from './encoder.ts';
import {fitWidth} from './fit-width.ts';
import {chooseModel, type EmbeddingOptions, type ModelChoice} from './model-choice.ts';
import {WorkerPool} from './worker-pool.ts';
import {withCache} from './cache.ts';

export type {EmbeddingOptions} from './model-choice.ts';

/** Hooks to observe and abort the loading. */
export type LoadHooks = {
	/** Called while files of a hub model are downloaded. @default undefined */
	onProgress?: ((progress: DownloadProgress) => void) | undefined;
	/** Aborts the loading, downloads included. @default undefined */
	signal?: AbortSignal | undefined;
};

/** Any text would do: it shows that the model works, and the width of its vectors. */
const probe = 'A first thought.';

/**
 * Loads a model, and embeds a first text.
 *
 * @throws {ModelLoadError} if the model cannot be loaded or gives no usable vector; the message says what to do.
 * @throws the signal's reason if it aborts first.
 *
 * @example
 * ```ts
 * import {loadEncoder} from 'processual-state/embedding';
 *
 * const encoder = await loadEncoder({model: 'openai:bge-m3', baseUrl: 'http://localhost:11434/v1'});
 * const vector = await encoder.embed('The sea is quiet today.');
 * console.log(encoder.passport.width, Math.hypot(...vector));
 * await encoder.dispose();
 * ```
 */
export const loadEncoder = async (options: EmbeddingOptions = {}, {onProgress, signal}: LoadHooks = {}): Promise<LoadedEncoder> => {
	const choice = chooseModel(options);
	let model: TextModel | undefined;
	try {
		model = await createModel(choice, onProgress);
		const {vector: raw} = await model.embed(choice.prefix + probe, signal);
		fitWidth(raw, choice.truncate);
		return withCache(encoderOf(choice, model, raw.length), choice.cacheSize);
	} catch (error) {
		await model?.dispose();
		signal?.throwIfAborted();
		throw new ModelLoadError(`The embedding model “${choice.model}” could not be loaded. ${reasonOf(error)}`, {cause: error});
	}
};

/** Imports only the modules that the chosen model needs. */
const createModel = async (choice: ModelChoice, onProgress: LoadHooks['onProgress']): Promise<TextModel> => {
	switch (choice.adapter) {
		case 'openai': return new (await import('./adapters/openai.ts')).OpenAiModel(choice);
		case 'transformers': return new WorkerPool(choice, choice.workers, onProgress);
		case 'bundled': {
			const {loadWeights} = await import('./use-lite/weights.ts');
			const pool = new WorkerPool({adapter: 'bundled', weights: loadWeights(choice.workers)}, choice.workers);
			return choice.readsFrench ? (await import('./french/glossed-model.ts')).withFrench(pool) : pool;
		}
	}
};

/** Adds what all models share: the prefix, fitting to the state's width, and errors for unusable texts. */
const encoderOf = (choice: ModelChoice, model: TextModel, width: number): LoadedEncoder => {
	const {prefix, truncate, adapter} = choice;
	const {pooling, dtype} = adapter === 'transformers' ? choice : {pooling: 'none', dtype: adapter === 'bundled' ? 'q8' : 'served'};
	const passport: ModelPassport = {model: choice.model, width, pooling, prefix, dtype};
	const languages = adapter === 'bundled' ? languagesOf(choice.model) : undefined;
	const embed: LoadedEncoder['embedWithReport'] = async (text, signal, turn) => {
		signal?.throwIfAborted();
		if (text.trim() === '') {
			throw new EmbeddingError('The text is blank: there is nothing to embed.');
		}

		const {vector, report} = await model.embed(prefix + text.toWellFormed(), signal, turn);
		if (vector.length !== width) {
			throw new EmbeddingError(`The model gave ${vector.length} floats for this text and ${width} at the start: `
				+ 'the server may have changed its model. Restart to load it.');
		}

		return {vector: fitWidth(vector, truncate), report};
	};

	return Object.assign(encoderBy(embed, () => ({passport, languages})), {dispose: async () => model.dispose()});
};
