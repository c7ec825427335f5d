/** What a journal is made with: what would do harm later is refused at once. */
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {ConfigurationError} from '../../src/errors.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {entriesIn, openJournal, temporaryFolder} from './records.ts';

const refused = (options: object, message: string) => {
	test(`a journal is not made with ${message}`, t => {
		t.throws(() => createSqliteJournal({folder: 'never made', ...options} as SqliteJournalOptions), {instanceOf: ConfigurationError, message});
	});
};

for (const [folder, told] of [['', '“”'], [undefined, 'undefined'], [7, '7']] as const) {
	refused({folder}, `The journal's option folder is ${told}. Give the name of a folder.`);
}

for (const [content, told] of [['hashed', '“hashed”'], ['HASH', '“HASH”'], ['', '“”'], [null, 'null'], [true, 'true']] as const) {
	refused({content}, `The journal's option content is ${told}. Give “text” or “hash”.`);
}

for (const [snapshotEvery, told] of [[0, '0'], [2.5, '2.5'], [-10, '-10'], [Number.NaN, 'NaN'], [Infinity, 'Infinity'], ['100', '“100”']] as const) {
	refused({compaction: {snapshotEvery}}, `The journal's option compaction.snapshotEvery is ${told}. Give a whole number from 1 on.`);
}

for (const [keepRecords, told] of [[Number.NaN, 'NaN'], [-1, '-1'], [0.5, '0.5'], ['50', '“50”']] as const) {
	refused({compaction: {keepRecords}}, `The journal's option compaction.keepRecords is ${told}. Give a whole number from 0 on.`);
}

for (const [keepDays, told] of [[Number.NaN, 'NaN'], [-0.1, '-0.1'], ['7', '“7”']] as const) {
	refused({compaction: {keepDays}}, `The journal's option compaction.keepDays is ${told}. Give a number from 0 on.`);
}

test('a journal that is refused leaves no folder behind', async t => {
	const folder = await temporaryFolder(t);
	t.throws(() => createSqliteJournal({folder: path.join(folder, 'journal'), content: 'hashed'} as never));
	t.deepEqual(await readdir(folder), []);
});

test('the least limits are limits, and so are days of any length', t => {
	for (const compaction of [{keepRecords: 0}, {snapshotEvery: 1}, {keepDays: 0}, {keepDays: 0.5}, {keepDays: Infinity}]) {
		t.notThrows(() => createSqliteJournal({folder: 'never made', compaction}));
	}
});

test('a limit that is not given has its default, however it is left out', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder, content: undefined, compaction: {keepRecords: undefined}} as never, 200);
	// A step of compaction comes after each request: by the next answer the first one is over.
	await journal.append({kind: 'daemon.started', id: 'one more', timestamp: '2026-01-01T00:00:00.000Z'});
	await journal.close();
	const entries = await entriesIn(folder);
	t.is(entries.length, 201);
	t.true(entries.every(({record}) => record.kind !== 'snapshot'));
});
