/**
 * A rejected record stays rejected, whichever operation failed: after reopening, the journal continues after the
 * last acknowledged record.
 */
import {spawnSync} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {childEnvironment} from '../helpers/child-environment.ts';
import {recordsIn, temporaryFolder} from '../journal/records.ts';
import {faultTest} from './fault-test.ts';
import {environmentOf, type Rule} from './shim.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const script = fileURLToPath(new URL('fail-and-open.ts', import.meta.url));

const refuses = (rules: Rule[], ...more: string[]) => async (t: ExecutionContext): Promise<void> => {
	const place = await temporaryFolder(t);
	const folder = path.join(place, 'journal');
	const control = path.join(place, 'control');
	await mkdir(folder);
	await writeFile(control, '0');
	const {stdout, stderr} = spawnSync(process.execPath, [script, folder, control, ...more], {
		env: {...childEnvironment, ...environmentOf({under: folder, control, rules})},
		encoding: 'utf8',
	});
	t.is(stderr, '');
	const {refusal, reopened} = JSON.parse(stdout) as {refusal: string | null; reopened: number};
	t.regex(refusal ?? '', /accepts no records until it is opened again/);
	t.is(reopened, 2);
	deepEqual(t, (await recordsIn(folder)).map(({id}) => id), ['cycle-1', 'cycle-2', 'cycle-4']);
};

const sync = (last: number): Rule => ({operations: ['sync'], file: '-wal', fault: 'EIO', when: [1, last]});

faultTest('a record stays rejected if the sync of its commit fails', refuses([sync(1)]));
faultTest('a record stays rejected if its sync fails in a journal that was opened before without a genesis', refuses([sync(1)], 'again'));
faultTest('a record stays rejected if the sync of its commit fails, and that of the close after it', refuses([sync(2)]));
faultTest('a record stays rejected if no sync of the log succeeds until the journal is reopened', refuses([sync(99)]));
faultTest('a record stays rejected if the log cannot be written', refuses([{operations: ['write'], file: '-wal', fault: 'EIO', when: 1}]));
faultTest('a record stays rejected if its write is torn', refuses([{operations: ['write'], file: '-wal', fault: 'torn', when: [1, 1]}]));
faultTest('a record stays rejected if nothing can be synced, truncated or removed', refuses([
	{operations: ['sync', 'truncate', 'unlink'], fault: 'EIO', when: 1},
]));
