/** `processual validate`: the identity of a stopped service is validated, without a model. */
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {BaselineTooShortError, InputError, JournalError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {ask} from './ask.ts';
import {pattern} from '../helpers/pattern.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const prepare = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'validate-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const journal = path.join(folder, 'journal');
	return {
		folder, journal, settings: readSettings({DATA_DIR: folder}, {}),
		start: async () => startIdentity({journal: createSqliteJournal({folder: journal})}),
	};
};

test('validate approves the state that the service stopped with, and the next start has the validation', async t => {
	const {settings, journal, start} = await prepare(t);
	const {identity} = await start();
	await talk(identity);
	const {dimensions} = identity.tensor();
	await identity.dispose();

	t.regex(await ask(settings, 'validate', 'As it is.'), pattern(
		/^State 400 is validated: “As it is\.”\.\n/,
		/The baseline has 400 texts, 400 of them by others, in 40 conversations of 2 sources, since 2026-01-01 00:00\.$/,
	));
	const reader = new JournalReader(journal);
	t.deepEqual((await reader.validation())!.anchor.thirdness, dimensions.thirdness);
	const {note, baseline} = reader.validated!;
	reader.close();
	const again = await start();
	t.teardown(async () => again.identity.dispose());
	t.like(again.identity.actor.getSnapshot().context.validation, {note, baseline});
	deepEqual(t, again.identity.tensor().dimensions, dimensions);
});

test('with --json, validate prints the fields of POST /validate', async t => {
	const {settings, start} = await prepare(t);
	const {identity} = await start();
	await talk(identity);
	await identity.dispose();
	const {id, timestamp, ...answer} = JSON.parse(await ask(settings, 'validate', 'As it is.', '--json')) as Record<string, unknown>;
	t.deepEqual(
		answer,
		{state_id: 400, note: 'As it is.', baseline: {texts: 400, heard: 400, conversations: 40, sources: 2, from: '2026-01-01T00:00:00.000Z'}},
	);
	t.is(typeof id, 'string');
	t.is(typeof timestamp, 'string');
});

test('validate refuses too few texts, a blank note and a running service, and writes nothing', async t => {
	const {settings, journal, start} = await prepare(t);
	const {identity} = await start();
	await talk(identity, {texts: 5, conversations: 2});
	await t.throwsAsync(ask(settings, 'validate', 'As it is.'), {instanceOf: JournalError, message: /process/});
	await identity.dispose();
	await t.throwsAsync(
		ask(settings, 'validate', 'As it is.'),
		{instanceOf: BaselineTooShortError, message: /so far it has 5 texts, 5 of them by others, in 2 conversations\./},
	);
	await t.throwsAsync(ask(settings, 'validate', ' '), {instanceOf: InputError});
	using reader = new JournalReader(journal);
	t.is(reader.records, 5);
});

test('without a journal, validate fails and creates none', async t => {
	const {folder, settings} = await prepare(t);
	await t.throwsAsync(ask(settings, 'validate', 'As it is.'), {instanceOf: UnknownIdentityError, message: /no identity in .* yet/});
	t.deepEqual(await readdir(folder), []);
});
