/**
 * Packs the table that translates French words into English, `weights/french.br`: the glosses of `data/french`, each with
 * the inflected forms of its word. The forms come from npm's `dictionary-fr`.
 */
import {copyFile, mkdir, readFile, writeFile} from 'node:fs/promises';
import {brotliCompressSync, constants} from 'node:zlib';
import {readLemmas, type Lemma} from './forms.ts';

type Gloss = readonly [french: string, english: string, infinitive?: string];

/** The glosses of a file, those of the most frequent words first. */
export const readGlosses = async (name: string): Promise<Gloss[]> => {
	const text = await readFile(new URL(`../../data/french/${name}.tsv`, import.meta.url), 'utf8');
	return text.trim().split('\n').map(line => line.split('\t') as unknown as Gloss);
};

const readDictionaryFile = async (ending: string) => readFile(`node_modules/dictionary-fr/index.${ending}`, 'utf8');

/** The dictionary's words, by their lemma. */
const readDictionary = async (): Promise<Map<string, Lemma[]>> =>
	Map.groupBy(readLemmas(await readDictionaryFile('aff'), await readDictionaryFile('dic')), ({lemma}) => lemma);

/** A line for each gloss: the English, the lemma, and those of its forms that are neither a lemma nor of an earlier gloss. */
const linesOf = (glosses: readonly Gloss[], formsOf: (lemma: string) => readonly string[], known: readonly string[] = []): string[] => {
	const taken = new Set([...known, ...glosses.map(([lemma]) => lemma)]);
	return glosses.map(([lemma, english]) => {
		const forms = [...new Set(formsOf(lemma))].filter(form => !taken.has(form));
		forms.forEach(form => taken.add(form));
		return [english, lemma, ...forms].join('\t');
	});
};

/** The table's text: phrases; words; forms of verbs with a separate gloss; other verbs; irregular English. Blank lines separate them. */
export const frenchTable = async (): Promise<string> => {
	const dictionary = await readDictionary();
	const formsOf = (isVerb: boolean) => (lemma: string): string[] =>
		(dictionary.get(lemma) ?? []).filter(entry => entry.isVerb === isVerb).flatMap(({forms}) => forms);
	const [functionWords, words, verbForms, verbs, phrases, past, plurals] = await Promise.all(
		['function-words', 'words', 'verb-forms', 'verbs', 'phrases', 'english-past', 'english-plurals'].map(readGlosses));
	return [
		linesOf(phrases!, () => []),
		linesOf([...functionWords!, ...words!], formsOf(false)),
		verbForms!.map(([form, english, infinitive]) => [english, infinitive, form].join('\t')),
		linesOf(verbs!, formsOf(true), verbForms!.map(([form]) => form)),
		...[past!, plurals!].map(rows => rows.map(row => row.join('\t'))),
	].map(lines => lines.join('\n')).join('\n\n');
};

export const packTable = (table: string): Buffer => brotliCompressSync(table, {params: {
	[constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
	[constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
}});

if (import.meta.main) {
	await mkdir('weights', {recursive: true});
	await writeFile('weights/french.br', packTable(await frenchTable()));
	await copyFile('node_modules/dictionary-fr/license', 'weights/french.LICENSE');
	await writeFile('weights/french.NOTICE', `french.br holds French words with their English, by the authors of processual-state, and the forms
of these words as the dictionary of Dicollecte has them (https://grammalecte.net/), published in the npm package
dictionary-fr. Those forms are licensed under the Mozilla Public License, version 2.0 (french.LICENSE);
their source is in that package, and scripts/french/pack.ts makes french.br of it.
`);
}
