/**
 * The one statement that writes records. It raises the head only if fence, number and checksum are those that the
 * writer knows, and writes the records only if it raised the head. So an earlier owner writes nothing, however late
 * its statement runs, nor does an owner whose database lost records: PostgreSQL compares the head's row again when its
 * lock is free.
 */
import {toBuffer, toValue} from '../../platform/postgres/values.ts';
import {checksumOf, recordFields, revisionFields, validationFields, type EncodedRecord, type RevisionRow} from '../rows.ts';

/** The head of an identity's journal, as its owner knows it. */
export type OwnedHead = {
	/** The identity's row. */
	readonly no: number;
	/** The token of the identity itself, whatever its name and row. */
	readonly life: string;
	/** The token of this take-over. */
	readonly fence: string;
	/** The newest record. */
	seq: number;
	/** The newest record's checksum; 0 for none. */
	tip: number;
	/** The newest compacted record; 0 for none. */
	compacted: number;
	/** The newest validation; 0 for none. */
	validation: number;
};

/** A statement and its values. It returns a row if it wrote; then `tip` is the head's. */
type WriteStatement = {name: string; text: string; values: unknown[]; tip: number};

/** Bytes are sent as one binary value and cut on the server: an array of them would be text of twice the size. */
const textOf = (keeping: string, returning: string): string => `
	with head as (
		update processual.identity
		set seq = $4, tip = ($17::bigint[])[cardinality($17::bigint[])], validation = coalesce($5, validation),
			loop_on = coalesce($6, loop_on), loop_at = case when $7 then now() else loop_at end
		where no = $1 and fence = $2 and seq = $3 and tip = $23
		returning no
	), written as (
		insert into processual.record
			(identity, seq, fence, kind, id, timestamp, state, facts, kept, content, metadata, standing, checksum, vector, thirdness)
		select head.no, r.seq, $2, r.kind, r.id, r.timestamp, r.state, r.facts, r.kept, r.content, r.metadata, r.standing, r.checksum,
			substring($18::bytea from r.at for r.vector), substring($18::bytea from r.at + coalesce(r.vector, 0) for r.thirdness)
		from head, unnest(
			$8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
			$17::bigint[], $19::integer[], $20::integer[], $21::integer[], $22::bigint[])
			as r(kind, id, timestamp, state, facts, kept, content, metadata, standing, checksum, at, vector, thirdness, seq)
		${returning}
	)${keeping}
	select no from head`;

/** The columns that both tables of records share. */
const columns = 'identity, seq, kind, id, timestamp, state, facts, kept, content, metadata, standing, checksum, vector, thirdness';

/** Gives the place of the next value. */
type Next = () => string;

/** Optional parts of the statement. */
const parts = {
	revisions: (next: Next) => `, revised as (
		insert into processual.revision (identity, seq, facts, checksum)
		select head.no, r.seq, r.facts, r.checksum
		from head, unnest(${next()}::bigint[], ${next()}::text[], ${next()}::bigint[]) as r(seq, facts, checksum)
	)`,
	validation: (next: Next) => `, validation as (
		insert into processual.validation (identity, seq, facts, details, thirdness, vectors, checksum)
		select no, $5::bigint, ${next()}, ${next()}, ${next()}, ${next()}, ${next()} from head
		on conflict (identity) do update
		set seq = excluded.seq, facts = excluded.facts, details = excluded.details,
			thirdness = excluded.thirdness, vectors = excluded.vectors, checksum = excluded.checksum
	)`,
	waiting: (next: Next) => `, waiting as (
		insert into processual.held (${columns}) select ${columns} from written where seq = any(${next()}::bigint[])
	)`,
	settled: (next: Next) => `, settled as (
		delete from processual.held using head where identity = head.no and held.seq = any(${next()}::bigint[])
	)`,
};

type Part = keyof typeof parts;

const partNames = Object.keys(parts) as Part[];

/** The columns that are sent as an array each; vectors and rows are sent as bytes. */
const plainColumns = ['kind', 'id', 'timestamp', 'state', 'facts', 'kept', 'content', 'metadata', 'standing'] as const;

/** @param last The place of the last value that every append has. */
const textWith = (kept: readonly Part[], last: number): string => {
	const next: Next = () => `$${++last}`;
	return textOf(kept.map(part => parts[part](next)).join(''), kept.includes('waiting') ? 'returning *' : '');
};

type Numbered = EncodedRecord & {readonly seq: number};

/** Writes a group after the head. */
export const appendStatement = (head: OwnedHead, rows: readonly EncodedRecord[]): WriteStatement => {
	const numbered = rows.map((row, i) => ({...row, seq: head.seq + 1 + i}));
	return writeStatement(head, numbered, head.seq + rows.length);
};

/** Writes rows with their numbers; `seq` is the last one. */
export const writeStatement = (head: OwnedHead, numbered: readonly Numbered[], seq: number): WriteStatement => {
	const validated = numbered.findLast(({validation}) => validation);
	const revised = numbered.flatMap(row => row.revision === undefined ? [] : [{seq: row.seq, facts: row.revision}]);
	const {bytes, places} = pack(numbered);
	const checksums = numbered.map(row => checksumOf(recordFields(row.seq, row)));
	const values = [
		head.no,
		head.fence,
		head.seq,
		seq,
		validated?.seq ?? null,
		isLoopOn(numbered),
		numbered.some(({kind, isOfLoop}) => isOfLoop || kind === 'daemon.started'),
		...plainColumns.map(column => numbered.map(row => toValue(row[column]))),
		checksums,
		bytes,
		places.map(({at}) => at),
		places.map(({vector}) => vector),
		places.map(({thirdness}) => thirdness),
		numbered.map(row => row.seq),
		head.tip,
	];
	const settled = numbered.flatMap(row => row.settled ?? []);
	// A statement cannot delete what it inserts.
	const waiting = numbered.filter(row => row.isWaiting && !settled.includes(row.seq)).map(row => row.seq);
	const keeping: Record<Part, unknown[]> = {
		revisions: revisionValues(revised), validation: validationValues(validated),
		waiting: waiting.length > 0 ? [waiting] : [], settled: settled.length > 0 ? [settled] : [],
	};
	const kept = partNames.filter(part => keeping[part].length > 0);
	return {
		name: ['append', ...kept].join('-'), text: textWith(kept, values.length), values: [...values, ...kept.flatMap(part => keeping[part])],
		tip: checksums.at(-1)!,
	};
};

const revisionValues = (rows: readonly RevisionRow[]): unknown[] => rows.length === 0
	? []
	: [rows.map(({seq}) => seq), rows.map(({facts}) => facts), rows.map(row => checksumOf(revisionFields(row)))];

const validationValues = (row: Numbered | undefined): unknown[] => {
	if (!row?.validation) {
		return [];
	}

	const {facts, details, thirdness, vectors} = row.validation;
	return [facts, details, toBuffer(thirdness), toBuffer(vectors), checksumOf(validationFields(row.seq, row.validation))];
};

/** Whether the daemon's loop runs after these records; null if they do not say. */
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
