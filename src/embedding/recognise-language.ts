/**
 * The language of a text, recognised from frequent groups of letters in its beginning. The library is
 * loaded when the first text is asked about: it takes 9 MB. Then a chat line takes less than a
 * tenth of what its embedding does, and asks for as much memory as all else of a cycle. So it is asked only of what the
 * model itself does not know.
 *
 * Short texts of related languages look alike. So a text counts as one of another language only where
 * that is twice as likely as each language that the model reads.
 */

/** More of a text does not change what it is taken for. */
const maxCharacters = 500;

/** Fewer say nothing in a script that the model reads: “hmm” is as near to German. */
const minLetters = 10;

/** Below this nothing is known: of 120 short English sentences, some lie as near to another language. */
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

/** A letter of a language's script; none for a name that is no single script, such as the Japanese mixture. */
const letterOf = (language: string): RegExp | null => {
	try {
		return letters[language] ??= new RegExp(String.raw`\p{Script=${new Intl.Locale(language).maximize().script}}`, 'u');
	} catch {
		return null;
	}
};

/** Whether a text has letters, and none of a script that the languages are written in. */
const isInAnotherScript = (text: string, languages: readonly string[]): boolean =>
	/\p{L}/u.test(text) && languages.every(language => letterOf(language)?.test(text) === false);

/** Whether a model that reads these languages, as BCP 47 tags, does not read this one. */
export const isForeign = (language: string, languages: readonly string[]): boolean => {
	const [primary] = language.split('-');
	return languages.every(read => read.split('-')[0] !== primary);
};

/**
 * @param languages What the model reads, as BCP 47 tags.
 * @returns a BCP 47 tag, `und` for an unknown language in a script of no language of the model, or with letters beyond ASCII;
 * null where the text is too short, or like several languages
 */
export const recogniseLanguage = async (text: string, languages: readonly string[]): Promise<string | null> => {
	const detect = await (loading ??= load());
	const beginning = text.slice(0, maxCharacters);
	const hasItsScript = ({lang}: {lang: string}): boolean => letterOf(lang)?.test(beginning) !== false;
	const detected = detect(beginning);
	// A sign such as “|” is enough for Hindi. What is taken for another script's language and has letters with marks is one unknown here.
	if (!detected.slice(0, 1).every(hasItsScript) && /[^\p{ASCII}\P{L}]/u.test(beginning)) {
		return 'und';
	}

	const isOther = isInAnotherScript(beginning, languages);
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
