/** Tables and bars in a terminal of any width, and errors about files. */
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {backUp, restore} from '../../src/commands/backup.ts';
import {bringHistory} from '../../src/commands/history/bring-history.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {ConfigurationError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {describeThrown, formatTable} from '../../src/commands/terminal.ts';
import {describeRemaining, sizeBar} from '../../src/commands/progress.ts';
import {explainListenError} from '../../src/http/server.ts';
import {run} from './run-command.ts';

const columns = ['who', 'texts', 'of all', 'said last'];
const rows = [['Ada', 12, '60.0%', 'The sea is quiet.'], ['Bruno', 8, '40.0%', 'Bread.']];

test('a table is whole if it fits the terminal, or if there is none', t => {
	const whole = 'who    texts  of all  said last\nAda       12   60.0%  The sea is quiet.\nBruno      8   40.0%  Bread.';
	t.is(formatTable(columns, rows, Infinity), whole);
	t.is(formatTable(columns, rows, 39), whole);
});

test('a table that is wider than the terminal is split into several, which repeat the first column', t => {
	t.is(
		formatTable(columns, rows, 24),
		'who    texts  of all\nAda       12   60.0%\nBruno      8   40.0%\n\nwho    said last\nAda    The sea is quiet.\nBruno  Bread.',
	);
});

test('a column that is wider than the terminal is not cut', t => {
	const table = formatTable(columns, rows, 10);
	t.deepEqual(table.split('\n\n').map(part => part.split('\n')[0]), ['who    texts', 'who    of all', 'who    said last']);
	t.is(formatTable(['who'], [['Ada']], 1), 'who\nAda');
});

test('a name or a text that looks like a number does not align its column to the right', t => {
	const cells = [['Ada', 1, null, 'Bread.'], ['007', 2, '5.0%', '42']];
	t.is(formatTable(columns, cells), 'who  texts  of all  said last\nAda      1       –  Bread.\n007      2    5.0%  42');
});

test('column widths follow the width of characters in a terminal', t => {
	const names = ['王小明', '👩‍👩‍👧‍👦', 'e\u0301', 'Ada'];
	t.is(formatTable(['who', 'texts'], names.map(name => [name, 1])), [
		'who     texts', '王小明      1', '👩‍👩‍👧‍👦          1', 'e\u0301           1', 'Ada         1',
	].join('\n'));
});

test('a progress bar leaves room for the numbers beside it', t => {
	t.deepEqual([undefined, 0, 120, 80, 60, 40, 20].map(sizeBar), [40, 40, 40, 40, 20, 5, 5]);
});

test('a bar shows the remaining time in seconds or minutes, once it is known', t => {
	t.deepEqual([0, 'INF', 7, 99, 120, 3570].map(describeRemaining), ['', '', ', 7 s', ', 99 s', ', 2 min', ', 60 min']);
});

test('the error for too many open files says to raise their limit', t => {
	const error = Object.assign(new Error('EMFILE: too many open files, open \'a\''), {code: 'EMFILE', syscall: 'open'});
	t.is(describeThrown(error), 'The operating system refused: EMFILE: too many open files, open \'a\'. Raise the limit of open files '
		+ '(ulimit -n).');
	t.regex(explainListenError(error, '0.0.0.0', 8100), /^The service cannot listen: too many files are open\. Raise the limit/);
});

test('backup, restore and look name a path that they cannot write, and say what to do', async t => {
	const file = fileURLToPath(import.meta.url);
	const settings = readSettings({DATA_DIR: file}, {});
	const refused = async (work: Promise<unknown>, message: RegExp) => t.throwsAsync(work, {instanceOf: ConfigurationError, message});
	await refused(backUp(settings, path.join(file, 'monday')), /monday cannot be written: ENOTDIR.* Name a file in another folder that this/);
	await refused(restore(settings, file), /journal cannot be written: ENOTDIR.* Set DATA_DIR to another folder that this process may write/);
	const look = {paths: [file], ownNames: [], validate: null, isNew: true, print() {}};
	const asFile = /^DATA_DIR .* cannot be created: EEXIST.* Name a folder with --data-dir that this process may write/;
	await refused(bringHistory(settings, look, async () => {}), asFile);
});

test('a second backup to a file, or restore of a name, is refused and leaves the draft of the first one', async t => {
	const settings = readSettings({DATA_DIR: mkdtempSync(path.join(tmpdir(), 'two-backups-'))}, {});
	const file = path.join(settings.DATA_DIR, 'monday');
	const hold = (place: string) => {
		mkdirSync(`${place}~new`);
		writeFileSync(path.join(`${place}~new`, 'journal.sqlite'), 'of the first');
		const lock = openToWrite(`${place}~lock`);
		lock.exec('begin exclusive');
		return lock;
	};
	const places = [file, path.join(settings.DATA_DIR, 'journal')];
	const locks = places.map(hold);
	const isInUse = {instanceOf: ConfigurationError, message: /~new is in use: another command is writing .*\. Wait until it has finished\./};
	await t.throwsAsync(backUp(settings, file), isInUse);
	await t.throwsAsync(restore(settings, file), isInUse);
	t.deepEqual(places.map(place => readFileSync(path.join(`${place}~new`, 'journal.sqlite'), 'utf8')), ['of the first', 'of the first']);
	locks.forEach(lock => lock.close());
	await t.throwsAsync(backUp(settings, file), {instanceOf: UnknownIdentityError}, 'a killed command holds no lock');
	t.deepEqual([`${file}~new`, `${file}~lock`].filter(left => existsSync(left)), []);
});

test('a history that cannot be read to its end also ends the command at a terminal, where a bar is shown', async t => {
	const folder = mkdtempSync(path.join(tmpdir(), 'bars-'));
	const file = path.join(folder, 'talk.jsonl');
	writeFileSync(file, Array.from({length: 5000}, (_, i) => `{"content":"Text ${i}.","source":"Ada"}\n`).join(''));
	const atTerminal = '--disable-warning=ExperimentalWarning --import=data:text/javascript,process.stderr.isTTY=true';
	const {ended} = await run(t, ['import', 'history', file, 'missing.jsonl'], {NODE_OPTIONS: atTerminal});
	const {code, errors} = await ended;
	t.is(code, 1);
	t.regex(errors, /reading logs [^]*missing\.jsonl cannot be read/);
});

for (const end of ['return 7;', 'throw new Error("The hub is away.");']) {
	test(`a bar of a download does not keep the program running: ${end}`, async t => {
		const progress = new URL('../../src/commands/progress.ts', import.meta.url).href;
		const script = `process.stderr.isTTY = true;
			const {showingDownloads} = await import(${JSON.stringify(progress)});
			console.log(await showingDownloads(null, true, async onProgress => {
				onProgress({file: 'model.onnx', loaded: 1, total: 2});
				onProgress({file: 'config.json', loaded: 2, total: 2});
				${end}
			}).catch(error => error.message));`;
		const {stdout, stderr} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
		t.regex(stdout, /^(?:7|The hub is away\.)\n$/);
		t.regex(stderr, /model\.onnx/);
	});
}
