/** The translator port: projections → words. */
import type {Profile} from '../semiosis/profile.ts';

/** Puts projections into words. */
export interface Translator {
	/**
	 * Puts a profile into words.
	 *
	 * @throws the error of the language model; the text never contains an error.
	 */
	translate(request: {profile: Profile; context: string | null}, signal: AbortSignal): Promise<{text: string; reasoningDetected: boolean}>;

	/** Frees what the translator holds. Called once, at the end of an identity whose option is a function that made it. */
	dispose?(): void | Promise<void>;
}
