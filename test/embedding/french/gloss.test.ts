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

becomes('words are translated one by one, in all their forms', {
	'une clé perdue': 'a key lost',
	'Elle a acheté une voiture neuve.': 'she bought a car new .',
});
becomes('a noun after a plural determiner is plural, even with an adjective between them', {
	'Mes clés': 'my keys',
	'les vieilles femmes': 'the old women',
	'Ils ont trois enfants.': 'they have three children .',
	'La clé': 'the key',
});
becomes('verbs are conjugated', {
	'les chevaux travaillaient': 'the horses worked',
	'Il parlera.': 'he will speak .',
	'Je chanterais.': 'I would sing .',
	'Elle rentrait, elle entra.': 'she went home , she entered .',
	'Elle connaît Paul.': 'she knows Paul .',
	'en chantant': 'singing',
	'Je vais partir.': 'I will leave .',
	'On est arrivés, on était contents.': 'we arrived , we were pleased .',
});
becomes('the auxiliary determines the translation of its participle', {
	'Ils ont perdu le match.': 'they lost the match .',
	'Ils avaient perdu.': 'they had lost .',
	'Elle est tombée.': 'she fell .',
	'La porte est fermée.': 'the door is closed .',
	'Il a été élu.': 'he was elected .',
	'Il n\'a pas dormi.': 'he did not sleep .',
	'Il n\'est pas fermé.': 'he is not closed .',
});
becomes('a reflexive verb may have another meaning', {
	'Tu te trompes.': 'you are wrong .',
	'Ils se sont disputés.': 'they argued .',
	'Tu trompes ton ami.': 'you deceive your friend .',
});
becomes('an infinitive has “to”, and a comparison “than”', {
	'J\'essaie de dormir.': 'I try to sleep .',
	'Il est plus grand que moi.': 'he is more big than me .',
});
becomes('the second part of a negation precedes the verb', {
	'Je ne crois plus à rien.': 'I no longer believe to nothing .',
	'Je n\'ai pas encore mangé.': 'I did not yet eat .',
	'Il n\'a que deux frères.': 'he only has two brothers .',
	'Personne ne parle.': 'nobody speaks .',
});
becomes('a reflexive pronoun is dropped, and an object pronoun follows its verb', {
	'Je me lave.': 'I wash .',
	'Il me voit.': 'he sees me .',
	'Je l\'ai vu.': 'I saw it .',
	'Nous avons faim': 'we are hungry',
});
becomes('a form of both a noun and a verb is translated by its place', {
	'La porte est lourde.': 'the door is heavy .',
	'Il porte un sac.': 'he carries a bag .',
	'Ferme la porte.': 'close the door .',
});
becomes('a phrase is translated as a whole, whatever the form of its verb', {
	'J\'ai besoin de toi.': 'I need you .',
	'Tu avais peur': 'you were afraid',
	'Dis-moi, tu as faim ?': 'say me , you are hungry ?',
	'aujourd\'hui': 'today',
});

test('a word that is not in the table is kept, and counts as unknown unless it is a name', t => {
	t.deepEqual(glossFrench('Le xylorimba dort', table), {english: 'the xylorimba sleeps', unknownShare: 9 / 15});
	t.is(glossFrench('Je parle à Zbigniew.', table).unknownShare, 0);
});

test('any text has a gloss, and an unknown share between 0 and 1', t => {
	fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 200}), text => {
		const {english: glossed, unknownShare} = glossFrench(text, table);
		return typeof glossed === 'string' && unknownShare >= 0 && unknownShare <= 1;
	}));
	t.pass();
});

test('French sentences are recognised as French, and English ones are not', t => {
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
	test(`${language} is not recognised as French`, t => {
		t.deepEqual(texts.filter(text => isFrench(text, table)), []);
	});
}
