/** The names of folders that were created, renamed or put aside are on the disk before the answer, and survive a power cut after it. */
import {spawnSync} from 'node:child_process';
import {mkdir, realpath} from 'node:fs/promises';
import path from 'node:path';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {openJournal, temporaryFolder} from '../journal/records.ts';
import {faultTest} from './fault-test.ts';
import {runStep} from './acknowledged.ts';
import {readRecord} from './record.ts';
import {environmentOf} from './shim.ts';

faultTest('creating a journal and putting it aside sync the parents of new and renamed folders before the answer', async t => {
	const place = await temporaryFolder(t);
	const under = path.join(place, 'seen');
	const record = path.join(place, 'record');
	await mkdir(under);
	await runStep('aside', under, environmentOf({under, record}));
	const unsynced = new Set<string>();
	let answers = 0;
	for (const {operation, file, to} of await readRecord(record, await realpath(under))) {
		if (operation === 'mkdir') {
			unsynced.add(path.dirname(file));
		} else if (operation === 'rename') {
			unsynced.add(path.dirname(file)).add(path.dirname(to));
			// The content of the renamed folder was synced before.
			t.false(unsynced.has(file));
		} else if (operation === 'sync') {
			unsynced.delete(file || '.');
		} else if (operation === 'write' && file === 'acknowledged') {
			answers++;
			t.deepEqual([...unsynced].filter(folder => !folder.endsWith('.begun')), []);
		}
	}

	t.is(answers, 2);
});

faultTest('a backup and a restore sync their file before its rename, and its folder after it', async t => {
	const place = await temporaryFolder(t);
	const under = path.join(place, 'seen');
	await mkdir(under);
	const journal = await openJournal(t, {folder: path.join(under, 'ours', 'journal')}, 3);
	await journal.close();
	const copy = path.join(under, 'copy.sqlite');
	for (const [command, folder, named] of [['backup', 'ours', 'copy.sqlite'], ['restore', 'other', 'other/journal']] as const) {
		const record = path.join(place, command);
		const {status, stderr} = spawnSync(
			process.execPath, [cli, command, copy, '--data-dir', path.join(under, folder)],
			{env: {...childEnvironment, ...environmentOf({under, record})}, encoding: 'utf8'},
		);
		t.is(status, 0, stderr);
		const operations = (await readRecord(record, await realpath(under))).map(({file, ...each}) => ({...each, file: file || '.'}));
		const renamed = operations.findLastIndex(({operation, to}) => operation === 'rename' && to === named);
		const synced = (files: typeof operations) => files.filter(({operation}) => operation === 'sync').map(({file}) => file);
		t.true(synced(operations.slice(0, renamed)).includes(`${named}~new/journal.sqlite`));
		t.true(synced(operations.slice(renamed)).includes(path.dirname(named)));
	}
});
