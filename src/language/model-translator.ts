/**
 * The translator with a language model: profile → prompt → model → text. The client library is
 * loaded for the first translation, because it would delay every start.
 */
import {chooseLanguageModel, type LanguageModelChoice, type LanguageModelOptions} from './model-choice.ts';
import {promptOf} from './prompt.ts';
import type {TranslationRequest, Translator} from './translator.ts';
import markers from '../../data/reasoning-markers.json' with {type: 'json'};

/**
 * Opens the language model that the options name, without sending a request.
 *
 * @returns null if none is configured
 * @throws {ConfigurationError} if the options are incomplete, or name two models.
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 * import {openLanguageModel} from 'processual-state/language';
 *
 * await using ada = await openIdentity({translator: openLanguageModel({baseUrl: 'http://localhost:11434/v1', model:
 * 'qwen3:8b', timeoutSeconds: 60})});
 * console.log((await ada.translate()).text);
 * ```
 */
export const openLanguageModel = (options: LanguageModelOptions): ModelTranslator | null => {
	const choice = chooseLanguageModel(options);
	return choice && new ModelTranslator(choice);
};

/** Translates with a language model. */
export class ModelTranslator implements Translator {
	/** The model and its address, for messages: `claude-sonnet-4-6 at https://api.anthropic.com/v1`. */
	readonly place: string;
	readonly #choice: LanguageModelChoice;

	constructor(choice: LanguageModelChoice) {
		this.place = `${choice.model} at ${choice.baseUrl}`;
		this.#choice = choice;
	}

	/**
	 * @throws {LanguageError} if the model fails, refuses or gives an empty answer; the message says what to do.
	 * @throws the signal's reason if it aborts first; the connection is closed.
	 */
	async translate({profile, context, scaled}: TranslationRequest, signal: AbortSignal): ReturnType<Translator['translate']> {
		const prompt = promptOf(profile, context, scaled);
		const {askModel} = await import('./ask-model.ts');
		const text = await askModel(this.#choice, prompt, signal);
		return {text, reasoningDetected: hasReasoning(text)};
	}
}

/**
 * Reduces a text to lower-case words without accents, each surrounded by single spaces. So a marker
 * matches whole words, whatever their accents, apostrophes or line breaks.
 */
const fold = (text: string): string =>
	` ${text.normalize('NFKD').replaceAll(/[\p{Mark}\p{Format}]/gu, '').toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ').trim()} `;

const folded = [...markers.english, ...markers.french].map(marker => fold(marker));

/** Whether a text reasons instead of translating, by the markers in `data/reasoning-markers.json`, which also defines what a marker is. */
export const hasReasoning = (text: string): boolean => {
	const words = fold(text);
	return folded.some(marker => words.includes(marker));
};
