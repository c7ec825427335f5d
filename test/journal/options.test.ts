/** A journal's options are checked when it is created. */
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {entriesIn, openJournal, temporaryFolder} from './records.ts';

const refuses = (options: object, message: string) => {
	test(`createSqliteJournal throws: ${message}`, t => {
		t.throws(() => createSqliteJournal({folder: 'never made', ...options} as SqliteJournalOptions), {
			instanceOf: ConfigurationError,
			message,
		});
	});
};

for (const [folder, shown] of [['', '“”'], [undefined, 'undefined'], [7, '7']] as const) {
	refuses({folder}, `The journal's option folder is ${shown}. Give the name of a folder.`);
}

for (const [content, shown] of [['hashed', '“hashed”'], ['HASH', '“HASH”'], ['', '“”'], [null, 'null'], [true, 'true']] as const) {
	refuses({content}, `The journal's option content is ${shown}. Give “text” or “hash”.`);
}

for (const [snapshotEvery, shown] of [
	[0, '0'],
	[2.5, '2.5'],
	[-10, '-10'],
	[Number.NaN, 'NaN'],
	[Infinity, 'Infinity'],
	['100', '“100”'],
] as const) {
	refuses({compaction: {snapshotEvery}}, `The journal's option compaction.snapshotEvery is ${shown}. Give a whole number from 1 on.`);
}

for (const [keepRecords, shown] of [[Number.NaN, 'NaN'], [-1, '-1'], [0.5, '0.5'], ['50', '“50”']] as const) {
	refuses({compaction: {keepRecords}}, `The journal's option compaction.keepRecords is ${shown}. Give a whole number from 0 on.`);
}

for (const [keepDays, shown] of [[Number.NaN, 'NaN'], [-0.1, '-0.1'], ['7', '“7”']] as const) {
	refuses({compaction: {keepDays}}, `The journal's option compaction.keepDays is ${shown}. Give a number from 0 on.`);
}

test('refused options leave no folder behind', async t => {
	const folder = await temporaryFolder(t);
	t.throws(() => createSqliteJournal({folder: path.join(folder, 'journal'), content: 'hashed'} as never));
	t.deepEqual(await readdir(folder), []);
});

test('the smallest limits are allowed, and so are fractional and infinite days', t => {
	for (const compaction of [{keepRecords: 0}, {snapshotEvery: 1}, {keepDays: 0}, {keepDays: 0.5}, {keepDays: Infinity}]) {
		t.notThrows(() => createSqliteJournal({folder: 'never made', compaction}));
	}
});

test('a missing or undefined option has its default', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder, content: undefined, compaction: {keepRecords: undefined}} as never, 200);
	// A step of compaction follows each request, so the first one is over by the next answer.
	await journal.append({kind: 'daemon.started', id: 'one more', timestamp: '2026-01-01T00:00:00.000Z'});
	await journal.close();
	const entries = await entriesIn(folder);
	t.is(entries.length, 201);
	t.true(entries.every(({record}) => record.kind !== 'snapshot'));
});
