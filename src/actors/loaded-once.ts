/** Ports whose insides are loaded once, by the boot, and used by others from then on. */
import {embedWithReport, type Encoder} from '../embedding/encoder.ts';
import {ModelLoadError, UnavailableError} from '../errors.ts';
import type {Translator} from '../language/translator.ts';
import type {EncoderPort, TranslatorPort} from './deps.ts';

/** An encoder whose model is loaded once. Its disposal waits for a load under way. */
export const encoderLoadedOnce = (loadEncoder: (signal: AbortSignal) => Promise<Encoder>): EncoderPort => {
	let loading: Promise<Encoder> | undefined;
	let encoder: Encoder | undefined;
	const loaded = (): Encoder => {
		if (!encoder) {
			throw new UnavailableError('The embedding model is not loaded yet; try again in a moment.');
		}

		return encoder;
	};

	return {
		async load(signal) {
			loading = loadEncoder(signal);
			const given = await loading;
			requireEncoder(given);
			encoder = given;
		},
		get passport() {
			return loaded().passport;
		},
		get languages() {
			return loaded().languages;
		},
		embed: async (text, signal) => loaded().embed(text, signal),
		embedWithReport: async (text, signal) => embedWithReport(loaded(), text, signal),
		async dispose() {
			// A model that could not be loaded needs no disposal.
			const given: Partial<Encoder> | null | undefined = await loading?.catch(() => null);
			await given?.dispose?.();
		},
	};
};

/** A translator that is loaded once, if there is one. */
export const translatorLoadedOnce = (loadTranslator: () => Promise<Translator | null>): TranslatorPort => {
	let translator: Translator | null = null;
	return {
		async load() {
			translator = await loadTranslator();
			return translator !== null;
		},
		async translate(request, signal) {
			if (!translator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			return translator.translate(request, signal);
		},
	};
};

/** @throws {ModelLoadError} for what an application may have loaded instead. */
const requireEncoder = (encoder: Encoder): void => {
	const {passport, embed, dispose} = encoder as Partial<Encoder>;
	if (typeof passport?.model !== 'string' || typeof embed !== 'function' || typeof dispose !== 'function') {
		throw new ModelLoadError('What loadEncoder gave is no encoder: it needs a passport, embed and dispose.');
	}
};
