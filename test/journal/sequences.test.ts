/** The law of the journal: any records, appended in any number of sessions, are restored bit for bit. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import type {JournalRecord, RestoredJournal, RevisionRecord} from '../../src/journal/journal.ts';
import {factsOf, type Validation, type ValidationRecord} from '../../src/journal/validation.ts';
import type {Revision} from '../../src/journal/revision.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {anyCharacter} from '../helpers/any-text.ts';
import {asStored, bitsOf, cycle, genesis, recordsIn, revision, validation as validationOf} from './records.ts';

/** Any 1024 floats by their bits: negative zeros, subnormals, infinities and NaNs with a payload too. */
const floats = fc.tuple(fc.integer({min: 0, max: 1024}), fc.uint32Array({minLength: 1, maxLength: 8})).map(([length, bits]) =>
	new Float32Array(Uint32Array.from({length: 1024}, (_, i) => i < length ? bits[i % bits.length]! : 0).buffer));

const number = fc.double({noNaN: true, noDefaultInfinity: true, min: 0});
const text = fc.string({unit: 'grapheme'});
const anyCheckpoint = fc.record({
	counters: fc.dictionary(fc.string().filter(key => key !== '__proto__'), fc.nat(), {noNullPrototype: true}),
	lastTrigger: fc.option(fc.record({type: fc.string(), timestamp: text}, {noNullPrototype: true})),
	cumulativeDrift: number,
}, {noNullPrototype: true});

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
	{weight: 6, arbitrary: fc.record({
		id: text,
		timestamp: text,
		trigger: fc.string(),
		content: text,
		metadata: fc.dictionary(
			fc.string().filter(key => key !== '__proto__'),
			fc.jsonValue({stringUnit: anyCharacter}),
			{noNullPrototype: true},
		).map(value => JSON.parse(JSON.stringify(value))),
		vector: floats,
		thirdness: floats,
		tokenReport: fc.record({
			tokens: fc.nat(), characters: fc.nat(), isTruncated: fc.boolean(), unknownShare: number, language: fc.option(text),
		}, {requiredKeys: [], noNullPrototype: true}),
		scores: fc.array(number, {minLength: 8, maxLength: 8}),
		total: number,
		deltaMagnitude: number,
		stateId: fc.maxSafeInteger(),
		checkpoint: anyCheckpoint,
	}, {noNullPrototype: true}).map(overrides => cycle(1, overrides))},
	{weight: 1, arbitrary: fc.record(
		{kind: fc.constant('reset' as const), id: text, timestamp: text, checkpoint: anyCheckpoint},
		{noNullPrototype: true},
	)},
	{weight: 1, arbitrary: fc.record({
		id: text,
		timestamp: text,
		note: fc.string({unit: anyCharacter}),
		stateId: fc.maxSafeInteger(),
		baseline: fc.record(
			{texts: fc.nat(), heard: fc.nat(), conversations: fc.nat(), sources: fc.option(fc.nat()), from: text},
			{noNullPrototype: true},
		),
		anchor: fc.record({timestamp: text, thirdness: floats}, {noNullPrototype: true}),
		texts: fc.array(fc.record({
			id: text,
			source: fc.string({unit: anyCharacter}),
			time: number,
			vector: floats,
			conversation: fc.option(fc.string({unit: anyCharacter})),
			isOwn: fc.boolean(),
			isUnread: fc.boolean(),
		}, {noNullPrototype: true}), {maxLength: 3}),
		chance: fc.constantFrom(null, validationOf(2).chance),
	}, {noNullPrototype: true}).map(overrides => ({kind: 'validation' as const, ...overrides}))},
	{weight: 1, arbitrary: fc.record({
		id: text,
		timestamp: text,
		stateId: fc.maxSafeInteger(),
		thirdness: floats,
		checkpoint: anyCheckpoint,
		note: fc.string({unit: anyCharacter}),
		by: fc.option(fc.string({unit: anyCharacter})),
	}, {noNullPrototype: true}).map(({note, by, ...overrides}): RevisionRecord => {
		const {facts, ...made} = revision(2);
		return {...made, ...overrides, facts: {...facts, note, by}};
	})},
	{weight: 1, arbitrary: fc.record(
		{kind: fc.constantFrom('daemon.started' as const, 'daemon.stopped' as const), id: text, timestamp: text},
		{noNullPrototype: true},
	)},
);

/** The expected state after the records: the model that the journal is compared with. */
const expectedAfter = (records: readonly JournalRecord[]): Pick<RestoredJournal, 'current' | 'checkpoint'> => {
	const last = records.findLast(each => 'checkpoint' in each);
	const restored = {current: genesis.initial, checkpoint: {counters: {}, lastTrigger: null, cumulativeDrift: 0}};
	switch (last?.kind) {
		case 'cycle':
		case 'revision': {
			return {
				current: new StateTensor(last.stateId, last.timestamp, genesis.initial.rows.with(2, last.thirdness)),
				checkpoint: last.checkpoint,
			};
		}

		case 'reset': {
			return {...restored, checkpoint: last.checkpoint};
		}

		default: {
			return restored;
		}
	}
};

const validationIn = (records: readonly JournalRecord[]): Validation | null => {
	const at = records.findLastIndex(({kind}) => kind === 'validation');
	return at === -1 ? null : {...records[at] as ValidationRecord, seq: at + 1};
};

const newestRevision = (records: readonly JournalRecord[]): Revision | null => {
	const at = records.findLastIndex(({kind}) => kind === 'revision');
	return at === -1 ? null : {...(records[at] as RevisionRecord).facts, seq: at + 1};
};

/** NaNs are compared by their bits. */
const bytesIn = (entry: unknown) =>
	JSON.stringify(entry, (_, value: unknown) => value instanceof Float32Array ? Buffer.from(value.buffer).toString('hex') : value);

/** A journal refuses a cycle's id twice, so each id begins with its record's place. */
const sessionsOfRecords = fc.array(fc.array(record, {maxLength: 6}), {minLength: 1, maxLength: 4})
	.map(sessions => sessions.map((records, session) => records.map((each, place) => ({...each, id: `${session}.${place} ${each.id}`}))));

test('any records, appended in any sessions, are restored and read with the same bits', async t => {
	await fc.assert(fc.asyncProperty(sessionsOfRecords, async sessions => {
		const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
		const journal = createSqliteJournal({folder});
		try {
			const before: JournalRecord[] = [];
			for (const records of sessions) {
				const restored = await journal.open();
				if (restored === null) {
					await journal.begin(genesis);
				}

				const {current, checkpoint} = expectedAfter(before);
				const validation = validationIn(before);
				const isRestored = restored === null
					? before.length === 0
					: isDeepStrictEqual({...restored, current: bitsOf(restored.current), genesis: 0}, {
						current: bitsOf(current),
						checkpoint,
						records: before.length,
						validation: validation && factsOf(validation),
						revision: newestRevision(before),
						held: 0,
						genesis: 0,
					});
				if (!isRestored || !isDeepStrictEqual(JSON.parse(bytesIn(await journal.validation())), JSON.parse(bytesIn(validation)))) {
					return false;
				}

				await Promise.all(records.map(async each => journal.append(each)));
				await journal.close();
				before.push(...records);
			}

			const read = await recordsIn(folder);
			return read.length === before.length
				&& read.every((each, i) => isDeepStrictEqual(JSON.parse(bytesIn(each)), JSON.parse(bytesIn(asStored(before[i]!)))));
		} finally {
			await journal.close();
			await rm(folder, {recursive: true, force: true});
		}
	}), {numRuns: often(6, 20)});
	t.pass();
});
