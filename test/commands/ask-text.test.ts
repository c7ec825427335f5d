/** `processual dry-run`, `what-if`, decisions and receipts, on the journal of a stopped service. */
import {execFile} from 'node:child_process';
import {cp, mkdtemp, readdir, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {verifyForgotten} from '../../src/commands/verify-forgotten.ts';
import {openIdentity} from '../../src/identity/create-identity.ts';
import {UnknownIdentityError} from '../../src/platform/errors.ts';
import {environmentOf, readOperations, whyNoFaults, type Injection} from '../fault-injection/shim.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {ask} from './ask.ts';

const encoder = await loadEncoder();
const original = await mkdtemp(path.join(tmpdir(), 'ask-'));
test.after.always(async () => {
	await encoder.dispose();
	await rm(original, {recursive: true});
});

const openIn = async (folder: string) => openIdentity({encoder, journal: createSqliteJournal({folder: path.join(folder, 'journal')})});

/** The answers of one identity with the bundled encoder; each test gets a copy of its journal. */
const answers = (async () => {
	await using identity = await openIn(original);
	for (const [content, source] of [['The sea was rough.', 'ada'], ['I trust nobody.', 'bo'], ['The boats stay in.', 'ada']] as const) {
		await identity.cycle({content, metadata: {source}});
	}

	const dry = await identity.dryRun('The sea is quiet.');
	return {dry, otherwise: await identity.whatIf({from: 1, without: {sources: ['ada']}, add: ['The sea is quiet.']})};
})();

/** @returns the answers of the running identity, and the settings for a copy of its journal */
const prepare = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'ask-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const answered = await answers;
	await cp(original, folder, {recursive: true});
	return {...answered, settings: readSettings({DATA_DIR: folder, CORROBORATING_THOUGHTS: '0'}, {})};
};

test('dry-run and what-if give the answers of the running identity, as a table or as JSON', async t => {
	const {dry, otherwise, settings} = await prepare(t);
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
	t.regex(await ask(settings, 'dry-run', 'calm '.repeat(2000)), /\nThe text is too long for the model, which does not read its end\.\n/);

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

test('without a journal, dry-run is an error', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'ask-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await t.throwsAsync(ask(readSettings({DATA_DIR: folder}, {}), 'dry-run', 'A text.'), {
		code: 'unknown_identity',
		message: /no identity in .* yet/,
	});
});

test('a single held text is counted in the singular, and dropping it changes no direction', async t => {
	const {settings} = await prepare(t);
	const identity = await openIn(settings.DATA_DIR);
	await identity.hold({sources: ['bo'], note: 'Until it is clear.'});
	await identity.cycle({content: 'I trust no one at all.', source: 'bo'});
	await identity.dispose();
	t.regex(await ask(settings, 'held'), /^One text is waiting, and weighs nothing until it is released\.$/m);
	t.notRegex(await ask(settings, 'what-if'), /^direction/m, 'an identical alternative shows no directions');
	const release = await ask(settings, 'release-held', '--source', 'bo', '--dry-run');
	t.regex(release, /^One text would no longer be held\. State \d .*\n(?:.*\n)*direction /);
	const dropped = await ask(settings, 'drop-held', '--source', 'bo');
	t.regex(dropped, /^One text is no longer held\. State (\d) lies 0\.0 mrad from state \1\./);
	t.notRegex(dropped, /^direction/m);
});

test('a dry run says that a text would be held, also by the source in its metadata, and shows each nearest text on one line', async t => {
	const {settings} = await prepare(t);
	const identity = await openIn(settings.DATA_DIR);
	await identity.cycle({content: `Two lines.\n${'And many words. '.repeat(20)}`, source: 'ada'});
	await identity.hold({sources: ['bo'], note: 'Until it is clear.'});
	await identity.dispose();
	const waiting = /^It would be held back, and move nothing until it is released\. Texts of “bo” wait since .*: “Until it is clear\.”$/m;
	t.regex(await ask(settings, 'dry-run', 'I trust no one.', '--source', 'bo'), waiting);
	t.regex(await ask(settings, 'dry-run', 'I trust no one.', '--metadata', '{"source": "bo"}'), waiting);
	t.regex((JSON.parse(await ask(settings, 'dry-run', 'No.', '--source', 'bo', '--json')) as {held: string}).held, /^Texts of “bo” wait/);
	const passing = await ask(settings, 'dry-run', 'Many words.', '--source', 'ada');
	t.notRegex(passing, /held back/);
	await t.throwsAsync(ask(settings, 'ledger', '--limit', 'x'), {message: '--limit must be a whole number from 1 to 1000, not "x".'});
	t.regex(passing, / \d{4}-\d\d-\d\d \d\d:\d\d {2}Two lines\. .*…$/m);
	t.true(passing.split('\n').slice(2).every(line => line.length < 120), passing);
});

test('a revision that leaves out one text says so in the singular', async t => {
	const {settings} = await prepare(t);
	t.regex(await ask(settings, 'revise', 'Not theirs.', '--without-source', 'bo', '--dry-run'), /made of 2 texts; one weighs nothing\. It/);
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('a receipt goes to stderr if stdout is full, because it is given only once', async t => {
	const {settings} = await prepare(t);
	const words = [cli, 'forget', 'She asked for it.', '--source', 'bo', '--json', '--data-dir', settings.DATA_DIR];
	const failed = await t.throwsAsync(
		promisify(execFile)('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, ...words], {env: childEnvironment}),
	) as Error & {stderr: string};
	t.regex(failed.stderr, /output could not be written: ENOSPC/);
	t.like(JSON.parse(/^\{$[^]*?^\}$/m.exec(failed.stderr)![0]), {texts: 1, receipt: {texts: 1}});
});

onLinux('a receipt that goes to a pipe is saved in a file too, because the reader may stop early', async t => {
	const {settings} = await prepare(t);
	const words = [cli, 'forget', 'She asked for it.', '--source', 'bo', '--data-dir', settings.DATA_DIR];
	const {stdout, stderr} = await promisify(execFile)(
		'sh', ['-c', '"$0" "$@" | head -1', process.execPath, ...words], {env: childEnvironment, cwd: settings.DATA_DIR},
	);
	t.regex(stdout, /^One text is gone for good\. .*\n$/);
	const [, file] = /^The receipt is also in (forgotten-\S+\.json),/m.exec(stderr)!;
	t.deepEqual((await readdir(settings.DATA_DIR)).filter(name => name.startsWith('forgotten-')), [file]);
	const place = path.join(settings.DATA_DIR, file!);
	const {text} = await verifyForgotten(settings, place, [settings.DATA_DIR]);
	t.regex(text, /journal has the same tombstones\.\n.*no trace of them was found/);
	await symlink(settings.DATA_DIR, path.join(settings.DATA_DIR, 'circle'));
	const {text: beside} = await verifyForgotten(settings, place, [settings.DATA_DIR]);
	t.is(...[beside, text].map(each => /with [\d,]+ bytes/.exec(each)![0]) as [string, string], 'symbolic links are not followed');
	const other = await verifyForgotten((await prepare(t)).settings, place, [place]);
	t.regex(other.text, /has no such forgetting: it was not done there, or the receipt belongs to another journal\.$/m);
	const misspelled = readSettings({DATA_DIR: settings.DATA_DIR, IDENTITY: 'aba'}, {});
	await t.throwsAsync(verifyForgotten(misspelled, place, [place]), {instanceOf: UnknownIdentityError});
});

test('the check for traces lists each file with forgotten passages on one line', async t => {
	const {settings} = await prepare(t);
	const copies = path.join(settings.DATA_DIR, 'copies');
	const receipt = await ask(settings, 'forget', 'She asked for it.', '--source', 'ada');
	await cp(path.join(original, 'journal'), copies, {recursive: true});
	await writeFile(path.join(copies, 'receipt'), `${receipt}\nThe receipt is in a file too.\n`);
	await writeFile(path.join(copies, 'talk'), 'The sea was rough.'.repeat(200));
	const {text, isClean} = await verifyForgotten(settings, path.join(copies, 'receipt'), [copies]);
	t.false(isClean);
	t.regex(text, /searched: 2 files have passages\.$/m);
	t.regex(text, /talk: 600 passages of texts and 0 of vectors, the first at byte 0$/m);
	t.regex(text, /journal\.sqlite.*: \d+ passages of texts and \d+ of vectors, the first at byte \d+$/m);
});

test('the list of revisions shows that only a name was forgotten', async t => {
	const {settings} = await prepare(t);
	await ask(settings, 'hold', 'Wait.', '--source', 'bo');
	await ask(settings, 'forget', 'A request.', '--source', 'bo');
	await ask(settings, 'hold', 'It is over.', '--take-back');
	await ask(settings, 'forget', 'The name, too.', '--source', 'bo');
	t.regex(await ask(settings, 'revisions'), /forgot 1 .*A request\.[^]*forgot a name .*The name, too\.$/);
});

(whyNoFaults === null ? test : test.skip)('forget leaves its receipt in DATA_DIR if it is killed after the texts are gone', async t => {
	const {settings: {DATA_DIR: folder}} = await prepare(t);
	const [copy, log] = [`${folder}-copy`, `${folder}.log`];
	await cp(folder, copy, {recursive: true});
	t.teardown(async () => Promise.all([copy, log].map(async file => rm(file, {recursive: true}))));
	const forget = async (under: string, injection: Partial<Injection>) => promisify(execFile)(
		process.execPath, [cli, 'forget', 'She asked for it.', '--source', 'bo', '--data-dir', under],
		{cwd: tmpdir(), env: {...childEnvironment, ...environmentOf({under, ...injection})}},
	);
	const {stderr} = await forget(copy, {log});
	await rm(path.join(tmpdir(), /forgotten-\S+\.json/.exec(stderr)![0]));
	const {number} = (await readOperations(log)).findLast(({operation, file}) =>
		operation === 'rename' && file.endsWith('.sqlite'))!;
	t.false((await readdir(copy)).some(name => name.startsWith('forgotten-')), 'a completed command leaves none');

	await t.throwsAsync(forget(folder, {kill: {at: number + 1, how: 'before'}}), {message: /Command failed/});
	const file = (await readdir(folder)).find(name => name.startsWith('forgotten-'));
	const {text} = await verifyForgotten(readSettings({DATA_DIR: folder}, {}), path.join(folder, file!), [folder]);
	t.regex(text, /journal has the same tombstones\.\n.*no trace of them was found/);
});
