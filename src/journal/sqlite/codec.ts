/**
 * Records as rows and back. What must come back bit for bit (vectors, rows of a tensor) is kept
 * as the floats' own bytes; what people may want to query with SQL is text and JSON.
 *
 * Bytes are little-endian, as every machine is that Node has builds for in earnest.
 */
import {createHash} from 'node:crypto';
import {JournalError} from '../../errors.ts';
import {dimensions, width} from '../../tensor/dimensions.ts';
import {StateTensor} from '../../tensor/state-tensor.ts';
import type {Field} from './checksum.ts';
import type {CycleRecord, DaemonRecord, Genesis, JournalRecord, ResetRecord, Standing} from '../journal.ts';

/** Texts themselves, or the SHA-256 of each. */
export type ContentStorage = 'text' | 'hash';

/** A record as it is stored; the columns of `records` but `seq` and `checksum`, in order. */
export type Row = {
	kind: string;
	id: string;
	timestamp: string;
	/** Id of the state after the record; null where that is the initial state or the predecessor's. */
	state: number | null;
	/** JSON: a cycle's measures, a snapshot's range. */
	facts: string | null;
	/** Whether `content` and `metadata` are themselves or hexadecimal SHA-256. */
	kept: ContentStorage | null;
	content: string | null;
	/** JSON, or its hash. */
	metadata: string | null;
	/** JSON. */
	standing: string | null;
	/** The input's embedding, zeros at its end left out. */
	vector: Uint8Array | null;
	thirdness: Uint8Array | null;
};

export const columns = ['kind', 'id', 'timestamp', 'state', 'facts', 'kept', 'content', 'metadata', 'standing', 'vector', 'thirdness'] as const satisfies Array<keyof Row>;

/** A row's fields in the order of the columns, after its number: what its checksum covers, and what is inserted. */
export const fieldsOf = (seq: number, row: Row): Field[] => [seq, ...columns.map(column => row[column])];

/** A cycle as it is stored. Where it is hashed, `content` and `metadata` are the hexadecimal SHA-256 of the text and of the metadata's JSON. */
export type StoredCycle =
	| CycleRecord & {isHashed: false}
	| Omit<CycleRecord, 'metadata'> & {isHashed: true; metadata: string};

/** What compaction left of the records `first` … its own number: the state and standing after the last of them. */
export type SnapshotRecord = {
	kind: 'snapshot';
	/** Id and time of the last record it stands for. */
	id: string;
	timestamp: string;
	first: number;
	/** Null when nothing before it had any. */
	standing: Standing | null;
};

/** A record as it is read: a cycle's content may be a hash, and old records may have become snapshots. */
export type StoredRecord = StoredCycle | ResetRecord | DaemonRecord | SnapshotRecord;

export type SnapshotFacts = {first: number; stateTimestamp: string | null};

const nothing = {state: null, facts: null, kept: null, content: null, metadata: null, standing: null, vector: null, thirdness: null};

/** @throws {JournalError} when the record is not one that could be read back as it is. */
export const encodeRecord = (record: JournalRecord, content: ContentStorage): Row => {
	const {kind, timestamp} = record;
	const row = {...nothing, kind, id: record.id.toWellFormed(), timestamp};
	if (kind === 'reset') {
		return {...row, standing: exactJson(record.standing)};
	}

	if (kind !== 'cycle') {
		return row;
	}

	const {trigger, origin, scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level} = record;
	return {
		...row,
		state: record.stateId,
		facts: exactJson({trigger, origin, scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level}),
		...encodeContent(record, content),
		standing: exactJson(record.standing),
		vector: bytesOf(trimmed(ofWidth(record.vector, 'vector'))),
		thirdness: bytesOf(ofWidth(record.thirdness, 'thirdness')),
	};
};

/** The record of a row; throws whatever comes when the row is none. */
export const decodeRecord = (row: Row): StoredRecord => {
	const {kind, id, timestamp} = row;
	switch (kind) {
		case 'cycle': {
			return {
				kind,
				id,
				timestamp,
				...JSON.parse(row.facts!),
				...decodeContent(row),
				vector: floatsOf(row.vector!, width),
				stateId: row.state!,
				thirdness: decodeThirdness(row.thirdness!),
				standing: JSON.parse(row.standing!),
			};
		}

		case 'reset': {
			return {kind, id, timestamp, standing: JSON.parse(row.standing!)};
		}

		case 'daemon.started':
		case 'daemon.stopped': {
			return {kind, id, timestamp};
		}

		case 'snapshot': {
			return {kind, id, timestamp, first: factsOfSnapshot(row).first, standing: row.standing === null ? null : JSON.parse(row.standing)};
		}

		default: {
			throw new TypeError(`no record is of the kind ${kind}`);
		}
	}
};

export const factsOfSnapshot = (row: Row): SnapshotFacts => JSON.parse(row.facts!);

/** Text is stored as UTF-8, which has no lone surrogates: they become U+FFFD, as they do for any model. */
const encodeContent = (record: CycleRecord, kept: ContentStorage): Pick<Row, 'kept' | 'content' | 'metadata'> => {
	const content = record.content.toWellFormed();
	const metadata = JSON.stringify(record.metadata);
	// Metadata may hold as much of a person as the text does.
	return kept === 'text' ? {kept, content, metadata} : {kept, content: sha256(content), metadata: sha256(metadata)};
};

const decodeContent = ({kept, content, metadata}: Row): Pick<StoredCycle, 'isHashed' | 'content' | 'metadata'> => kept === 'hash'
	? {isHashed: true, content: content!, metadata: metadata!}
	: {isHashed: false, content: content!, metadata: JSON.parse(metadata!)};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** JSON that gives every number back; NaN and the infinities would silently become null. */
const exactJson = (value: object): string => JSON.stringify(value, (name, inner: unknown) => {
	if (typeof inner === 'number' && !Number.isFinite(inner)) {
		throw new JournalError(`A record with ${name} = ${inner} cannot be kept: it must be finite.`);
	}

	return inner;
});

/** The beginning as it is stored; the columns of `genesis` but `id` and `checksum`, in order. */
export type GenesisRow = {
	initial: Uint8Array;
	initial_state: number;
	initial_timestamp: string;
	reference: Uint8Array;
	reference_state: number;
	reference_timestamp: string;
	/** JSON. */
	passport: string;
	/** 1 where the initial state is random, else 0. */
	random: number;
};

export const genesisColumns = ['initial', 'initial_state', 'initial_timestamp', 'reference', 'reference_state', 'reference_timestamp', 'passport', 'random'] as const satisfies Array<keyof GenesisRow>;

export const genesisFields = (row: GenesisRow): Field[] => genesisColumns.map(column => row[column]);

export const encodeGenesis = ({initial, reference, passport, isRandom}: Genesis): GenesisRow => ({
	initial: bytesOfTensor(initial),
	initial_state: initial.stateId,
	initial_timestamp: initial.timestamp,
	reference: bytesOfTensor(reference),
	reference_state: reference.stateId,
	reference_timestamp: reference.timestamp,
	passport: JSON.stringify(passport),
	random: Number(isRandom),
});

export const decodeGenesis = (row: GenesisRow): Genesis => ({
	initial: new StateTensor(row.initial_state, row.initial_timestamp, rowsOf(row.initial)),
	reference: new StateTensor(row.reference_state, row.reference_timestamp, rowsOf(row.reference)),
	passport: JSON.parse(row.passport),
	isRandom: row.random !== 0,
});

const bytesOfTensor = ({rows}: StateTensor): Uint8Array => {
	const bytes = new Uint8Array(dimensions.length * width * 4);
	for (const [i, row] of rows.entries()) {
		bytes.set(viewOf(row), i * width * 4);
	}

	return bytes;
};

const rowsOf = (bytes: Uint8Array): Float32Array[] =>
	dimensions.map((_, i) => decodeThirdness(bytes.subarray(i * width * 4, (i + 1) * width * 4)));

/** One row of a tensor, whole. */
export const decodeThirdness = (bytes: Uint8Array): Float32Array => {
	if (bytes.length !== width * 4) {
		throw new RangeError(`a row of a state is ${bytes.length} bytes long, not ${width * 4}`);
	}

	return floatsOf(bytes, width);
};

const ofWidth = (floats: Float32Array, name: string): Float32Array => {
	if (floats.length !== width) {
		throw new JournalError(`A record with a ${name} of ${floats.length} floats cannot be kept: it must have ${width}.`);
	}

	return floats;
};

/** Without the zeros at the end, which are half of the vector of a model lifted from 512. Minus zero is no such zero. */
const trimmed = (floats: Float32Array): Float32Array => {
	const end = floats.findLastIndex(value => !Object.is(value, 0)) + 1;
	return floats.subarray(0, end);
};

const viewOf = (floats: Float32Array): Uint8Array => new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);

/**
 * A copy: it is sent to another thread, and the vector's memory may be part of something larger.
 * Behind it lies one byte more, since no memory at all is a null to SQLite in Node 22.
 */
const bytesOf = (floats: Float32Array): Uint8Array => {
	const bytes = new Uint8Array(floats.byteLength + 1).subarray(0, -1);
	bytes.set(viewOf(floats));
	return bytes;
};

const floatsOf = (bytes: Uint8Array, length: number): Float32Array => {
	const floats = new Float32Array(length);
	viewOf(floats).set(bytes);
	return floats;
};
