/** `processual dry-run` and `what-if`: they answer, on a stopped service's journal, what it answered. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {openIdentity} from '../../src/identity/create-identity.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {ask} from './ask.ts';

/** Lives with the bundled encoder. @returns what the identity answers, and the settings that name its journal */
const live = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'ask-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const identity = await openIdentity({journal: createSqliteJournal({folder: path.join(folder, 'journal')})});
	for (const [content, source] of [['The sea was rough.', 'ada'], ['I trust nobody.', 'bo'], ['The boats stay in.', 'ada']] as const) {
		await identity.cycle({content, metadata: {source}});
	}

	const dry = await identity.dryRun('The sea is quiet.');
	const otherwise = await identity.whatIf({from: 1, without: {sources: ['ada']}, add: ['The sea is quiet.']});
	await identity.dispose();
	return {dry, otherwise, settings: readSettings({DATA_DIR: folder, CORROBORATING_THOUGHTS: '0'}, {})};
};

test('they answer what the running service answered, as a table or as the wire’s fields', async t => {
	const {dry, otherwise, settings} = await live(t);
	const {
		turn_mrad,
		dissonance_total,
		moves,
		nearest,
	} = JSON.parse(await ask(settings, 'dry-run', 'The sea is quiet.', '--json')) as Record<string, unknown>;
	t.deepEqual({turn_mrad, dissonance_total, nearest}, {
		turn_mrad: dry.turnMrad,
		dissonance_total: dry.dissonanceTotal,
		nearest: [...dry.nearest],
	});
	t.deepEqual(
		(moves as Array<{key: string; change: number}>).map(({key, change}) => [key, change]),
		dry.moves.map(({key, change}) => [key, change]),
	);
	const table = await ask(settings, 'dry-run', 'The sea is quiet.');
	t.regex(table, /^Dissonance \d\.\d{3}\. It would turn the state by 0\.\d{3} mrad\.\n\ndirection/);
	t.regex(table, /nearest text\n.*The sea was rough\./);

	const words = ['--from', '1', '--without-source', 'ada', '--add', 'The sea is quiet.'];
	const {
		angle_mrad,
		left_out,
		words: sentences,
		directions,
	} = JSON.parse(await ask(settings, 'what-if', ...words, '--json')) as Record<string, unknown>;
	t.deepEqual({angle_mrad, left_out, sentences}, {angle_mrad: otherwise.angleMrad, left_out: 1, sentences: [...otherwise.words]});
	t.is((directions as unknown[]).length, 10);
	t.regex(
		await ask(settings, 'what-if', ...words),
		/^Texts since state 1: 2; left out: 1; added: 1\. The other self is \d\.\d mrad away\.\n.*\n\ndirection/,
	);
});

test('without a journal they say so', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'ask-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await t.throwsAsync(ask(readSettings({DATA_DIR: folder}, {}), 'dry-run', 'A text.'), {
		code: 'unknown_identity',
		message: /no journal was begun/,
	});
});
