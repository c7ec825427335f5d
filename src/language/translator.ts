/** The translator port: the state's projections into words. */
import type {Profile} from '../semiosis/profile.ts';

/** Puts projections into words. */
export interface Translator {
	/**
	 * Puts a profile into words.
	 *
	 * @throws whatever the language model raised; the text is never an error in disguise.
	 */
	translate(request: {profile: Profile; context: string | null}, signal: AbortSignal): Promise<{text: string; reasoningDetected: boolean}>;
}
