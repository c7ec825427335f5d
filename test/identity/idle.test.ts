/** An identity keeps the program running while work is pending, and not once it is idle. */
import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

const program = fileURLToPath(new URL('../helpers/leave-open.ts', import.meta.url));

test('pending cycles keep the program running; idle threads of the model and the journal do not', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'idle-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const {stdout} = await promisify(execFile)(
		process.execPath,
		['--disable-warning=ExperimentalWarning', program, folder],
		{timeout: 300_000},
	);
	t.is(stdout, 'state 1\nstate 2\n');
});
