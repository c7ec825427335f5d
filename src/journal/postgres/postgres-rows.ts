/** A whole journal in PostgreSQL as rows, to copy it elsewhere or to make it from another. */
import {ConflictError, JournalError, UnknownIdentityError} from '../../platform/errors.ts';
import type {Database, Query} from '../../platform/postgres/database.ts';
import {pagesOf, requireSameRows, type JournalRows} from '../journal-rows.ts';
import {readHeld} from '../read-pages.ts';
import {writeStatement, type OwnedHead} from './append.ts';
import {
	createUnfinished, isNameTaken, letGo, putAside, removeUnfinished, takenFromCommand, takeOver, unfinished, writeGenesis,
} from './identity-rows.ts';
import {destroyKeysWith} from './key-table.ts';
import {holdReplacement} from './replacement.ts';
import {putDecided, putRows} from './rewriting.ts';
import {readAtOnce, RowReader, type SeenHead} from './row-reader.ts';

type TakenRows = JournalRows & {
	/** The identity's token. */
	readonly life: string;
	/** Frees its name, and destroys its keys, which its new place already has. Its rows are not erased. */
	putAside: () => Promise<void>;
};

/**
 * Takes an identity over, and reads it.
 *
 * @throws {UnknownIdentityError} if there is none of that name
 * @throws {MovedError} while a living node has it
 */
export const openPostgresRows = async (database: Database, name: string): Promise<TakenRows> => {
	const {query} = database;
	const head = await takeOver(database, name);
	return {
		...await readRows(query, head, name),
		life: head.life,
		putAside: async () => destroyKeysWith(database, name, async within => putAside(within, head, takenFromCommand(name))),
		[Symbol.asyncDispose]: async () => letGo(query, head),
	};
};

/**
 * Reads an identity as it is at one moment, even while a node writes to it.
 *
 * @throws {UnknownIdentityError} if there is none of that name
 */
export const withPostgresRows = async <Result>(
	database: Database, name: string, read: (rows: JournalRows) => Promise<Result>,
): Promise<Result> => readAtOnce(database, name, async (query, head) => {
	if (!head) {
		throw new UnknownIdentityError(`There is no identity “${name}” in the database.`);
	}

	return read({...await readRows(query, head, name), async [Symbol.asyncDispose]() {}});
});

const readRows = async (query: Query, head: SeenHead, name: string): Promise<Omit<JournalRows, typeof Symbol.asyncDispose>> => {
	const reader = new RowReader(query, head, name);
	const genesis = await reader.genesis();
	if (!genesis) {
		throw new JournalError(`The identity “${name}” has not begun: there is nothing to copy.`);
	}

	await reader.requireNoneBehind();
	return {
		genesis,
		last: head.seq,
		compacted: head.compacted,
		validation: await reader.validation(),
		revisions: await reader.revisions(),
		held: async (...asked) => reader.held(...asked),
		read: async (...asked) => reader.read(...asked),
	};
};

/**
 * Makes an identity from the rows of another journal. It gets its name once it was compared with them; if that fails, nothing is left.
 *
 * @param prepare Called with the identity's token before it gets its name.
 * @throws {ConflictError} if there is one of that name
 */
export const writePostgresRows = async (
	database: Database, name: string, rows: JournalRows, prepare: (life: string) => Promise<void> = async () => {},
): Promise<void> => {
	if (await isNameTaken(database, name)) {
		throw new ConflictError(`The database already has an identity “${name}”. Put it aside first.`);
	}

	const session = await holdReplacement(database, name);
	try {
		await createUnfinished(database, name);
		const {no, life} = await writeUnfinished(database, name, rows);
		await requireSameRows(rows, await openPostgresRows(database, unfinished(name)));
		await prepare(life);
		const named = await database.query('update processual.identity set id = $2, node = null where no = $1 returning no', [no, name]);
		if (named.length === 0) {
			throw new ConflictError(`Another program is creating “${name}” in the database. Wait until it has finished.`);
		}
	} catch (error) {
		// It has texts, and no command can name it. If the database is unreachable, the next attempt removes it.
		await removeUnfinished(database, name).catch(() => {});
		throw error;
	} finally {
		await session.close();
	}
};

const writeUnfinished = async (database: Database, name: string, rows: JournalRows): Promise<OwnedHead> => {
	const {query} = database;
	const head = await takeOver(database, unfinished(name));
	await writeGenesis(query, head, rows.genesis);
	for await (const page of pagesOf(rows)) {
		const seq = page.at(-1)!.seq;
		const {text, values, tip} = writeStatement(head, page, seq);
		await query(text, values);
		Object.assign(head, {seq, tip});
	}

	await putRows(query, head.no, 'held', readHeld(rows));
	await putDecided(query, head.no, rows);
	const {compacted, validation} = rows;
	await query('update processual.identity set compacted = $2, validation = $3 where no = $1', [head.no, compacted, validation?.seq ?? 0]);
	return head;
};
