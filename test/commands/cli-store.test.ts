/** `processual begin`, `import` and `export`, as a person uses them. */
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import ava from 'ava';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {fails, says, startModelServer} from '../language/model-server.ts';
import {run, runWithDefaults} from './run-command.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../../examples/person/${name}`, import.meta.url));

/** One after another: each starts processes, and all at once would starve the machine. */
const test = ava.serial;

test('begin --again moves a random identity aside and begins with the stored state', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-again-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const runHere = async (...given: string[]) => (await run(t, [...given, '--data-dir', folder])).ended;
	const nothing = await runHere('begin');
	t.is(nothing.code, 1);
	t.regex(nothing.errors, /nothing to begin with: .* has no state\. Import one with/);

	const random = await run(t, ['serve', '--port', '0', '--data-dir', folder]);
	await random.ready();
	random.child.kill('SIGTERM');
	await random.ended;
	t.regex(
		(await runHere('import', 'state', sample('state.jsonl'))).output,
		/already has an identity, which keeps its own state.*processual begin --again/,
	);
	const refused = await runHere('begin');
	t.is(refused.code, 1);
	t.regex(refused.errors, /already has an identity with 0 records\. “processual begin --again” moves it aside/);

	const begun = await runHere('begin', '--again');
	t.is(begun.code, 0, begun.errors);
	t.regex(begun.output, /^The identity begins with state 1 of the store\. The old journal is kept in .*journal~1\.\n$/);
	const {ready, lines} = await run(t, ['serve', '--port', '0', '--data-dir', folder, '--require-store', 'true']);
	await ready();
	t.false(lines().some(({msg}) => msg.includes('RANDOM')));
	using old = new JournalReader(path.join(folder, 'journal~1'));
	t.true(old.genesis.isRandom);
});

test('begin --again moves nothing if it is killed while its model loads', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-killed-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const random = await run(t, ['serve', '--port', '0', '--data-dir', folder]);
	await random.ready();
	random.child.kill('SIGTERM');
	await random.ended;

	// A model server that never answers.
	const server = createServer().listen(0, '127.0.0.1');
	t.teardown(() => server.close().closeAllConnections());
	await once(server, 'listening');
	const model = 'openai:slow';
	const slow = {EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`};
	const file = path.join(folder, 'state.jsonl');
	const vector = Array.from({length: 1024}, () => 1);
	await writeFile(file, JSON.stringify({state_id: 1, timestamp: '2026-09-01T06:00:00Z', model, vector}));
	t.is((await (await run(t, ['import', 'state', file, '--data-dir', folder], slow)).ended).code, 0);
	const {child, ended} = await run(t, ['begin', '--again', '--data-dir', folder], slow);
	await once(server, 'request');
	child.kill('SIGKILL');
	await ended;
	using kept = new JournalReader(path.join(folder, 'journal'));
	t.true(kept.genesis.isRandom);
});

test('the sample person is imported, checked, served, translated and exported', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-person-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const runHere = async (...given: string[]): Promise<string> => {
		const {code, output, errors} = await (await runWithDefaults(t, [...given, '--data-dir', folder])).ended;
		t.is(code, 0, errors);
		return output;
	};

	t.is(await runHere('import', 'state', sample('state.jsonl')), '1 entry read: 1 added, 0 replaced, 0 unchanged, 0 rejected.\n');
	t.regex(await runHere('import', 'thoughts', sample('thoughts.jsonl')), /^60 entries read: 60 added/);
	t.regex(await runHere('import', 'messages', sample('messages.csv')), /^40 entries read: 40 added/);
	t.regex(
		await runHere('doctor', '--port', '0', '--profile-file', sample('profile.json')),
		/✓ store: .*state 1 .*\n✓ reference: made of messages and the declared profile/,
	);

	const languageModel = await startModelServer(says('I am at home by the water.'), fails(401, 'unknown key', {}));
	t.teardown(async () => languageModel.close());
	const environment = {PROFILE_FILE: sample('profile.json'), LLM_BASE_URL: languageModel.url, LLM_MODEL: 'small', REQUIRE_STORE: 'true'};
	const {child, ended, ready} = await runWithDefaults(t, ['serve', '--port', '0', '--data-dir', folder], environment);
	const {port} = await ready();
	const ask = async (place: string, given?: RequestInit) =>
		(await fetch(`http://127.0.0.1:${port}${place}`, given)).json() as Promise<Record<string, unknown>>;
	t.like(await ask('/health'), {state_id: 1});
	t.like(await ask('/readyz'), {parts: {model: 'ok', state: 'ok', journal: 'ok', store: 'ok'}});
	const profile = await ask('/profile') as {
		reference_profile: Record<string, Record<string, {value: number}>>;
		reference_similarity: number;
	};
	t.true(profile.reference_similarity < 0.95, 'the reference is not a copy of the state');
	const declared = JSON.parse(await readFile(sample('profile.json'), 'utf8')) as Record<string, Record<string, number | null>>;
	const gaps = Object.entries(declared).flatMap(([category, values]) => Object.entries(values)
		.flatMap(([name, value]) => value === null ? [] : [Math.abs(profile.reference_profile[category]![name]!.value - value / 60)]));
	t.true(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length < 0.06, 'the reference agrees with the declared profile');
	const translation = await ask('/translate', {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: '{"context": "in a letter"}',
	});
	t.like(translation, {text: 'I am at home by the water.', reasoning_detected: false});
	t.is(typeof translation['faithfulness'], 'number');
	t.regex(JSON.stringify(languageModel.asked[0]), /in a letter/);
	t.regex(
		String((await ask('/translate', {method: 'POST'}))['detail']),
		/refuses a request without a key \(401\)\. Set LLM_API_KEY to a key/,
		'clients see the name of the setting',
	);
	const metadata = JSON.stringify({content: 'a', metadata: {text: 'b'.repeat(70_000)}});
	t.regex(
		String((await ask('/cycle', {method: 'POST', headers: {'content-type': 'application/json'}, body: metadata}))['detail']),
		/raise METADATA_LIMIT/,
	);
	child.kill('SIGTERM');
	t.is((await ended).code, 0);

	t.is((await runHere('export')).trim().split('\n').length, 1 + 60 + 1 + 40);
});

test('a rejected line is reported on stderr, and a file with only rejected lines fails the import', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-bad-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const file = path.join(folder, 'thoughts.jsonl');
	await writeFile(file, '{"content": ""}\n');
	const {code, output, errors} = await (await run(t, ['import', 'thoughts', file, sample('thoughts.jsonl')])).ended;
	t.is(code, 1);
	t.regex(output, /^1 entry read: 0 added.*1 rejected.*\n60 entries read: 60 added/);
	t.regex(errors, /^line 1 is rejected: it needs a “vector” or a “content” to embed/m);
});

test('the import in the guide of the cluster example reads its state from stdin', async t => {
	const guide = await readFile(new URL('../../examples/cluster/README.md', import.meta.url), 'utf8');
	const [, words, file] = /processual (import \w+ -) < \.\.\/(\S+)/.exec(guide)!;
	const {child, ended} = await run(t, words!.split(' '));
	child.stdin.end(await readFile(new URL(`../../examples/${file!}`, import.meta.url)));
	t.regex((await ended).output, /^1 entry read: 1 added/);
});

test('import and export are refused if the store is Weaviate', async t => {
	for (const given of [['import', 'state', sample('state.jsonl')], ['export']]) {
		const {code, errors} = await (await run(t, given, {WEAVIATE_URL: 'http://localhost:9'})).ended;
		t.is(code, 1);
		t.regex(errors, /WEAVIATE_URL.*cannot write or export/);
	}
});

test('an export never overwrites a file', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-export-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await (await run(t, ['import', 'messages', sample('messages.csv'), '--data-dir', folder])).ended;
	const file = path.join(folder, 'kept.jsonl');
	await writeFile(file, 'kept');
	const {code, errors} = await (await run(t, ['export', file, '--data-dir', folder])).ended;
	t.is(code, 1);
	t.regex(errors, /already exists\. Name a new file/);
	t.is(await readFile(file, 'utf8'), 'kept');
});

test('an export to a file reports the number of entries of each kind', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-export-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await (await run(t, ['import', 'messages', sample('messages.csv'), '--data-dir', folder])).ended;
	const file = path.join(folder, 'new.jsonl');
	const {code, output, errors} = await (await run(t, ['export', file, '--data-dir', folder])).ended;
	t.is(code, 0);
	t.is(output, '');
	t.is(errors, `${file} has 0 states, 0 thoughts, 0 directions, 40 messages.\n`);
	t.is((await readFile(file, 'utf8')).trim().split('\n').length, 40);
	t.is((await (await run(t, ['export', '-', '--data-dir', folder])).ended).output, await readFile(file, 'utf8'));
	const nowhere = await (await run(t, ['export', path.join(file, 'x.jsonl'), '--data-dir', folder])).ended;
	t.is(nowhere.code, 1);
	t.regex(nowhere.errors, /x\.jsonl cannot be written: ENOTDIR.*Name a file in a folder that this process may write/);
	t.notRegex(nowhere.errors, /\n\s+at /);
});

test('an export of an unknown identity is refused, and writes no file', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-export-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await (await run(t, ['import', 'messages', sample('messages.csv'), '--data-dir', folder])).ended;
	const file = path.join(folder, 'new.jsonl');
	const {code, errors} = await (await run(t, ['export', file, '--data-dir', folder, '--identity', 'adaa'])).ended;
	t.is(code, 1);
	t.regex(errors, /^There is no identity in .*adaa yet\. Set DATA_DIR and IDENTITY/);
	t.false(existsSync(file));
});

test('an export is refused while another one writes the same file', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-export-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await (await run(t, ['import', 'messages', sample('messages.csv'), '--data-dir', folder])).ended;
	const file = path.join(folder, 'new.jsonl');
	using lock = openToWrite(`${file}~lock`);
	lock.exec('begin exclusive');
	const {code, errors} = await (await run(t, ['export', file, '--data-dir', folder])).ended;
	t.is(code, 1);
	t.is(errors, `${file}~new is in use: another command is writing ${file}. Wait until it has finished.\n`);
});

test('a command completes even if the reader closes its output early', async t => {
	const {child, ended} = await runWithDefaults(t, ['doctor', '--port', '0']);
	child.stdout.once('data', () => {
		child.stdout.destroy();
	});
	const {code, errors} = await ended;
	t.is(errors, '');
	t.is(code, 0);
});
