/** The command in French: people read French, and programs read English. */
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {temporaryFolder} from '../../journal/records.ts';
import {runWithDefaults} from '../run-command.ts';
import {lines} from './read-history.ts';

test('look, and the questions after it, answer in French with LANGUAGE=fr; JSON and errors stay English', async t => {
	const folder = await temporaryFolder(t);
	const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 20), 10, n % 20)).toISOString();
	const texts = Array.from({length: 900}, (_, n) =>
		({content: `The sea is quiet today, said ${n % 37}.`, source: ['Ada', 'Ben'][n % 2], said_at: day(n)}));
	await writeFile(path.join(folder, 'log.jsonl'), lines(...texts));
	const data = ['--data-dir', path.join(folder, 'data')];
	const ask = async (...words: string[]) => (await runWithDefaults(t, [...words, ...data], {LANGUAGE: 'fr'})).ended;

	const looked = await ask('look', path.join(folder, 'log.jsonl'));
	t.is(looked.code, 0, looked.errors);
	t.regex(looked.output, /900 textes de 2 sources, du 2026-01-01 au 2026-02-14\u202F; aucun n’est de l’agent\./);
	t.regex(looked.output, /(?:Depuis le|Pas encore de validation)/);
	t.regex(looked.output, /L’identité est dans .*\. Pour l’interroger\u00A0:/);

	const {output} = await ask('ledger');
	t.regex(output, /^État 900, fait de 900 cycles depuis l’état 0 du 2026/);
	t.regex(output, /\nsource +textes +part\n/);
	t.regex((await ask('drift')).output, /^Depuis le 1er janvier 2026, elle s’est déplacée de \d+ mrad en 900 textes\.|^Depuis le \d/);
	t.deepEqual(Object.keys(JSON.parse((await ask('ledger', '--json')).output) as object).slice(0, 2), ['state_id', 'by']);
	t.regex((await ask('diff', '--from', 'no-such')).errors, /is not a moment/);
});
