/**
 * Recognises the language of a text from frequent letter groups at its beginning. The library, which takes 9 MB, is
 * loaded for the first text. A chat line then takes less than a tenth of its embedding's time, but allocates as much
 * memory as the rest of a cycle. So it is only used for texts that the model does not recognise itself.
 *
 * Short texts of related languages look alike. So a text counts as one of another language only if that is
 * more than twice as likely as any language that the model reads.
 */

/** A longer beginning would not change the result. */
const maxCharacters = 500;

/** In a script that the model reads, fewer letters are not enough: “hmm” is as close to German as to English. */
const minLetters = 10;

/** Below this the result is unreliable: some of 120 short English sentences score as high in another language. */
const minAccuracy = 0.1;

const load = async () => {
	try {
		const {detectAll} = await import('tinyld/light');
		return detectAll;
	} catch {
		// A runtime that cannot load it still embeds texts.
		return () => [];
	}
};

let loading: ReturnType<typeof load> | undefined;

const letters: Record<string, RegExp | null> = {};

/** Matches a letter of a language's script; null if it has no single script, like Japanese. */
const letterOf = (language: string): RegExp | null => {
	try {
		return letters[language] ??= new RegExp(String.raw`\p{Script=${new Intl.Locale(language).maximize().script}}`, 'u');
	} catch {
		return null;
	}
};

/** Whether a language is none of those that a model reads; all as BCP 47 tags. */
export const isForeign = (language: string, languages: readonly string[]): boolean => {
	const [primary] = language.split('-');
	return languages.every(read => read.split('-')[0] !== primary);
};

/**
 * @param languages The languages that the model reads, as BCP 47 tags.
 * @returns a BCP 47 tag; `und` for an unknown language in a script that the model does not read, or with letters beyond ASCII;
 * null if the text is too short, or resembles several languages
 */
export const recogniseLanguage = async (text: string, languages: readonly string[]): Promise<string | null> => {
	const detect = await (loading ??= load());
	const beginning = text.slice(0, maxCharacters);
	const hasItsScript = ({lang}: {lang: string}): boolean => letterOf(lang)?.test(beginning) !== false;
	const detected = detect(beginning);
	// A sign such as “|” suffices for Hindi. A guess in the wrong script means an unknown language if there are letters beyond ASCII.
	if (!detected.slice(0, 1).every(hasItsScript) && /[^\p{ASCII}\P{L}]/u.test(beginning)) {
		return 'und';
	}

	// It has letters, but none in the scripts of these languages.
	const isOther = /\p{L}/u.test(beginning) && languages.every(language => letterOf(language)?.test(beginning) === false);
	const [best, ...others] = detected.filter(hasItsScript);
	if (!best) {
		return isOther ? 'und' : null;
	}

	if (!isForeign(best.lang, languages)) {
		return best.lang;
	}

	const read = others.find(({lang}) => !isForeign(lang, languages))?.accuracy ?? 0;
	const isLong = isOther || beginning.replaceAll(/\P{L}/gu, '').length >= minLetters;
	return isLong && best.accuracy > minAccuracy && best.accuracy > 2 * read ? best.lang : null;
};
