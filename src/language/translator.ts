/** The translator port: projections → words. */
import type {ScaledDirection} from '../generated/types.ts';
import type {Profile} from '../semiosis/profile.ts';

/** What is put into words. */
export type TranslationRequest = {
	/** Every projection of the state. */
	profile: Profile;
	/** The caller's text: on what occasion the words are said. */
	context: string | null;
	/**
	 * What of the profile differs from chance: nothing else is to be said. Absent where a caller does not know: the
	 * strongest projections are said then.
	 */
	scaled?: {
		/** Whether the identity began with random vectors, which the words are to say first. */
		begunAtRandom: boolean;
		/** The directions that differ from chance, the farthest first; null where no direction has a scale. */
		standOut: readonly ScaledDirection[] | null;
	};
};

/** Puts projections into words. */
export interface Translator {
	/**
	 * Puts a profile into words.
	 *
	 * @throws the error of the language model; the text never contains an error.
	 */
	translate(request: TranslationRequest, signal: AbortSignal): Promise<{text: string; reasoningDetected: boolean}>;

	/** Frees what the translator holds. Called once, at the end of an identity whose option is a function that made it. */
	dispose?(): void | Promise<void>;
}
