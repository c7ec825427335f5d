/** `look` and `import history`: logs become an identity, the findings are printed, and an interrupted call resumes. */
import {mkdir, mkdtemp, symlink, writeFile} from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import os, {tmpdir} from 'node:os';
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {replayHistory, type ReplayOptions} from '../../../src/commands/history/replay-history.ts';
import {drawPath} from '../../../src/commands/history/describe-findings.ts';
import {usualSettingsOfLook, type LookOptions} from '../../../src/commands/look.ts';
import {StagedHistory, type StagedText} from '../../../src/commands/history/staged-history.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import {EmbeddingError, StoreError} from '../../../src/platform/errors.ts';
import {startIdentity} from '../../actors/fixtures.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {run, runWithDefaults} from '../run-command.ts';
import {lines, readFolder, text} from './read-history.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';

const minute = 60_000;

/** Texts of two people, ten a day. */
const history = (count: number): StagedText[] => Array.from({length: count}, (_, i) => ({
	id: `text-${i}`, content: `Text ${i % 31}.`, source: ['Ada', 'Ben'][i % 2]!, conversation: null,
	saidAt: Date.UTC(2020, 4, 1) + Math.floor(i / 10) * 1440 * minute + i % 10 * minute,
}));

const options = (total: number, change: Partial<ReplayOptions> = {}): ReplayOptions =>
	({validateBefore: Math.floor(total / 2), total, heard: 0, note: 'Until then.', onText() {}, ...change});

const runCommand = async (t: ExecutionContext, words: string[]) => (await run(t, words)).ended;

test('an interrupted history resumes where it stopped, and leads to the same state', async t => {
	const texts = history(460);
	const whole = await startIdentity();
	t.teardown(whole.identity.dispose);
	await replayHistory(whole.identity, texts, options(460, {validateBefore: null}));

	const folder = await temporaryFolder(t);
	const first = await startIdentity({journal: createSqliteJournal({folder})});
	const cutOff = function * () {
		yield * texts.slice(0, 437);
		throw new Error('killed');
	};

	await t.throwsAsync(replayHistory(first.identity, cutOff(), options(460)), {message: 'killed'});
	await first.identity.dispose();

	const second = await startIdentity({journal: createSqliteJournal({folder})});
	t.teardown(second.identity.dispose);
	const done: number[] = [];
	const {heard, validation} = await replayHistory(second.identity, texts, options(460, {onText: each => done.push(each)}));
	t.is(heard, 23);
	t.is(done.at(-1), 460);
	deepEqual(t, second.identity.tensor().dimensions, whole.identity.tensor().dimensions);
	// Half-way there were too few texts: it is validated as soon as there are enough.
	t.true(validation !== null || (await second.identity.drift()).validation!.texts >= 400);
});

test('a text that cannot be embedded ends the history with its error, though earlier texts are still under way', async t => {
	const first = Promise.withResolvers<object>();
	const identity = {
		async importText({id}: StagedText) {
			if (id === 'text-1') {
				throw new EmbeddingError('The server is away.');
			}

			return first.promise;
		},
	} as unknown as LocalIdentity;
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', note);
	t.teardown(() => process.off('unhandledRejection', note));
	const replaying = replayHistory(identity, history(2), options(2, {validateBefore: null}));
	// Here, an unhandled rejection would end the program.
	await setImmediate();
	first.resolve({});
	await t.throwsAsync(replaying, {instanceOf: EmbeddingError, message: 'The server is away.'});
	t.deepEqual(unhandled, []);
});

test('a whole history can be the baseline, and a later call says that its validation stays', async t => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(identity.dispose);
	const texts = history(460);
	const first = await replayHistory(identity, texts, options(460, {validateBefore: 460}));
	t.is(first.validation?.stateId, 460);
	t.is(first.problem, null);
	const again = await replayHistory(identity, texts, options(460, {validateBefore: 460}));
	t.is(again.problem, null);
	const other = await replayHistory(identity, texts, options(460, {validateBefore: 440}));
	t.is(other.validation, null);
	t.regex(other.problem!, /validated it at state 460, and\s+that validation stays\. .* new folder \(--data-dir\)/);
});

test('look hears once what a forked session of Claude Code copies', async t => {
	const folder = await temporaryFolder(t);
	await mkdir(path.join(folder, 'logs'));
	const line = (sessionId: string, uuid: string, content: string) =>
		({type: 'user', sessionId, uuid, timestamp: `2026-11-30T20:26:0${uuid}Z`, message: {role: 'user', content}});
	for (const [id, last] of [['6cb', line('6cb', '2', 'Second.')], ['3ba', line('3ba', '3', 'Another.')]] as const) {
		await writeFile(path.join(folder, `logs/${id}.jsonl`), lines(line(id, '1', 'First.'), last));
	}

	const {output} = await runCommand(t, ['look', path.join(folder, 'logs'), '--data-dir', path.join(folder, 'data')]);
	t.regex(output, /Duplicates in several files, heard once: 1 text\./);
});

test('look prints formats, texts, sources, times and duplicates, and names what it cannot read by file and line', async t => {
	const folder = await temporaryFolder(t);
	const entry = (content: string, source: string, hour: number) => ({content, source, said_at: `2026-01-0${hour}T10:00:00Z`});
	const talk = lines({kind: 'state', content: 'I am a listener.'}, entry('Hello.', 'Ada', 1), entry('Good day.', 'bot-7', 2),
		entry('Hello.', 'Ada', 3));
	await mkdir(path.join(folder, 'logs'));
	await writeFile(path.join(folder, 'logs/a.jsonl'), `${talk}{"content": \n`);
	await writeFile(path.join(folder, 'logs/b.jsonl'), lines(entry('Hello.', 'Ada', 1)));
	await writeFile(path.join(folder, 'logs/c.bin'), 'no log');
	await writeFile(path.join(folder, 'logs/d.zip'), `PK\u0003\u0004\n${talk}`);
	const data = path.join(folder, 'data');
	const words = ['look', path.join(folder, 'logs'), '--data-dir', data, '--self', 'bot-7'];
	const {code, output, errors} = await runCommand(t, words);
	t.is(code, 0, errors);
	t.regex(output, /JSON Lines +2 +3\n/);
	t.regex(output, /3 texts of 2 sources, from 2026-01-01 to 2026-01-03; 1 of them by the agent\./);
	t.regex(output, /Duplicates in several files, heard once: 1 text\./);
	t.regex(output, /3 could not be read:\n {2}\S+a\.jsonl, line 5: it is not JSON.*\n {2}\S+c\.bin: its format is unknown/);
	t.regex(output, /d\.zip: it is an archive: unpack it first/);
	t.regex(output, /needs 400 texts, .*\. There are 3 texts, 2 of them by others, in 2 conversations; at the pace until 3 January 2026, /);
	t.regex(output, /that is reached on \d+ \w+ 20\d\d\./);

	const again = await runCommand(t, words);
	t.regex(again.output, /Texts skipped: 3\. The identity has already heard everything until 2026-01-03T10:00:00\.000Z\./);
	const other = await runCommand(t, ['ledger', '--data-dir', data, '--by', 'text']);
	t.regex(other.output, /self +1 .*2026-01-02 10:00 +Good day\./);
	t.is((await runCommand(t, ['look', folder, '--validate', 'soon', '--data-dir', path.join(folder, 'other')])).code, 1);
});

test('a short history in a language that the model does not read is heard to its end', async t => {
	const folder = await temporaryFolder(t);
	const sentences = [
		'Je n’ai pas dormi de la nuit.', 'La mer est calme ce matin.', 'Nous avons perdu les clés de la maison.',
		'Il ne faut pas lui en vouloir.',
	];
	await writeFile(path.join(folder, 'talk.jsonl'), lines(...Array.from({length: 12}, (_, i) =>
		({content: `${sentences[i % 4]!} (${i})`, source: 'Ada', said_at: `2026-01-${10 + i}T10:00:00Z`}))));
	const words = ['look', path.join(folder, 'talk.jsonl'), '--data-dir', path.join(folder, 'data')];
	const {code, output, errors} = await runWithDefaults(t, words).then(async ({ended}) => ended);
	t.is(code, 0, errors);
	t.regex(output, /There are 12 texts, 12 of them by others, in 12 conversations.*does not read \(\d+ in “fr”/);
});

test('“look” refuses a folder with an identity; “import history” creates one or continues it', async t => {
	const folder = await temporaryFolder(t);
	const data = path.join(folder, 'data');
	const file = path.join(folder, 'talk.csv');
	await writeFile(file, 'said_at,source,content\n2025-01-01T10:00:00Z,Ada,Hello.\n2025-01-02T10:00:00Z,Ben,Good day.\n');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: path.join(data, 'journal')})});
	await identity.cycle('I was here before.');
	await identity.dispose();
	const refused = await runCommand(t, ['look', file, '--data-dir', data]);
	t.is(refused.code, 1);
	t.regex(refused.errors, /already has an identity.*--data-dir.*import history/s);

	const words = ['import', 'history', file, '--data-dir', path.join(folder, 'other')];
	t.regex((await runCommand(t, words)).output, /Texts heard: 2\. The identity is at state 2\./);
	const later = '2025-01-02T10:00:00Z,Ben,Good day.\n2025-01-02T10:00:00Z,Ada,Yes.\n2525-01-01,Ada,Soon.\n';
	await writeFile(file, `said_at,source,content\n${later}`);
	t.regex((await runCommand(t, words)).output, /time in the future, 2525-01-01[^]*skipped: 1\..*2025-01-02[^]*heard: 1\. .* at state 3\./);

	const here = words.slice(-2);
	t.regex((await runCommand(t, ['say', 'I am back.', '--source', 'Eve', ...here])).output, /^State 4\./);
	t.regex((await runCommand(t, ['why', ...here])).output, /Eve +1 /);
	t.regex((await runCommand(t, ['who-am-i', '--help'])).output, /profile\|who-am-i/);
});

test('symbolic links are followed without cycles, and each file is read once', async t => {
	const folder = await temporaryFolder(t);
	const elsewhere = await temporaryFolder(t);
	const entry = (content: string) => lines({content, source: 'Ada', said_at: '2026-01-01T10:00:00Z'});
	await mkdir(path.join(folder, 'logs'));
	await writeFile(path.join(folder, 'logs/here.jsonl'), entry('Here.'));
	await writeFile(path.join(elsewhere, 'there.jsonl'), entry('There.'));
	await symlink(path.join(elsewhere, 'there.jsonl'), path.join(folder, 'a-file.jsonl'));
	await symlink(elsewhere, path.join(folder, 'a-folder'));
	await symlink(folder, path.join(folder, 'logs/circle'));
	await symlink('itself', path.join(folder, 'itself'));
	await symlink('gone', path.join(folder, 'nothing'));
	const {found} = await readFolder(folder);
	t.deepEqual(found, ['There.', 'Here.'].map(content => text(content, 'Ada', null, '2026-01-01T10:00:00Z')));
});

test('look uses the folder that is named, even the default of a service; otherwise a temporary one for each question', async t => {
	const file = path.join(await temporaryFolder(t), 'talk.csv');
	await writeFile(file, 'said_at,source,content\n2026-01-01T10:00:00Z,Ada,Hello.\n');
	for (const [words, environment] of [[['--data-dir', '.processual'], {}], [[], {DATA_DIR: '.processual'}]] as const) {
		const {ended} = await runWithDefaults(t, ['look', file, ...words], environment);
		t.regex((await ended).output, /^The identity is in \.processual\./m);
	}

	const temporary = await mkdtemp(path.join(tmpdir(), 'look-'));
	const {ended} = await runWithDefaults(t, ['look', file], {TMPDIR: temporary});
	const {output} = await ended;
	t.true(output.includes(`The identity is in ${path.join(temporary, 'processual-')}`), output);

	const folderOf = (asked: Omit<LookOptions, 'serve'>) => usualSettingsOfLook([file], asked).DATA_DIR;
	t.is(folderOf({validate: '2026-01-02', self: ['bot']}), folderOf({validate: '2026-01-02', self: ['bot']}));
	const asked = [{}, {validate: '2026-01-02'}, {validate: '2026-01-03'}, {self: ['bot']}];
	t.is(new Set(asked.map(folderOf)).size, asked.length, 'another question has another folder');
});

test.serial('look finds a folder for a user without a name, as in a container', t => {
	const {userInfo} = os;
	t.teardown(() => {
		os.userInfo = userInfo;
		syncBuiltinESMExports();
	});
	os.userInfo = () => {
		throw new Error('uv_os_get_passwd returned ENOENT');
	};
	syncBuiltinESMExports();
	t.is(path.dirname(path.dirname(String(usualSettingsOfLook(['talk.csv'], {}).DATA_DIR))), tmpdir());
});

test('a temporary file that cannot be written is an error with a plain message', async t => {
	const file = path.join(await temporaryFolder(t), 'missing', 'waits.sqlite');
	t.throws(() => new StagedHistory(file), {
		instanceOf: StoreError, message: /waits\.sqlite, the temporary file .* cannot be written .*--data-dir/,
	});
});

test('look keeps its identity in the folder even if DATABASE_URL is set', async t => {
	const file = path.join(await temporaryFolder(t), 'talk.csv');
	await writeFile(file, 'said_at,source,content\n2026-01-01T10:00:00Z,Ada,Hello.\n');
	const data = path.join(path.dirname(file), 'data');
	const {ended} = await run(t, ['look', file, '--data-dir', data], {DATABASE_URL: 'postgres://nowhere.invalid/identities'});
	const {code, output, errors} = await ended;
	t.is(code, 0, errors);
	t.regex(output, /DATABASE_URL is set, and names another place: unset it first\./);
	t.regex((await runCommand(t, ['sources', '--data-dir', data])).output, /Ada/);
});

test('the bar chart fits the terminal, so that the marks stay under the bars', t => {
	const looks = Array.from({length: 90}, (_, i) =>
		({distance: i / 30, timestamp: new Date(Date.UTC(2026, 8, 1 + i)).toISOString(), stateId: i})) as never;
	for (const [width, bars] of [[Infinity, 60], [80, 54], [40, 14]] as const) {
		const [line, over] = drawPath({path: looks, limit: 1.5}, width)!.split('\n');
		t.regex(line!, new RegExp(`^[▁-█]{${bars}}  2026-09-01 to 2026-11-29$`));
		t.regex(over!, new RegExp(`^ +\\^+$`));
		t.is(over!.length, bars);
	}
});

test('the note about languages that the model does not read is printed once', async t => {
	const folder = await temporaryFolder(t);
	const said = Array.from({length: 800}, (_, i) => ({
		content: ['我今天很高兴。', '今天天气很好。', 'The sea is quiet.'][i % 3], source: ['Ada', 'Ben'][i % 2],
		conversation: `c${Math.floor(i / 8)}`, said_at: new Date(Date.UTC(2026, 0, 1) + i * 60 * minute).toISOString(),
	}));
	const file = path.join(folder, 'log.jsonl');
	await writeFile(file, lines(...said));
	const {output} = await (await runWithDefaults(t, ['look', file, '--data-dir', path.join(folder, 'data')])).ended;
	t.is(output.match(/languages that the embedding model does not read/g)?.length, 1, output);
});
