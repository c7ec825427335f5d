/** A power cut after an answer: the names of folders that were made, renamed and put aside are on the disk by then. */
import {mkdir, realpath} from 'node:fs/promises';
import path from 'node:path';
import {temporaryFolder} from '../journal/records.ts';
import {faultTest} from './fault-test.ts';
import {runStep} from './acknowledged.ts';
import {readRecord} from './record.ts';
import {environmentOf} from './shim.ts';

faultTest('the parents of made and renamed folders are synced before a creation and a putting aside are answered', async t => {
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
			// What was in a folder that has another name now was synced before.
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
