/** The README's example with the bundled encoder: a random identity reads an analyst's ten sentences a hundred times. */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import {openIdentity} from '../../src/identity/create-identity.ts';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {mulberry32} from '../actors/fixtures.ts';

const sentences = (await readFile(new URL('../../examples/analyst.txt', import.meta.url), 'utf8')).trim().split('\n');

test('a random identity that reads an analyst becomes analytic, and its translation names only directions that texts move', async t => {
	await using identity = await openIdentity({translator: templateTranslator, random: mulberry32(11), warn() {}});
	const before = identity.scaledProfile();
	t.is(before.examples, 2100);
	t.is(before.directions.filter(({moves}) => moves).length, 34);
	t.is((await identity.translate()).text, 'This identity began at random; only the movements that texts have caused since say anything '
		+ 'about it. Nothing about this identity stands out.');

	for (let round = 0; round < 100; round++) {
		await Promise.all(sentences.map(async sentence => identity.cycle(sentence)));
	}

	const after = identity.scaledProfile();
	// The change of z is the effect of the texts, without the random beginning.
	const risen = new Map(after.directions.map(({key, z}, i) => [key, z! - before.directions[i]!.z!]));
	const [first] = after.directions.filter(({moves}) => moves).toSorted((a, b) => risen.get(b.key)! - risen.get(a.key)!);
	t.like(first, {key: 'cognitive.analysis', pole: 'analytic'});
	t.true(risen.get(first!.key)! >= 1.5, `${first!.z}`);
	t.true(first!.percentile! >= 0.9, `${first!.percentile}`);
	for (const [i, {moves, value}] of after.directions.entries()) {
		t.true(moves || value === before.directions[i]!.value);
	}

	const {text} = await identity.translate();
	t.regex(text, /^This identity began at random; [^.]+\. I lean \w+ towards “/);
	const said = [...text.matchAll(/“([^”]+)” rather than/g)].map(([, pole]) => pole);
	t.true(said.includes('analytic'));
	t.true(said.every(pole => after.directions.some(direction => direction.pole === pole && direction.moves)));
});
