import {readFileSync} from 'node:fs';
import test from 'ava';
import {hasReasoning} from '../../src/language/model-translator.ts';

const {english, french} = JSON.parse(readFileSync(
	new URL('../../data/reasoning-markers.json', import.meta.url),
	'utf8',
)) as Record<'english' | 'french', string[]>;

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{Mark}/gu, '');

for (const marker of [...english, ...french]) {
	test(`“${marker}” is reasoning, anywhere in a text and in any spelling`, t => {
		t.true(hasReasoning(marker), 'alone');
		t.true(hasReasoning(`The sea is calm, ${marker} the boats rest.`), 'in a sentence');
		t.true(hasReasoning(`${marker}, la mer est calme.`.toUpperCase()), 'in upper case');
		t.true(hasReasoning(`La mer est calme. ${withoutAccents(marker)} elle dort.`), 'without accents');
		t.true(hasReasoning(`La mer : **${marker.normalize('NFD').replaceAll('\'', '’').replaceAll(' ', '\n')}**.`), 'typeset');
	});
}

test('the list has each marker once', t => {
	const all = [...english, ...french].map(marker => withoutAccents(marker));
	t.deepEqual(all.filter((marker, i) => all.indexOf(marker) !== i), []);
});

const plain = [
	'I am calm, and the morning feels wide open.',
	'I think slowly, and I like it so.',
	'I trust my reasoning less than my hands.',
	'On the one hand I long for home; on the other I keep walking.',
	'I move step by step, because haste tires me.',
	'Henceforth I want to be gentle.',
	'My analysis of things is patient, and I enjoy it.',
	'Long walks let me think and breathe.',
	'I am slow to conclude and quick to listen.',
	'Thus far I have kept my promises.',
	'The values I hold are old ones.',
	'I read the data with a cool head.',
	'I lean towards order, so I tidy my days.',
	'As a result of so many mornings by the water, I am quiet.',
	'I follow what is just, even if it costs me.',
	'A second of silence is enough for me.',
	'I suggest little and ask much.',
	'Je suis calme, et le matin me semble vaste.',
	'Je pense lentement, et cela me plaît.',
	'D’une part je rêve de partir, d’autre part je reste.',
	'J’avance étape par étape, parce que la hâte me fatigue.',
	'Mon raisonnement est patient, mon cœur l’est moins.',
	'Nous réfléchissons ensemble, et j’aime cela.',
	'Je vis selon les valeurs de ma famille.',
	'Je suis donc là, tranquille et curieuse.',
	'J’ai du mal à conclure et du plaisir à écouter.',
	'J’agis en conséquence de mes promesses.',
	'Mes analyses sont froides, mes gestes sont tendres.',
	'Les données me rassurent, les visages aussi.',
	'Le premier élan me porte, le deuxième me retient.',
	'Je me résume en un mot : patience.',
	'Ma conséquence est ma fidélité.',
];
for (const sentence of plain) {
	test(`“${sentence}” is plain description`, t => {
		t.false(hasReasoning(sentence));
		t.false(hasReasoning(withoutAccents(sentence).toUpperCase()));
	});
}

test('a marker matches whole words only', t => {
	t.true(hasReasoning('Hence I rest.'));
	t.false(hasReasoning('Whence I came I do not know.'));
	t.false(hasReasoning('Thenceforward I rested.'));
	t.false(hasReasoning('hence2'));
	t.false(hasReasoning('éhence'));
});

test('an empty text has no reasoning', t => {
	t.false(hasReasoning(''));
	t.false(hasReasoning(' … '));
});
