/** The translator port: projections → words. */
import type {ScaledDirection} from '../generated/types.ts';
import type {Profile} from '../semiosis/profile.ts';

/** The input of a translation. */
export type TranslationRequest = {
	/** Every projection of the state. */
	profile: Profile;
	/** The caller's text: the occasion on which the words are said. */
	context: string | null;
	/**
	 * The part of the profile that differs from chance: only this is to be said. If it is absent because the caller does
	 * not know it, the strongest projections are said.
	 */
	scaled?: {
		/** Whether the identity began with random vectors, which the text must say first. */
		begunAtRandom: boolean;
		/** The directions that differ from chance, the farthest first; null if no direction has a scale. */
		standOut: readonly ScaledDirection[] | null;
	};
};

/** Puts projections into words. */
export interface Translator {
	/**
	 * Puts a profile into words.
	 *
	 * @throws the language model's error; an error never becomes text.
	 */
	translate(request: TranslationRequest, signal: AbortSignal): Promise<{text: string; reasoningDetected: boolean}>;

	/** Frees resources. Called once, at the end of an identity whose option was a function that made the translator. */
	dispose?(): void | Promise<void>;
}
