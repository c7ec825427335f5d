/**
 * The one statement that writes records. It raises the head only where epoch and number are those
 * that the writer knows, and writes the records only where it raised the head. So the writer of an
 * earlier epoch writes nothing, however late its statement runs: the row of the head is compared
 * again when its lock is free.
 */
import {escapeNul, toBuffer} from '../../platform/postgres/values.ts';
import {checksumOf} from '../checksum.ts';
import {isKept, recordFields, type EncodedRecord} from '../record-codec.ts';
import {revisionFields} from '../revision-codec.ts';
import {validationFields} from '../validation-codec.ts';

/** The head of an identity's journal, as its owner knows it. */
export type OwnedHead = {
	/** The identity's row. */
	readonly no: number;
	readonly epoch: number;
	/** The newest record. */
	seq: number;
	/** The newest compacted record; 0 for none. */
	compacted: number;
	/** The newest validation; 0 for none. */
	validation: number;
};

/** A statement and its values. A row comes back where it was written. */
type WriteStatement = {name: string; text: string; values: unknown[]};

/** Bytes go as one value, in binary, and are cut on the server: an array of them would be text of twice the size. */
const textOf = (keeping = ''): string => `
	with head as (
		update processual.identity
		set seq = $4, validation = coalesce($5, validation), loop_on = coalesce($6, loop_on), loop_at = case when $7 then now() else loop_at end
		where no = $1 and epoch = $2 and seq = $3
		returning no
	), ${keeping}written as (
		insert into processual.record
			(identity, seq, epoch, kind, id, timestamp, state, facts, kept, content, metadata, standing, checksum, vector, thirdness)
		select head.no, r.seq, $2, r.kind, r.id, r.timestamp, r.state, r.facts, r.kept, r.content, r.metadata, r.standing, r.checksum,
			substring($18::bytea from r.at for r.vector), substring($18::bytea from r.at + coalesce(r.vector, 0) for r.thirdness)
		from head, unnest(
			$8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
			$17::bigint[], $19::integer[], $20::integer[], $21::integer[], $22::bigint[])
			as r(kind, id, timestamp, state, facts, kept, content, metadata, standing, checksum, at, vector, thirdness, seq)
	)
	select no from head`;

const keepValidation = `validation as (
		insert into processual.validation (identity, seq, facts, details, thirdness, vectors, checksum)
		select no, $5::bigint, $23, $24, $25, $26, $27 from head
		on conflict (identity) do update
		set seq = excluded.seq, facts = excluded.facts, details = excluded.details,
			thirdness = excluded.thirdness, vectors = excluded.vectors, checksum = excluded.checksum
	), `;

const keepRevision = `revised as (
		insert into processual.revision (identity, seq, facts, checksum) select no, $23::bigint, $24, $25 from head
	), `;

/** What is sent as an array for each column; vectors and rows go as bytes. */
const plainColumns = ['kind', 'id', 'timestamp', 'state', 'facts', 'kept', 'content', 'metadata', 'standing'] as const;

const texts = {'append': textOf(), 'append-validation': textOf(keepValidation), 'append-revision': textOf(keepRevision)};

type Numbered = EncodedRecord & {readonly seq: number};

/** Writes a group behind the head. */
export const appendStatement = (head: OwnedHead, rows: readonly EncodedRecord[]): WriteStatement => {
	const numbered = rows.map((row, i) => ({...row, seq: head.seq + 1 + i}));
	return writeStatement(head, numbered, head.seq + rows.length, numbered.find(isKept) ?? null);
};

/** Writes rows with their numbers, of which `seq` is the last. @param kept What is kept beside the records. */
export const writeStatement = (head: OwnedHead, numbered: readonly Numbered[], seq: number, kept: Numbered | null): WriteStatement => {
	const {bytes, places} = pack(numbered);
	const values = [
		head.no,
		head.epoch,
		head.seq,
		seq,
		kept?.validation ? kept.seq : null,
		isLoopOn(numbered),
		numbered.some(({kind, isOfLoop}) => isOfLoop || kind === 'daemon.started'),
		...plainColumns.map(column => numbered.map(row => {
			const value = row[column];
			return typeof value === 'string' ? escapeNul(value) : value;
		})),
		numbered.map(row => checksumOf(recordFields(row.seq, row))),
		bytes,
		places.map(({at}) => at),
		places.map(({vector}) => vector),
		places.map(({thirdness}) => thirdness),
		numbered.map(row => row.seq),
	];
	const name = kept?.validation ? 'append-validation' : kept ? 'append-revision' : 'append';
	return {name, text: texts[name], values: [...values, ...kept ? keptValues(kept) : []]};
};

const keptValues = ({seq, validation, revision}: Numbered): unknown[] => {
	if (!validation) {
		return [seq, revision, checksumOf(revisionFields({seq, facts: revision!}))];
	}

	const {facts, details, thirdness, vectors} = validation;
	return [facts, details, toBuffer(thirdness), toBuffer(vectors), checksumOf(validationFields(seq, validation))];
};

/** Whether the daemon's loop runs after these records; null where they do not say. */
const isLoopOn = (rows: readonly EncodedRecord[]): boolean | null => {
	const kind = rows.findLast(row => row.kind.startsWith('daemon.'))?.kind;
	return kind === undefined ? null : kind === 'daemon.started';
};

type Place = {at: number; vector: number | null; thirdness: number | null};

/** The bytes of all rows, one after another. Places count from 1, as in SQL. */
const pack = (rows: readonly EncodedRecord[]): {bytes: Buffer; places: Place[]} => {
	let end = 1;
	const places = rows.map(({vector, thirdness}): Place => {
		const at = end;
		end += (vector?.length ?? 0) + (thirdness?.length ?? 0);
		return {at, vector: vector?.length ?? null, thirdness: thirdness?.length ?? null};
	});
	return {bytes: Buffer.concat(rows.flatMap(({vector, thirdness}) => [vector, thirdness].filter(blob => blob !== null))), places};
};
