/** What is read must be what was written: each checksum is right, and each number follows its predecessor. */
import zlib from 'node:zlib';
import type {JournalError} from '../platform/errors.ts';
import type {Field} from './json.ts';
import {revisionFields, type RevisionRow} from './revision.ts';
import {
	decodeSnapshotFacts, emptyRecord, encodedStateOf, recordFields, type EncodedState, type NumberedRow, type RecordRow,
} from './record-codec.ts';

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
