/**
 * `processual move`: brings an identity from files into the database, or back, with the same bits.
 * The copy is compared with the original before it takes its name; the original is put aside.
 */
import {existsSync} from 'node:fs';
import {rename, rm} from 'node:fs/promises';
import path from 'node:path';
import {ConfigurationError, ConflictError, JournalError, MovedError, UnknownIdentityError} from '../platform/errors.ts';
import {findFreeName, syncFolder} from '../platform/files/folders.ts';
import {requireSameRows, type JournalRows} from '../journal/journal-rows.ts';
import type {KeyStore} from '../journal/key-ring.ts';
import {keysInTable} from '../journal/postgres/key-table.ts';
import {isNameTaken, unfinished} from '../journal/postgres/identity-rows.ts';
import {openPostgresRows, withPostgresRows, writePostgresRows} from '../journal/postgres/postgres-rows.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {Database} from '../platform/postgres/database.ts';
import {keysInFile} from '../journal/sqlite/key-file.ts';
import {endMoving, markMoving, movingPath, readMoving, type Moving} from '../journal/sqlite/moving.ts';
import {openSqliteRows, writeSqliteRows} from '../journal/sqlite/sqlite-rows.ts';
import {withDraft} from './draft.ts';
import {openDatabaseOf} from './open-journal.ts';
import {toJournalFolder, toJournalKeys} from './options.ts';
import type {Settings} from './settings.ts';

type Destination = 'postgres' | 'sqlite';

/**
 * Until one place has given the identity up, the folder has a mark, and is not opened: so a kill leaves one place that opens,
 * or a folder that says how to end the move.
 *
 * @throws {ConfigurationError} without a database
 * @throws {ConflictError} where there is an identity of that name already, and where the move that was cut off was another one
 * @throws {JournalError} while a service has the identity, and where a copy differs
 */
export const moveIdentity = async (settings: Settings, name: string, to: Destination): Promise<string> => {
	const folder = toJournalFolder(settings, name);
	await using database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('An identity is moved between DATA_DIR and a database: set DATABASE_URL.');
	}

	const moving = readMoving(folder);
	if (moving && moving.to !== to) {
		throw new ConflictError(`A move of “${name}” was cut off. “processual move ${name} --to ${moving.to}” ends it: do that first.`);
	}

	if (!existsSync(folder)) {
		await requireThere(database, name, folder, to);
	}

	const {file} = toJournalKeys({...settings, IDENTITY: name});
	// Also on the way into the database: each of two would remove what the other has written there.
	return await withDraft(folder, 'Set DATA_DIR to a folder', async fresh => to === 'postgres'
		? moveToDatabase(database, name, folder, file)
		: moveToFiles(database, name, folder, {fresh, keyFile: file}));
};

/** Asked before a folder is made for the draft: of a name that was misspelled none is left. */
const requireThere = async (database: Database, name: string, folder: string, to: Destination): Promise<void> => {
	const isThere = await isNameTaken(database, name);
	if (to === 'postgres') {
		throw isThere
			? new ConflictError(`“${name}” is in the database already, and ${folder} does not exist.`)
			: new UnknownIdentityError(`There is no identity “${name}”: ${folder} does not exist. Set DATA_DIR to the folder of the data.`);
	}

	if (!isThere) {
		throw new UnknownIdentityError(`There is no identity “${name}” in the database.`);
	}
};

const moveToDatabase = async (database: Database, name: string, folder: string, keyFile: string): Promise<string> => {
	await using rows = openSqliteRows(folder, {isMoving: true});
	const oldFolder = findFreeName(folder);
	if (!await hasArrived(database, name, folder, rows)) {
		await arrive(database, name, folder, {rows, keyFile});
	}

	await rename(folder, oldFolder);
	syncFolder(path.dirname(folder));
	endMoving(oldFolder);
	const keys = existsSync(keyFile) ? ` Its keys are in the database; those in ${keyFile} still open the old journal, and no forgetting `
		+ 'destroys them: remove them with it.' : '';
	return `“${name}” is in the database with ${countInEnglish(rows.last, 'record')}, compared bit for bit. `
		+ `The old journal is kept in ${oldFolder}.${keys}`;
};

/** Whether an earlier move has brought it there that was killed before it put the folder aside. Nodes may have written to it since. */
const hasArrived = async (database: Database, name: string, folder: string, rows: JournalRows): Promise<boolean> => {
	const moving = readMoving(folder);
	return moving
		? (await requireMoved(database, name, folder, moving)).id !== unfinished(name)
		// One of an earlier version has no mark.
		: isInDatabase(database, name, async copy => requireSameRows(rows, copy));
};

const arrive = async (
	database: Database, name: string, folder: string, {rows, keyFile}: {rows: JournalRows; keyFile: string},
): Promise<void> => {
	endMoving(folder);
	try {
		await writePostgresRows(database, name, rows, async life => {
			await moveKeys(keysInFile(keyFile), keysInTable(database, name));
			markMoving(folder, {to: 'postgres', life});
		});
	} catch (error) {
		// Where the answer of the database was lost, the folder stays closed: it may be there.
		const moving = readMoving(folder);
		if (moving && await findMoved(database, moving).catch(() => undefined) === null) {
			endMoving(folder);
		}

		throw error;
	}
};

type Moved = {id: string; aside: boolean};

/** What became of it in the database; null where that does not have it. */
const findMoved = async ({query}: Database, {life}: Moving): Promise<Moved | null> =>
	(await query<Moved>('select id, aside from processual.identity where life::text = $1', [life]))[0] ?? null;

const requireMoved = async (database: Database, name: string, folder: string, moving: Moving): Promise<Moved> => {
	const moved = await findMoved(database, moving);
	if (!moved) {
		throw new ConflictError(`A move of “${name}” was cut off, and this database does not have it. Set DATABASE_URL to the database of `
			+ `that move. Where that one is gone for good, remove ${movingPath(folder)}: then ${folder} is the identity.`);
	}

	return moved;
};

/**
 * Whether the database has an identity of that name, with the rows that are wanted: so it is where a move was killed before
 * it put the original aside.
 *
 * @param requireWanted Throws a {@link JournalError} where they are others.
 */
const isInDatabase = async (
	database: Database, name: string, requireWanted: (rows: JournalRows) => Promise<void> = async () => {},
): Promise<boolean> => {
	try {
		await withPostgresRows(database, name, requireWanted);
		return true;
	} catch (error) {
		if (error instanceof UnknownIdentityError || error instanceof JournalError) {
			return false;
		}

		throw error;
	}
};

/** Before the journal that needs them has its name. The others stay until then. */
const moveKeys = async (from: KeyStore, to: KeyStore): Promise<void> => {
	const entries = await from.read();
	await (entries && to.replace(entries));
};

const moveToFiles = async (
	database: Database, name: string, folder: string, {fresh, keyFile}: {fresh: string; keyFile: string},
): Promise<string> => {
	const moving = readMoving(folder);
	if (moving && (await requireMoved(database, name, folder, moving)).aside) {
		endMoving(folder);
		return `“${name}” is in ${folder}. In the database it was put aside.`;
	}

	if (moving) {
		// It was never opened, and nodes may have written to that of the database since.
		await rename(folder, fresh);
		await rm(fresh, {recursive: true});
	}

	const isThere = existsSync(folder);
	if (isThere && !await isInDatabase(database, name, async rows => requireCopied(rows, folder))) {
		throw new ConflictError(await isInDatabase(database, name)
			? `${folder} already has an identity. Move it aside, or choose another DATA_DIR.`
			: `“${name}” is in ${folder} already, and the database has no identity of that name.`);
	}

	await using rows = await openPostgresRows(database, name);
	const mark = {to: 'sqlite', life: rows.life};
	if (isThere) {
		await requireCopied(rows, folder);
		markMoving(folder, mark);
	} else {
		await writeSqliteRows(fresh, rows);
		await requireCopied(rows, fresh);
		await moveKeys(keysInTable(database, name), keysInFile(keyFile));
		markMoving(fresh, mark);
		await rename(fresh, folder);
	}

	// Before the database gives up its own.
	syncFolder(path.dirname(folder));
	await putAsideOrBack(rows, folder, fresh);
	endMoving(folder);
	return `“${name}” is in ${folder} with ${countInEnglish(rows.last, 'record')}, compared bit for bit. In the database it was put aside.`;
};

/** The copy is closed before its folder gets another name. */
const requireCopied = async (rows: JournalRows, folder: string): Promise<void> => {
	await using copy = openSqliteRows(folder);
	await requireSameRows(rows, copy);
};

/** Where a node took the identity over during the copy, its records go on there: the copy is none any more. */
const putAsideOrBack = async ({putAside}: Awaited<ReturnType<typeof openPostgresRows>>, folder: string, fresh: string): Promise<void> => {
	try {
		await putAside();
	} catch (error) {
		if (error instanceof MovedError) {
			await rename(folder, fresh);
		}

		throw error;
	}
};
