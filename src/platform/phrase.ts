/**
 * Texts for people, in the language of the program. As in gettext, the English phrase in the code is the key, and a
 * table has its translation. Without a table, or for a phrase that it lacks, the text is English.
 *
 * A program sets its language once, at its start. Errors, log lines and the names of fields are the interface: they are
 * always English.
 */

/** The languages of the package's texts: poles, themes, phrases. */
export type Language = 'en' | 'fr';

/** The translation of a phrase, with its placeholders in any order; singular and plural, if its first number matters. */
export type Phrase = string | {readonly one: string; readonly other: string};

/** Translations by English phrase, with `{0}`, `{1}` … in the places of its values. */
export type Phrases = Readonly<Record<string, Phrase>>;

let language: Language = 'en';
let phrases: Phrases = {};
let plurals = new Intl.PluralRules(language);

/** Sets the language of all texts from now on, and its phrases. */
export const setLanguage = (given: Language, table: Phrases): void => {
	[language, phrases, plurals] = [given, table, new Intl.PluralRules(given)];
};

export const currentLanguage = (): Language => language;

const find = (key: string, count = 0): string => {
	const found = Object.hasOwn(phrases, key) ? phrases[key]! : key;
	return typeof found === 'string' ? found : plurals.select(count) === 'one' ? found.one : found.other;
};

/** The translation of a word or phrase that is not a literal in the code: a value of the interface, or a line of a document. */
export const translated = (text: string): string => find(text);

/** A number, written in English, with the decimal point of the language. */
export const withPoint = (number: string): string => language === 'en' ? number : number.replace('.', ',');

/** A number with so many digits after the point; zero has no sign. */
export const formatFixed = (value: number, digits: number): string => withPoint(value.toFixed(digits).replace(/^-(?=[0.]+$)/, ''));

/** A p-value, 0 to 1: with three decimals below 0.1, else with two. */
export const formatP = (p: number): string => formatFixed(p, p < 0.1 ? 3 : 2);

/** A whole number; from five digits on in groups of three. */
export const formatInteger = (value: number): string => value.toLocaleString(language, {useGrouping: 'min2'});

/** A count of things, in a sentence that is always English, such as an error's. */
export const countInEnglish = (count: number, noun: string, plural = `${noun}s`): string =>
	`${count.toLocaleString('en', {useGrouping: 'min2'})} ${count === 1 ? noun : plural}`;

/** A count of things. @param noun In English, in the singular; its plural ends in s. */
export const formatCount = (count: number, noun: string): string => language === 'en'
	? countInEnglish(count, noun)
	: find(`{0} ${noun}s`, count).replace('{0}', formatInteger(count));

/** The key of a template in a table. A line break and the indent after it become one space. */
export const phraseKey = ([first = '', ...rest]: readonly string[]): string =>
	rest.reduce((text, part, i) => `${text}{${i}}${part}`, first).replaceAll(/\n\s*/g, ' ');

/** A phrase in parts, for values that are more than text, such as the elements of a page. */
export const phraseParts = <Value>(words: readonly string[], ...values: Array<Value | string>): Array<Value | string> => {
	const count = values.find((value): value is Value & number => typeof value === 'number');
	return find(phraseKey(words), count).split(/\{(\d+)\}/)
		.map((part, i) => i % 2 === 0 ? part : values[Number(part)]!)
		.filter(part => part !== '');
};

/** Translates a phrase: ``phrase`State ${id} is made of ${texts}.` `` has the key `State {0} is made of {1}.` */
export const phrase = (words: readonly string[], ...values: ReadonlyArray<string | number>): string =>
	phraseParts(words, ...values).map(part => typeof part === 'number' ? withPoint(String(part)) : part).join('');
