/**
 * The rows of a journal's tables, the same in every database, and what is verified of them. What is read must be what was
 * written: each checksum is right, and each number follows its predecessor.
 */
import zlib from 'node:zlib';
import type {JournalError} from '../platform/errors.ts';

export type Field = string | number | null | Uint8Array;

/** The columns of `genesis` except `id` and `checksum`. */
export type GenesisRow = {
	initial: Uint8Array;
	initial_state: number;
	initial_timestamp: string;
	reference: Uint8Array;
	reference_state: number;
	reference_timestamp: string;
	/** JSON. */
	passport: string;
	/** 1 if the initial state is random, else 0. */
	random: number;
};

/** In the order of the table. */
export const genesisColumns = [
	'initial', 'initial_state', 'initial_timestamp', 'reference', 'reference_state', 'reference_timestamp', 'passport',
	'random',
] as const satisfies Array<keyof GenesisRow>;

export const genesisFields = (row: GenesisRow): Field[] => genesisColumns.map(column => row[column]);

/** How contents and metadata are stored: as they are, or as the SHA-256 of each. */
export type ContentStorage = 'text' | 'hash';

/** The columns of `records` except `seq` and `checksum`. */
export type RecordRow = {
	kind: string;
	id: string;
	timestamp: string;
	/** Id of the state after the record; null if that is the initial state or, except for a validation, the predecessor's. */
	state: number | null;
	/** JSON: the measures of a cycle or a held text and how it was read, a validation's note and baseline in short, or a snapshot's range. */
	facts: string | null;
	/** How `content` and `metadata` are stored; sealed texts are in `vector` (`sealing.ts`). */
	kept: ContentStorage | 'sealed' | null;
	/** Text, or its hash in hexadecimal. */
	content: string | null;
	/** JSON, or its hash in hexadecimal. */
	metadata: string | null;
	/** The checkpoint as JSON. */
	standing: string | null;
	/** The input's embedding without trailing zeros. */
	vector: Uint8Array | null;
	thirdness: Uint8Array | null;
};

/** In the order of the table. */
export const recordColumns = [
	'kind', 'id', 'timestamp', 'state', 'facts', 'kept', 'content', 'metadata', 'standing', 'vector', 'thirdness',
] as const satisfies Array<keyof RecordRow>;

/** A record's number and its columns, in the order of the table: what is inserted and what the checksum covers. */
export const recordFields = (seq: number, row: RecordRow): Field[] => [seq, ...recordColumns.map(column => row[column])];

/** What differs from the initial state, as bytes; null for the initial state. */
export type EncodedState = {stateId: number; timestamp: string; thirdness: Uint8Array} | null;

/** The other columns of a record that has only a kind, an id and a time. */
export const emptyRecord = {
	state: null, facts: null, kept: null, content: null, metadata: null, standing: null, vector: null, thirdness: null,
};

/** A record to append: its columns, and its effects on other tables. */
export type EncodedRecord = RecordRow & {
	validation?: ValidationRow;
	/** The facts of a revision, a release or a drop, as JSON. */
	revision?: string;
	/** Whether the daemon's loop asked for the cycle. */
	isOfLoop?: boolean;
	/** Whether it is a newly held text. */
	isWaiting?: boolean;
	/** The record numbers of texts that are no longer held. */
	settled?: readonly number[];
	/** Whether it is the cycle of a released text, and so has that text's id, or is written in its place. */
	isReleased?: boolean;
};

/** A record's columns and its number. */
export type NumberedRow = RecordRow & {seq: number};

/** A page ends after this many bytes of texts: one may have a megabyte, and memory has the page as rows, message and records. */
export const maxPageBytes = 4 * 2 ** 20;

/** The bytes of a row that long texts may fill; a sealed text is in the vector. */
export const textBytesOf = ({content, metadata, vector}: NumberedRow): number =>
	(content?.length ?? 0) + (metadata?.length ?? 0) + (vector?.byteLength ?? 0);

/** The number of a decision, and its columns except `checksum`. */
export type RevisionRow = {
	seq: number;
	/** JSON: `RevisionFacts` or `SettlementFacts`. */
	facts: string;
};

/** The fields that the checksum covers. */
export const revisionFields = ({seq, facts}: RevisionRow): Field[] => [seq, facts];

/** The columns of `validation` except `id`, `seq` and `checksum`. */
export type ValidationRow = {
	/** JSON: `ValidationFacts`. */
	facts: string;
	/** JSON: the baseline without its vectors, and what was found about chance. */
	details: string;
	/** The anchor's. */
	thirdness: Uint8Array;
	/** The vectors of all texts, without the trailing zeros that all of them have. */
	vectors: Uint8Array;
};

/** The row, and the number of its record. */
export type NumberedValidationRow = ValidationRow & {seq: number};

/** In the order of the table. */
export const validationColumns = ['facts', 'details', 'thirdness', 'vectors'] as const satisfies Array<keyof ValidationRow>;

/** The fields that the checksum covers. */
export const validationFields = (seq: number, row: ValidationRow): Field[] => [seq, ...validationColumns.map(column => row[column])];

/**
 * The checksum of a row: CRC-32 of the fields in order, their types and lengths included. It finds a damaged page, a
 * lost overflow chain, and a row in another row's place. It protects against broken disks and files, not against people.
 */
export const checksumOf = (fields: readonly Field[]): number => {
	// A blob is represented by its length in an array, so that it differs from a number in the same place.
	const outline = JSON.stringify(fields.map(field => field instanceof Uint8Array ? [field.length] : field));
	return fields
		.filter(field => field instanceof Uint8Array)
		// An empty blob does not change the sum, but Node 22 restarts the sum at a blob without memory.
		.filter(({length}) => length > 0)
		.reduce((sum, blob) => zlib.crc32(blob, sum), zlib.crc32(outline));
};

/** A row as it is stored. */
export type Checked<Row> = Row & {checksum: number};

/** Makes the error for data that is not what was written. */
export type MakeDamage = (what: string) => JournalError;

/** Returns the row if it is as it was written. @throws the error that `damage` makes */
export const requireChecksum = <Row extends {checksum: number}>(
	what: string, row: Row, fields: readonly Field[], damage: MakeDamage,
): Row => {
	if (checksumOf(fields) !== row.checksum) {
		throw damage(`${what} is not what was written (its checksum differs)`);
	}

	return row;
};

export const requireWholeRecord = <Row extends Checked<NumberedRow>>(row: Row, damage: MakeDamage): Row =>
	requireChecksum(`record ${row.seq}`, row, recordFields(row.seq, row), damage);

export const requireWholeRevision = <Row extends Checked<RevisionRow>>(row: Row, damage: MakeDamage): Row =>
	requireChecksum(`the revision ${row.seq}`, row, revisionFields(row), damage);

export const missingRecord = (seq: number, damage: MakeDamage): JournalError => damage(`record ${seq} is missing`);

/**
 * Rows after a record number, oldest first. If the next record was compacted, the first row is its snapshot.
 *
 * @param last The journal's newest record, if no rows come after these; else 0.
 */
export function * verifyForwards(
	rows: Iterable<Checked<NumberedRow>>, seq: number, last: number, damage: MakeDamage,
): Generator<NumberedRow> {
	let expected = seq + 1;
	for (const row of rows) {
		requireWholeRecord(row, damage);
		if (firstOf(row) > expected) {
			throw missingRecord(expected, damage);
		}

		yield row;
		expected = row.seq + 1;
	}

	if (expected <= last) {
		throw missingRecord(expected, damage);
	}
}

/** Rows from a number down to the first, newest first. */
export function * verifyBackwards(rows: Iterable<Checked<NumberedRow>>, seq: number, damage: MakeDamage): Generator<NumberedRow> {
	let expected = seq;
	for (const row of rows) {
		if (row.seq !== expected) {
			break;
		}

		requireWholeRecord(row, damage);
		yield row;
		expected = firstOf(row) - 1;
	}

	if (expected !== 0) {
		throw missingRecord(expected, damage);
	}
}

/** The first record that a row stands for. */
export const firstOf = (row: NumberedRow): number => row.kind === 'snapshot' ? decodeSnapshotFacts(row).first : row.seq;

/** The part of a held text's or a snapshot's facts that the storage needs. */
export type StateFacts = {stateTimestamp: string | null};

export const decodeSnapshotFacts = (row: RecordRow): StateFacts & {first: number} => JSON.parse(row.facts!);

/** The state that a snapshot stands for, or that a held text found. */
export const encodedStateOf = ({facts, state, thirdness}: RecordRow): EncodedState => {
	const {stateTimestamp} = JSON.parse(facts!) as StateFacts;
	return stateTimestamp === null ? null : {stateId: state!, timestamp: stateTimestamp, thirdness: thirdness!};
};

/** The state after a record, and its standing: the checkpoint as JSON. */
export type Standing = {state: EncodedState; standing: string | null};

/** The standing of the genesis. */
export const initialStanding: Standing = {state: null, standing: null};

/** The standing after a row; null if it is the predecessor's. */
export const standingOf = (row: RecordRow): Standing | null => {
	switch (row.kind) {
		case 'cycle':
		case 'revision': return {state: {stateId: row.state!, timestamp: row.timestamp, thirdness: row.thirdness!}, standing: row.standing};
		case 'held':
		case 'snapshot': return {state: encodedStateOf(row), standing: row.standing};
		case 'reset': return {state: null, standing: row.standing};
		default: return null;
	}
};

/** The snapshot that replaces a block of records. It keeps the last one's id, time and standing. */
export const snapshotOf = ({id, timestamp}: RecordRow, first: number, {state, standing}: Standing): RecordRow => ({
	...emptyRecord,
	kind: 'snapshot',
	id,
	timestamp,
	state: state && state.stateId,
	facts: JSON.stringify({first, stateTimestamp: state && state.timestamp}),
	standing,
	thirdness: state && state.thirdness,
});
