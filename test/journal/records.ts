/** Folders for journals, and records that are computed from their number, so that another process can compute them too. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import type {
	CycleRecord, Checkpoint, Genesis, HeldEntry, HeldRecord, Journal, JournalEntry, JournalRecord, RevisionRecord, SettlementRecord,
	StoredHeld, StoredRecord,
} from '../../src/journal/journal.ts';
import type {Chance, Validation, ValidationRecord} from '../../src/journal/validation.ts';
import type {TextsDecision} from '../../src/journal/revision.ts';
import {asStored} from '../../src/journal/memory-journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import type {SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';

export const temporaryFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return folder;
};

/** A row of a state, different for every number: noise between −1 and 1. Thousands are made, so it takes a microsecond. */
export const rowOf = (number: number): Float32Array => {
	// A loop, because `Float32Array.from` takes ten times as long.
	const row = new Float32Array(1024);
	for (let i = 0; i < row.length; i++) {
		row[i] = Math.imul(number * 1024 + i, 0x9E_37_79_B1) / 2 ** 31;
	}

	return row;
};

const tensorOf = (stateId: number): StateTensor =>
	new StateTensor(stateId, '2026-01-01T00:00:00.000Z', Array.from({length: 8}, (_, i) => rowOf(stateId * 8 - i)));

export const genesis: Genesis = {
	initial: tensorOf(7),
	reference: tensorOf(-1),
	passport: {model: 'owner/name', width: 512, pooling: 'mean', prefix: '', dtype: 'q8'},
	isRandom: false,
};

export const checkpointOf = (seq: number): Checkpoint => ({
	counters: {user: seq, corpus: 1},
	lastTrigger: {type: 'user', timestamp: '2026-01-02T03:04:05.678Z'},
	cumulativeDrift: seq / 7,
});

/** One minute per record. */
export const timeOf = (seq: number): string => new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString();

export const cycle = (seq: number, overrides: Partial<CycleRecord> = {}): CycleRecord => ({
	kind: 'cycle',
	id: `cycle-${seq}`,
	timestamp: timeOf(seq),
	trigger: 'user',
	origin: seq % 2 ? 'caller' : 'daemon',
	content: `What number ${seq} said.`,
	metadata: {number: seq, inner: {list: [null, 'é', -0.1]}},
	// The second half is zero, as for a model of width 512.
	vector: rowOf(-seq).fill(0, 512),
	tokenReport: {tokens: seq, characters: 4 * seq, isTruncated: seq % 3 === 0, unknownShare: seq / 13, language: null},
	scores: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, seq / 3],
	total: seq / 9,
	choc: seq % 5 === 0,
	deltaMagnitude: 1e-9 * seq,
	contributions: {tenacity: seq / 11, authority: 0, apriori: 1 / 3, science: 5e-324},
	proposals: {authority: {coefficient: -0.3, from: 'valeurs'}, science: {coefficient: 1 / 3, from: 'secondness'}},
	perCycleDrift: 0.1 + 0.2,
	level: 'warning',
	stateId: 7 + seq,
	thirdness: rowOf(1000 + seq),
	checkpoint: checkpointOf(seq),
	...overrides,
});

const chance: Chance = {
	seed: 7, horizon: 4000, weight: 1 / 1230, usesIds: true, units: 'whole', alike: {r: 0.1 + 0.2, p: 0.005}, stationaryP: null,
	heard: {medians: [1 / 3, 5e-324], largest: [1.1], limits: [2, 3]}, said: null,
};

/** With a baseline of a few texts; the first is no longer than 512 floats. */
export const validation = (
	seq: number,
	{texts = 3, ...overrides}: {texts?: number} & Partial<Omit<ValidationRecord, 'texts'>> = {},
): ValidationRecord => ({
	kind: 'validation',
	id: `validation-${seq}`,
	timestamp: timeOf(seq),
	note: `Who it is at ${seq}.`,
	stateId: 7 + seq,
	baseline: {texts, heard: 2, conversations: 2, sources: 1, from: timeOf(seq - texts)},
	anchor: {timestamp: timeOf(seq - 1), thirdness: rowOf(2000 + seq)},
	texts: range(1, texts).map(i => ({
		id: `said-${i}`,
		source: `source\0${i}`,
		time: seq * 60_000 + i,
		vector: rowOf(seq + i).fill(0, 511 + i % 3),
		conversation: i % 2 ? `conversation\0${i}` : null,
		isOwn: i % 3 === 0,
		isUnread: i % 3 === 1,
	})),
	chance: seq % 2 ? null : chance,
	...overrides,
});

/** A revision that leaves out some texts of each kind. */
export const revision = (seq: number): RevisionRecord => {
	const [id, timestamp] = [`revision-${seq}`, timeOf(seq)];
	return {
		kind: 'revision', id, timestamp, stateId: 8 + seq, thirdness: rowOf(3000 + seq), checkpoint: checkpointOf(seq),
		facts: {
			id, timestamp, note: `Why at ${seq}.`, by: seq % 2 ? null : 'o\0ps', without: {sources: ['a\0b']}, at: null,
			exclusions: [{from: 1, to: seq - 1, texts: {sources: ['a\0b']}}, {from: 3, to: 4, texts: null}],
			excluded: seq, differsFrom: 3, stateIdBefore: 7, stateId: 8 + seq, turnMrad: seq / 7,
		},
	};
};

/** The record of a held text, with this number. */
export const held = (seq: number, overrides: Partial<HeldRecord> = {}): HeldRecord => {
	const {stateId, timestamp: stateTimestamp, rows} = stateOf(seq - 1);
	return {
		...cycle(seq), kind: 'held', deltaMagnitude: 0, perCycleDrift: 0, stateId, stateTimestamp, thirdness: rows[2]!,
		reason: `Source “a\0b” is on hold since ${seq}.`, ...overrides,
	};
};

/** A drop of the texts with these numbers. */
export const drop = (seq: number, settled: readonly number[]): SettlementRecord => {
	const [id, timestamp] = [`drop-${seq}`, timeOf(seq)];
	return {
		kind: 'drop', id, timestamp, settled, cycles: [],
		facts: {
			kind: 'drop', id, timestamp, note: `Why at ${seq}.`, by: 'o\0ps', ids: settled.map(number => `cycle-${number}`),
			stateIdBefore: 7, stateId: 7, turnMrad: 0,
		},
	};
};

/** Every second baseline is larger than the pages that SQLite holds in memory, so a part of it is written before its commit. */
const baselineOf = (seq: number) => ({texts: seq % 34 === 25 ? 80 : 3});

/** Mostly cycles; sometimes a held text, a drop, a reset, a validation, a revision, or a start or stop of the daemon. */
export const recordOf = (seq: number): JournalRecord => {
	const [id, timestamp] = [`record-${seq}`, timeOf(seq)];
	switch (seq % 17) {
		case 5: {
			return {kind: 'daemon.started', id, timestamp};
		}

		case 6: {
			return {kind: 'daemon.stopped', id, timestamp};
		}

		case 11: {
			return {kind: 'reset', id, timestamp, checkpoint: checkpointOf(seq)};
		}

		case 8: {
			return validation(seq, baselineOf(seq));
		}

		case 14: {
			return revision(seq);
		}

		case 10:
		case 13: {
			return held(seq);
		}

		case 16: {
			return drop(seq, [seq - 6]);
		}

		default: {
			return cycle(seq);
		}
	}
};

/** The state after the record `recordOf(seq)`, in a journal of such records. */
export const stateOf = (seq: number): StateTensor => {
	const record = seq === 0 ? null : recordOf(seq);
	if (record && !('checkpoint' in record)) {
		return stateOf(seq - 1);
	}

	return record && 'thirdness' in record
		? new StateTensor(
			record.stateId, 'stateTimestamp' in record ? record.stateTimestamp : record.timestamp,
			genesis.initial.rows.with(2, record.thirdness),
		)
		: genesis.initial;
};

/** The newest validation up to a record, in a journal of such records. */
export const validationUpTo = (seq: number): Validation | null => {
	const at = seq - (seq + 9) % 17;
	return at > 0 ? {...validation(at, baselineOf(at)), seq: at} : null;
};

/** The revisions and drops up to a record, in a journal of such records. */
export const decisionsUpTo = (seq: number): TextsDecision[] => range(1, seq).flatMap(at => {
	const record = recordOf(at);
	return 'facts' in record ? [{...record.facts, seq: at}] : [];
});

/** The texts that are held after a record, in a journal of such records. */
export const heldUpTo = (seq: number): HeldEntry[] => {
	const all = range(1, seq).map(at => ({seq: at, record: recordOf(at)}));
	const settled = new Set(all.flatMap(({record}) => 'settled' in record ? record.settled : []));
	return all.filter(({seq: at, record}) => record.kind === 'held' && !settled.has(at))
		.map(({seq: at, record}) => ({seq: at, record: asStored(record) as StoredHeld}));
};

export {asStored};

/** The bits of a tensor: equal numbers (0 and −0) may differ in them. */
export const bitsOf = ({stateId, timestamp, rows}: StateTensor) => ({
	stateId,
	timestamp,
	bits: rows.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('base64')),
});

export const range = (first: number, last: number): number[] => Array.from({length: last - first + 1}, (_, i) => first + i);

/** Options of a journal without keys. */
type PlainOptions = Omit<SqliteJournalOptions, 'keys'>;

/** Helpers for journals that `create` makes, which are closed at the end of the test. */
export const journalsOf = (create: (options: PlainOptions) => Journal) => {
	const createJournal = (t: ExecutionContext, options: PlainOptions): Journal => {
		const journal = create(options);
		t.teardown(async () => journal.close());
		return journal;
	};

	return {
		createJournal,

		/** An open journal with a genesis and records 1 … count. */
		async openJournal(t: ExecutionContext, options: PlainOptions, count = 0) {
			const journal = createJournal(t, options);
			await journal.open();
			await journal.begin(genesis);
			await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
			return journal;
		},

		/** Opens a journal and closes it. @returns what it restored */
		async reopen(t: ExecutionContext, folder: string) {
			const journal = createJournal(t, {folder});
			const restored = await journal.open();
			await journal.close();
			return restored!;
		},
	};
};

export const {createJournal, openJournal, reopen} = journalsOf(createSqliteJournal);

/** A logger's method for lines that a test ignores. */
export const ignored = (): void => {};

/** Everything that can be read from a journal, from a record on. */
export const entriesIn = async (folder: string, from = 1): Promise<JournalEntry[]> => {
	using reader = new JournalReader(folder);
	return await Array.fromAsync(reader.replay({from}));
};

export const recordsIn = async (folder: string): Promise<StoredRecord[]> => (await entriesIn(folder)).map(({record}) => record);

/** Waits until the record is compacted: journals compact between requests. */
export const untilCompacted = async (journal: Journal, end: number): Promise<void> => {
	for (;;) {
		const [entry] = await journal.read(end, 1);
		if (entry?.record.kind === 'snapshot') {
			return;
		}
	}
};
