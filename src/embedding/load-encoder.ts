/**
 * Loads the embedding model that the options name, and tests it on one text. The resulting
 * {@link Encoder} does what all models share: prefix, fitting to the state's width, errors.
 */
import {EmbeddingError, ModelLoadError, reasonOf} from '../platform/errors.ts';
import {bundledLanguages} from './use-lite/identifier.ts';
import type {Embedding, LoadedEncoder, ModelPassport, TextTurn, DownloadProgress, TextModel} from './encoder.ts';
import {fitWidth} from './fit-width.ts';
import {chooseModel, type EmbeddingOptions, type ModelChoice} from './model-choice.ts';
import {WorkerPool} from './worker-pool.ts';
import {withCache} from './cache.ts';

export type {EmbeddingOptions} from './model-choice.ts';

/** Observes a loading, and can abort it. */
export type LoadHooks = {
	/** Called while files of a hub model are downloaded. @default undefined */
	onProgress?: ((progress: DownloadProgress) => void) | undefined;
	/** Aborts the loading, downloads included. @default undefined */
	signal?: AbortSignal | undefined;
};

/** Any text serves: the probe shows that the model works, and its width. */
const probe = 'A first thought.';

/**
 * Loads a model, and embeds a first text.
 *
 * @throws {ModelLoadError} when the model cannot be loaded or gives no usable vector; the message says what to do.
 * @throws the signal's reason when it aborts first.
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
	const model = await createModel(choice, onProgress);

	try {
		const {vector: raw} = await model.embed(choice.prefix + probe, signal);
		fitWidth(raw, choice.truncate);
		return withCache(new ModelEncoder(choice, model, raw.length), choice.cacheSize);
	} catch (error) {
		await model.dispose();
		signal?.throwIfAborted();
		throw loadErrorOf(choice, error);
	}
};

const loadErrorOf = ({model}: ModelChoice, error: unknown): ModelLoadError =>
	new ModelLoadError(`The embedding model “${model}” could not be loaded. ${reasonOf(error)}`, {cause: error});

/** Imports what the chosen model needs, and no other. */
const createModel = async (choice: ModelChoice, onProgress: LoadHooks['onProgress']): Promise<TextModel> => {
	switch (choice.adapter) {
		case 'openai': return new (await import('./adapters/openai.ts')).OpenAiModel(choice);
		case 'transformers': return new WorkerPool(choice, choice.workers, onProgress);
		case 'bundled': {
			const {loadWeights} = await import('./use-lite/weights.ts');
			try {
				return new WorkerPool({adapter: 'bundled', weights: loadWeights(choice.workers)}, choice.workers);
			} catch (error) {
				throw loadErrorOf(choice, error);
			}
		}
	}
};

class ModelEncoder implements LoadedEncoder {
	readonly passport: ModelPassport;
	readonly languages: readonly string[] | undefined;
	readonly #model: TextModel;
	readonly #truncate: boolean;

	constructor(choice: ModelChoice, model: TextModel, width: number) {
		const {pooling, dtype} =
			choice.adapter === 'transformers' ? choice : {pooling: 'none', dtype: choice.adapter === 'bundled' ? 'q8' : 'served'};
		this.passport = {model: choice.model, width, pooling, prefix: choice.prefix, dtype};
		this.languages = choice.adapter === 'bundled' ? bundledLanguages : undefined;
		this.#model = model;
		this.#truncate = choice.truncate;
	}

	async embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Float32Array> {
		return (await this.embedWithReport(text, signal, turn)).vector;
	}

	async embedWithReport(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> {
		signal?.throwIfAborted();
		if (text.trim() === '') {
			throw new EmbeddingError('The text is blank: there is nothing to embed.');
		}

		const {width, prefix} = this.passport;
		const {vector: raw, report} = await this.#model.embed(prefix + text.toWellFormed(), signal, turn);
		if (raw.length !== width) {
			throw new EmbeddingError(
				`The model gave ${raw.length} floats for this text and ${width} at the start: the server may have changed its model. Restart to `
					+ `load it.`,
			);
		}

		return {vector: fitWidth(raw, this.#truncate), report};
	}

	async dispose(): Promise<void> {
		await this.#model.dispose();
	}
}
