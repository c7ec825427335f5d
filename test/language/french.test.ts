/** The French translations: one for every phrase, and no other, with the same placeholders. */
import test from 'ava';
import {phrasesIn, readFrench, readPhrases, translatePage} from '../../scripts/french/program.ts';
import {describeUnheld, describeUnsaid} from '../../src/instruments/text-choice.ts';
import {countInEnglish, formatCount, formatFixed, phrase, setLanguage} from '../../src/platform/phrase.ts';

const [phrases, french] = await Promise.all([readPhrases(), readFrench()]);

const translationsOf = (key: string): string[] => {
	const found = french[key]!;
	return typeof found === 'string' ? [found] : [found.one, found.other];
};

const placeholdersIn = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).toSorted();

test.afterEach.always(() => setLanguage('en', {}));

test('every phrase of the code, the pages and the glossary has a translation, and nothing else has', t => {
	t.deepEqual([...phrases].filter(key => !Object.hasOwn(french, key)), []);
	t.deepEqual(Object.keys(french).filter(key => !phrases.has(key)), [], 'Remove them from data/french/program.json.');
});

test('a translation has the placeholders of its phrase', t => {
	t.deepEqual(Object.keys(french).filter(key =>
		translationsOf(key).some(text => placeholdersIn(text).join() !== placeholdersIn(key).join())), []);
});

test('French has no breaking spaces before punctuation, and has French quotation marks and apostrophes', t => {
	t.deepEqual(Object.keys(french).flatMap(translationsOf).filter(text => /[ \w][;!?»]| [:%]|« |["“”]|\p{L}'/u.test(text)), []);
});

test('phrases are found in templates of several lines and in counted nouns', t => {
	t.deepEqual(phrasesIn('a.ts', 'phrase`State ${id} is\n\t\tmade of ${text}.`; formatCount(3, \'text\'); `${not} this`'), [
		'State {0} is made of {1}.', '{0} texts',
	]);
});

test('a page is translated by element: its text with inner elements, and its attributes', t => {
	const words: Record<string, string> = {'The {0} of {1} moved.': '{1} : {0}', 'state': 'état', 'A name': 'Un nom'};
	t.is(
		translatePage(
			'<p>The <button class="word">state</button> of <code>self</code> moved.</p> <input placeholder="A name">',
			key => words[key] ?? `? ${key}`,
		),
		'<p><code>self</code> : <button class="word" data-word="state">état</button></p> <input placeholder="Un nom">',
	);
});

test('a translation may reorder values, and counts have plurals and groups of digits', t => {
	t.is(phrase`${2.5} of ${'Ada'}`, '2.5 of Ada');
	t.is(formatCount(1, 'text') + formatCount(0, 'text') + formatCount(12_345, 'text'), '1 text0 texts12,345 texts');
	setLanguage('fr', {'{0} of {1}': '{1} : {0}', '{0} texts': {one: '{0} texte', other: '{0} textes'}});
	t.is(phrase`${2.5} of ${'{0}'}`, '{0} : 2,5');
	t.is(formatCount(1, 'text') + formatCount(0, 'text') + formatCount(12_345, 'text'), '1 texte0 texte12\u202F345 textes');
	t.is(phrase`Nothing of ${1}.`, 'Nothing of 1.', 'a phrase without a translation stays English');
});

test('a name in an error has English quotation marks, because errors are always English', t => {
	setLanguage('fr', french);
	const unsaid = {by: 'sources', name: 'Benn', nearest: 'Ben'} as const;
	t.regex(describeUnsaid(unsaid), /^There are no texts of “Benn” since .*; nearest: “Ben”\./);
	t.regex(describeUnheld(unsaid), /^No text of “Benn” waits/);
});

test('a count in an error has an English plural', t => {
	setLanguage('fr', french);
	const counted = [countInEnglish(1, 'record'), countInEnglish(0, 'record'), countInEnglish(12_345, 'entry', 'entries')];
	t.deepEqual(counted, ['1 record', '0 records', '12,345 entries']);
});

test('a number that rounds to zero has no sign', t => {
	setLanguage('fr', french);
	t.deepEqual([-0.004, 0.004, -0, -0.005_1, -12].map(number => formatFixed(number, 2)), ['0,00', '0,00', '0,00', '-0,01', '-12,00']);
});
