/** Reads the rows of one identity and verifies all of them. What comes out is what was written, or a JournalError. */
import {JournalError} from '../../platform/errors.ts';
import {inTransaction, type Database, type Query} from '../../platform/postgres/database.ts';
import {escapeNul, unescapeNul} from '../../platform/postgres/values.ts';
import {genesisFields, type GenesisRow} from '../genesis-codec.ts';
import {maxPageBytes, recordColumns, textBytesOf, type NumberedRow} from '../record-codec.ts';
import type {RevisionRow} from '../revision.ts';
import {validationFields, type NumberedValidationRow} from '../validation-codec.ts';
import {
	firstOf, initialStanding, missingRecord, requireChecksum, requireWholeRecord, requireWholeRevision, standingOf, verifyForwards,
	type Checked, type MakeDamage, type Standing,
} from '../verified-rows.ts';
import type {OwnedHead} from './append.ts';

/** How many rows one statement reads: few enough for its timeout. */
const pageSize = 128;

/** How many rows are read first to find the newest state: mostly the newest row has it. */
const tailSize = 4;

const columns = `seq, ${recordColumns.join(', ')}, checksum`;

/** SQL that counts like `textBytesOf`. A length is found without reading the text. */
const textBytes = ['content', 'metadata', 'vector'].map(column => `coalesce(octet_length(${column}), 0)`).join(' + ');

/** Whether a page has reached its limit of bytes: memory then has no further page beside it. */
const isLong = (rows: readonly NumberedRow[]): boolean => maxPageBytes <= rows.reduce((sum, row) => sum + textBytesOf(row), 0);

/** What a reader must know of an identity's head. */
export type SeenHead = Pick<OwnedHead, 'no' | 'seq' | 'compacted' | 'validation'>;

/**
 * Reads an identity as it is at one moment, even while a node writes to it.
 *
 * @param read Gets no head if there is no identity of that name.
 */
export const readAtOnce = async <Result>(
	database: Database, name: string, read: (query: Query, head: SeenHead | undefined) => Promise<Result>,
): Promise<Result> => inTransaction(database, async query => {
	await query('set transaction isolation level repeatable read, read only');
	const [head] = await query<SeenHead>(
		'select no, seq, compacted, validation from processual.identity where id = $1 and not aside', [name],
	);
	return read(query, head);
}, {isBounded: false});

export class RowReader {
	readonly #query: Query;
	readonly #no: number;
	readonly #damage: MakeDamage;

	/** @param name How errors name the journal. */
	constructor(query: Query, no: number, name: string) {
		this.#query = query;
		this.#no = no;
		this.#damage = what => new JournalError(`The journal of “${name}” is damaged: ${what}. `
			+ 'Keep the database as it is for a rescue, and restore a backup of it.');
	}

	/** Null before the identity has begun. */
	async genesis(): Promise<GenesisRow | null> {
		const [row] = await this.#query<Checked<GenesisRow>>('select * from processual.genesis where identity = $1', [this.#no]);
		return row ? requireChecksum('the genesis', row, genesisFields(row), this.#damage) : null;
	}

	/** @param seq The number of its record, or of an earlier one; 0 for none. */
	async validation(seq: number): Promise<NumberedValidationRow | null> {
		if (seq === 0) {
			return null;
		}

		const [row] = await this.#query<Checked<NumberedValidationRow>>('select * from processual.validation where identity = $1', [this.#no]);
		if (!row || row.seq < seq) {
			throw this.#damage('its validation is missing');
		}

		return requireChecksum('the validation', row, validationFields(row.seq, row), this.#damage);
	}

	/** The decisions about texts up to a record, oldest first. */
	async revisions(last: number): Promise<RevisionRow[]> {
		const rows = await this.#query<Checked<RevisionRow>>('select seq, facts, checksum from processual.revision where identity = $1 '
			+ 'and seq <= $2 order by seq', [this.#no, last]);
		return rows.map(row => requireWholeRevision(row, this.#damage));
	}

	/** At most `count` rows of held texts after a number and up to `last`, oldest first; fewer if they are long. */
	async held(after: number, count: number, last: number): Promise<NumberedRow[]> {
		return this.#verified(await this.#page(after, count, last, 'held'));
	}

	async countHeld(): Promise<number> {
		const [row] = await this.#query<{held: number}>('select count(*) as held from processual.held where identity = $1', [this.#no]);
		return row!.held;
	}

	/**
	 * At most `count` rows from a number up to `last`, oldest first; fewer if they are long. If the first was compacted, its
	 * snapshot takes its place.
	 */
	async read(from: number, count: number, last: number): Promise<NumberedRow[]> {
		const rows: NumberedRow[] = [];
		for (let seq = from - 1; rows.length < count && seq < last; seq = rows.at(-1)!.seq) {
			const page = await this.#page(seq, count - rows.length, last);
			// A page of long texts is short: only an empty one means that the rest is missing.
			rows.push(...verifyForwards(page, seq, page.length === 0 ? last : 0, this.#damage));
			if (isLong(page)) {
				break;
			}
		}

		return rows;
	}

	/** The texts with these ids. Of several with one id the earliest comes last, so a map by id has that one. */
	async find(ids: readonly string[]): Promise<NumberedRow[]> {
		const given = [ids.map(escapeNul)];
		const [found, waiting] = [
			await this.#select('(kind = \'cycle\' and id = any($2) or kind = \'held\' and id = any($2)) order by seq desc', given),
			await this.#select('id = any($2)', given, 'held'),
		];
		return this.#verified([...found, ...waiting]);
	}

	#verified(rows: Array<Checked<NumberedRow>>): NumberedRow[] {
		return rows.map(row => requireWholeRecord(row, this.#damage));
	}

	/** The standing after the records up to a number, which must be that of a row, or 0. */
	async standingAfter(seq: number): Promise<Standing> {
		for (let expected = seq, size = tailSize; expected > 0; size = pageSize) {
			const rows = await this.#select('seq <= $2 order by seq desc limit $3', [expected, size]);
			if (rows.length === 0) {
				throw missingRecord(expected, this.#damage);
			}

			for (const row of rows) {
				if (row.seq !== expected) {
					throw missingRecord(expected, this.#damage);
				}

				const standing = standingOf(requireWholeRecord(row, this.#damage));
				if (standing) {
					return standing;
				}

				expected = firstOf(row) - 1;
			}
		}

		return initialStanding;
	}

	/** @throws {JournalError} if there are records after the head */
	async requireNoneBehind(last: number): Promise<void> {
		const [row] = await this.#query<{seq: number}>('select seq from processual.record where identity = $1 and seq > $2 '
			+ 'order by seq desc limit 1', [this.#no, last]);
		if (row) {
			throw this.#damage(`it has a record ${row.seq}, but its head says ${last}`);
		}
	}

	/** Rows after a number up to `last`: as many of `count` as one statement reads, and at least one if there is one. */
	async #page(after: number, count: number, last: number, table: 'record' | 'held' = 'record'): Promise<Array<Checked<NumberedRow>>> {
		return this.#rows(`
			select ${columns} from (
				select *, sum(${textBytes}) over (order by seq rows between unbounded preceding and 1 preceding) as before from (
					select * from processual.${table} where identity = $1 and seq > $2 and seq <= $3 order by seq limit $4
				) as found
			) as sized
			where coalesce(before, 0) < ${maxPageBytes} order by seq`, [after, last, Math.min(pageSize, count)]);
	}

	async #select(condition: string, values: unknown[], table: 'record' | 'held' = 'record'): Promise<Array<Checked<NumberedRow>>> {
		return this.#rows(`select ${columns} from processual.${table} where identity = $1 and ${condition}`, values);
	}

	async #rows(text: string, values: unknown[]): Promise<Array<Checked<NumberedRow>>> {
		const rows = await this.#query<Checked<NumberedRow>>(text, [this.#no, ...values]);
		return rows.map(
			row => ({
				...row, id: unescapeNul(row.id), timestamp: unescapeNul(row.timestamp),
				content: row.content === null ? null : unescapeNul(row.content),
			}),
		);
	}
}
