/** The law of revisions and holds, on every kernel, in memory and in SQLite. */
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {createJsKernel} from '../../src/kernel/js.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {often} from '../helpers/often.ts';
import {testLaw} from './revise-law.ts';

const inMemory = async () => {
	const journal = new FakeJournal();
	return () => journal;
};

const inSqlite = async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'law-'));
	return () => createSqliteJournal({folder});
};

for (const kernel of [createJsKernel(), selectKernel()]) {
	testLaw(`${kernel.name}, in memory`, kernel, inMemory, often(20, 400));
	testLaw(`${kernel.name}, in SQLite`, kernel, inSqlite, often(4, 200));
}
