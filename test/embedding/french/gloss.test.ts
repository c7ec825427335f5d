import test from 'ava';
import {english, french as frenchPairs} from '../../../benchmarks/sentences/pairs.ts';
import {glossFrench} from '../../../src/embedding/french/gloss.ts';
import {isFrench} from '../../../src/embedding/french/glossed-model.ts';
import {loadFrenchTable} from '../../../src/embedding/french/table.ts';
import fc from '../../helpers/fast-check.ts';

const table = loadFrenchTable();

const becomes = (rule: string, cases: Readonly<Record<string, string>>) => {
	test(rule, t => {
		for (const [french, expected] of Object.entries(cases)) {
			t.is(glossFrench(french, table).english, expected, french);
		}
	});
};

becomes('words become English one by one, in all their forms', {
	'Mes clés': 'my key',
	'les chevaux travaillaient': 'the horses work',
	'Elle a acheté une voiture neuve.': 'she has buy a car new .',
});
becomes('the second part of a negation stands in front of the verb', {
	'Je ne crois plus à rien.': 'I no longer believe to nothing .',
	'Je n\'ai pas encore mangé.': 'I not yet have eat .',
	'Il n\'a que deux frères.': 'he only has two brother .',
	'Personne ne parle.': 'nobody speak .',
});
becomes('a pronoun of the subject itself goes, and another stands behind its verb', {
	'Je me lave.': 'I wash .',
	'Il me voit.': 'he see me .',
	'Je l\'ai vu.': 'I have see it .',
	'Nous avons faim': 'we be hungry',
});
becomes('a form of a noun and a verb is what its place says', {
	'La porte est fermée.': 'the door is closed .',
	'Il porte un sac.': 'he carry a bag .',
	'Ferme la porte.': 'close the door .',
});
becomes('phrases are read as one, whatever the form of their verb', {
	'J\'ai besoin de toi.': 'I need you .',
	'Tu avais peur': 'you be afraid',
	'Dis-moi, tu as faim ?': 'say me , you be hungry ?',
	'aujourd\'hui': 'today',
});

test('a word that the table lacks stays, and counts as unknown unless it is a name', t => {
	t.deepEqual(glossFrench('Le xylorimba dort', table), {english: 'the xylorimba sleep', unknownShare: 9 / 15});
	t.is(glossFrench('Je parle à Zbigniew.', table).unknownShare, 0);
});

test('any text has a gloss, and a share between 0 and 1', t => {
	fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 200}), text => {
		const {english: glossed, unknownShare} = glossFrench(text, table);
		return typeof glossed === 'string' && unknownShare >= 0 && unknownShare <= 1;
	}));
	t.pass();
});

test('sentences in French are taken for French, and those in English are not', t => {
	const sentences = (pairs: typeof english) => pairs.flatMap(([a, b]) => [a, b]);
	t.deepEqual(sentences(frenchPairs).filter(text => !isFrench(text, table)), []);
	t.deepEqual(sentences(english).filter(text => isFrench(text, table)), []);
});

for (const [language, texts] of Object.entries({
	German: ['Du bist da, und es ist spät.', 'Ich habe meine Schlüssel verloren.'],
	Spanish: ['La casa es de tu padre.', 'No he dormido en toda la noche.'],
	Italian: ['Non ho dormito tutta la notte.', 'La mia vita è bella.'],
	Portuguese: ['Não dormi a noite inteira.', 'A vida é bela.'],
})) {
	test(`${language} is not taken for French`, t => {
		t.deepEqual(texts.filter(text => isFrench(text, table)), []);
	});
}
