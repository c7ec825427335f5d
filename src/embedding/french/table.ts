/** The table that turns French into English words: packed by `scripts/french/pack.ts`, and read when it is first needed. */
import {readFileSync} from 'node:fs';
import {brotliDecompressSync} from 'node:zlib';
import {packageFile} from '../../platform/package-file.ts';
import {createInflections, type Inflections, type IrregularForms} from './inflect.ts';

/** A verb's form: its English, its infinitive, and whether the form is almost always this verb, as `est`, `été`. */
export type VerbForm = {readonly english: string; readonly infinitive: string; readonly isFrequent: boolean};

export type FrenchTable = {
	/** English by the words of a phrase, separated by spaces. The infinitive with `~` stands for a verb in any form. */
	readonly phrases: ReadonlyMap<string, string>;
	/** English by form: function words, nouns, adjectives, adverbs. `-` for a word that English lacks. */
	readonly words: ReadonlyMap<string, string>;
	/** By form. A form may also be in `words`: “porte” means both “door” and “carries”. */
	readonly verbs: ReadonlyMap<string, VerbForm>;
	/** By word, the number of words of the longest phrase that begins with it. */
	readonly longest: ReadonlyMap<string, number>;
	/** Every English word of the table, in lower case. */
	readonly english: ReadonlySet<string>;
	readonly irregular: IrregularForms;
	readonly inflections: Inflections;
};

const rowsOf = (section: string): string[][] => section.split('\n').map(line => line.split('\t'));

/**
 * @param text Phrases, words, frequent verb forms, verbs, and irregular English forms of verbs and of nouns, separated by
 * blank lines; a row has the English, the lemma and its forms.
 */
const parseTable = (text: string): FrenchTable => {
	type Rows = string[][];
	const [phrases, words, verbForms, verbs, past, plurals] = text.split('\n\n').map(rowsOf) as [Rows, Rows, Rows, Rows, Rows, Rows];
	const longest = new Map<string, number>();
	for (const [, phrase] of phrases) {
		const parts = phrase!.split(' ');
		longest.set(parts[0]!, Math.max(parts.length, longest.get(parts[0]!) ?? 0));
	}

	const irregular: IrregularForms = {
		past: new Map(past.map(([verb, simple, participle]) => [verb!, [simple!, participle!]])),
		plurals: new Map(plurals as [string, string][]),
	};
	return {
		phrases: new Map(phrases.map(([english, phrase]) => [phrase!, english!])),
		words: new Map(words.flatMap(([english, ...forms]) => forms.map(form => [form, english!]))),
		verbs: new Map<string, VerbForm>([
			...verbs.flatMap(([english, infinitive, ...forms]) =>
				[infinitive!, ...forms].map(form => [form, {english: english!, infinitive: infinitive!, isFrequent: false}] as const)),
			...verbForms.map(([english, infinitive, form]) => [form!, {english: english!, infinitive: infinitive!, isFrequent: true}] as const),
		]),
		longest,
		english: new Set([phrases, words, verbForms, verbs].flat().flatMap(([english]) => english!.toLowerCase().split(' '))),
		irregular,
		inflections: createInflections(irregular),
	};
};

/** @throws {ConfigurationError} in a bundle that cannot find the file. */
export const loadFrenchTable = (): FrenchTable =>
	parseTable(brotliDecompressSync(readFileSync(packageFile('weights/french.br'))).toString());
