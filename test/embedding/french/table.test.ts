import {readFile} from 'node:fs/promises';
import test from 'ava';
import {loadFrenchTable} from '../../../src/embedding/french/table.ts';
import {frenchTable, packTable, readGlosses} from '../../../scripts/french/pack.ts';
import {readLemmas} from '../../../scripts/french/forms.ts';

const files = ['function-words', 'words', 'verb-forms', 'verbs', 'phrases'];

/** Whether a word is in an English dictionary, in any form, also after a prefix. */
const english = async (): Promise<(word: string) => boolean> => {
	const read = async (ending: string) => readFile(`node_modules/dictionary-en-gb/index.${ending}`, 'utf8');
	const words = new Set(readLemmas(await read('aff'), await read('dic')).flatMap(({forms}) => forms.map(form => form.toLowerCase())));
	return word => words.has(word) || words.has(word.replace(/^(?:re|in|un|de|dis|im|con|pro|mis|over|me)/, ''));
};

for (const file of files) {
	test(`each gloss of ${file} is at most three English words`, async t => {
		const isEnglish = await english();
		const strange = (await readGlosses(file)).filter(([, gloss]) => {
			const words = gloss.toLowerCase().split(' ');
			return gloss !== '-' && (words.length > 3 || !words.every(word => word.split(/[-']/).every(part => part === 's' || isEnglish(part))));
		});
		t.deepEqual(strange, []);
	});

	test(`no word has two rows in ${file}`, async t => {
		const words = (await readGlosses(file)).map(([word]) => word);
		t.deepEqual(words.filter((word, index) => words.indexOf(word) !== index), []);
	});
}

test('no form of a word or of a verb appears twice', async t => {
	const [, words, frequent, verbs] = (await frenchTable()).split('\n\n').map(section => section.split('\n').map(line => line.split('\t')));
	const once = (forms: readonly string[]) => t.is(new Set(forms).size, forms.length);
	once(words!.flatMap(([, ...forms]) => forms));
	once([...frequent!.map(([, , form]) => form!), ...verbs!.flatMap(([, ...forms]) => forms)]);
});

test('the packed table has at most 400 kB', async t => {
	t.true(packTable(await frenchTable()).byteLength <= 400_000);
});

test('each irregular English form is of a word that the table has', t => {
	const {english: words, irregular: {past, plurals}} = loadFrenchTable();
	t.true(past.size > 100 && plurals.size > 40);
	t.deepEqual([...past.keys(), ...plurals.keys()].filter(word => !words.has(word)), []);
});
