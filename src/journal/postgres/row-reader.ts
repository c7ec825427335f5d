/** Reads the rows of one identity and verifies all of them. What comes out is what was written, or a JournalError. */
import {JournalError} from '../../platform/errors.ts';
import {inTransaction, type Database, type Query} from '../../platform/postgres/database.ts';
import {escapeNul, unescapeNul} from '../../platform/postgres/values.ts';
import {takeTurns} from '../../platform/waiting.ts';
import {
	firstOf, genesisFields, initialStanding, maxPageBytes, missingRecord, recordColumns, requireChecksum, requireWholeRecord,
	requireWholeRevision, standingOf, textBytesOf, validationFields, verifyForwards, type Checked, type GenesisRow, type MakeDamage,
	type NumberedRow, type NumberedValidationRow, type RevisionRow, type Standing,
} from '../rows.ts';
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

/** The ids that the next query finds, and its rows by id. */
type Finding = {ids: Set<string>; rows: Promise<Map<string, NumberedRow>>};

export class RowReader {
	readonly #query: Query;
	readonly #head: SeenHead;
	readonly #damage: MakeDamage;
	readonly #inTurn = takeTurns();
	#finding: Finding | null = null;

	/** @param head Rows after its record are not read. @param name How errors name the journal. */
	constructor(query: Query, head: SeenHead, name: string) {
		this.#query = query;
		this.#head = head;
		this.#damage = what => new JournalError(`The journal of “${name}” is damaged: ${what}. `
			+ 'Keep the database as it is for a rescue, and restore a backup of it.');
	}

	/** Null before the identity has begun. */
	async genesis(): Promise<GenesisRow | null> {
		const [row] = await this.#query<Checked<GenesisRow>>('select * from processual.genesis where identity = $1', [this.#head.no]);
		return row ? requireChecksum('the genesis', row, genesisFields(row), this.#damage) : null;
	}

	/** The newest validation, which may be newer than the head; null without one. */
	async validation(): Promise<NumberedValidationRow | null> {
		const {no, validation} = this.#head;
		if (validation === 0) {
			return null;
		}

		const [row] = await this.#query<Checked<NumberedValidationRow>>('select * from processual.validation where identity = $1', [no]);
		if (!row || row.seq < validation) {
			throw this.#damage('its validation is missing');
		}

		return requireChecksum('the validation', row, validationFields(row.seq, row), this.#damage);
	}

	/** The decisions about texts, oldest first. */
	async revisions(): Promise<RevisionRow[]> {
		const rows = await this.#query<Checked<RevisionRow>>('select seq, facts, checksum from processual.revision where identity = $1 '
			+ 'and seq <= $2 order by seq', [this.#head.no, this.#head.seq]);
		return rows.map(row => requireWholeRevision(row, this.#damage));
	}

	/** At most `count` rows of held texts after a number, oldest first; fewer if they are long. */
	async held(after: number, count: number): Promise<NumberedRow[]> {
		return this.#verified(await this.#page(after, count, this.#head.seq, 'held'));
	}

	async countHeld(): Promise<number> {
		const [row] = await this.#query<{held: number}>('select count(*) as held from processual.held where identity = $1', [this.#head.no]);
		return row!.held;
	}

	/**
	 * At most `count` rows from a number on, oldest first; fewer if they are long. If the first was compacted, its snapshot
	 * takes its place.
	 */
	async read(from: number, count: number): Promise<NumberedRow[]> {
		const {seq: last} = this.#head;
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

	/** The text with this id, as it was first recorded; null without one. Ids that are asked for during a query share the next one. */
	async find(id: string): Promise<NumberedRow | null> {
		const finding = this.#finding ??= this.#findNext();
		finding.ids.add(id);
		return (await finding.rows).get(id) ?? null;
	}

	#findNext(): Finding {
		const ids = new Set<string>();
		const rows = this.#inTurn(async () => {
			this.#finding = null;
			return this.#findAll([...ids].map(escapeNul));
		});
		return {ids, rows};
	}

	async #findAll(ids: readonly string[]): Promise<Map<string, NumberedRow>> {
		const found = await this.#select('(kind = \'cycle\' and id = any($2) or kind = \'held\' and id = any($2)) order by seq desc', [ids]);
		const waiting = await this.#select('id = any($2)', [ids], 'held');
		// Of several with one id, the map has the last one: the earliest.
		return new Map(this.#verified([...found, ...waiting]).map(row => [row.id, row]));
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
	async requireNoneBehind(): Promise<void> {
		const {no, seq: last} = this.#head;
		const [row] = await this.#query<{seq: number}>('select seq from processual.record where identity = $1 and seq > $2 '
			+ 'order by seq desc limit 1', [no, last]);
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
		const rows = await this.#query<Checked<NumberedRow>>(text, [this.#head.no, ...values]);
		return rows.map(
			row => ({
				...row, id: unescapeNul(row.id), timestamp: unescapeNul(row.timestamp),
				content: row.content === null ? null : unescapeNul(row.content),
			}),
		);
	}
}
