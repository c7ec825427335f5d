/**
 * What is said to people, in the language of the program. As in gettext the English phrase in the code is the key, and a
 * table has its translation; without a table, and for a phrase that it lacks, the English is said.
 *
 * A program sets its language once, at its start. Errors, lines of the log and the names of fields are the interface: they
 * are English everywhere.
 */

/** The languages that the package's own words are in: poles, themes, phrases. */
export type Language = 'en' | 'fr';

/** The translation of a phrase, with its places in any order; by its first number, where that matters. */
export type Phrase = string | {readonly one: string; readonly other: string};

/** By the English phrase, with `{0}`, `{1}` … in the places of its values. */
export type Phrases = Readonly<Record<string, Phrase>>;

let language: Language = 'en';
let phrases: Phrases = {};
let plurals = new Intl.PluralRules(language);

/** Sets the language of all that is said from now on, and its phrases. */
export const setLanguage = (given: Language, table: Phrases): void => {
	[language, phrases, plurals] = [given, table, new Intl.PluralRules(given)];
};

export const currentLanguage = (): Language => language;

const find = (key: string, count = 0): string => {
	const found = Object.hasOwn(phrases, key) ? phrases[key]! : key;
	return typeof found === 'string' ? found : plurals.select(count) === 'one' ? found.one : found.other;
};

/** The translation of a word or phrase that is no literal of the code: a value of the interface, or a line of a document. */
export const translated = (text: string): string => find(text);

/** A number, written in English, with the decimal point of the language. */
export const withPoint = (number: string): string => language === 'en' ? number : number.replace('.', ',');

/** With so many digits behind the point; nought has no sign. */
export const formatFixed = (value: number, digits: number): string => withPoint(value.toFixed(digits).replace(/^-(?=[0.]+$)/, ''));

/** How likely chance does as much, 0 to 1: with three decimals below .1, else with two. */
export const formatP = (p: number): string => formatFixed(p, p < 0.1 ? 3 : 2);

/** A whole number; from five digits on in groups of three. */
export const formatInteger = (value: number): string => value.toLocaleString(language, {useGrouping: 'min2'});

/** So many things, in a sentence that is English everywhere, such as an error's. */
export const countInEnglish = (count: number, noun: string, plural = `${noun}s`): string =>
	`${count.toLocaleString('en', {useGrouping: 'min2'})} ${count === 1 ? noun : plural}`;

/** So many things. @param noun In English, in the singular; its plural ends in s. */
export const formatCount = (count: number, noun: string): string => language === 'en'
	? countInEnglish(count, noun)
	: find(`{0} ${noun}s`, count).replace('{0}', formatInteger(count));

/** What a table calls a template. A line's end and the indent after it are a space. */
export const phraseKey = ([first = '', ...rest]: readonly string[]): string =>
	rest.reduce((text, part, i) => `${text}{${i}}${part}`, first).replaceAll(/\n\s*/g, ' ');

/** A phrase in parts, for values that are more than text, such as the elements of a page. */
export const phraseParts = <Value>(words: readonly string[], ...values: Array<Value | string>): Array<Value | string> => {
	const count = values.find((value): value is Value & number => typeof value === 'number');
	return find(phraseKey(words), count).split(/\{(\d+)\}/)
		.map((part, i) => i % 2 === 0 ? part : values[Number(part)]!)
		.filter(part => part !== '');
};

/** Says a phrase: ``phrase`State ${id} is made of ${texts}.` `` has the key `State {0} is made of {1}.` */
export const phrase = (words: readonly string[], ...values: ReadonlyArray<string | number>): string =>
	phraseParts(words, ...values).map(part => typeof part === 'number' ? withPoint(String(part)) : part).join('');
