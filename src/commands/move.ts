/**
 * `processual move`: moves an identity from files into the database, or back, with the same bits.
 * The copy is compared with the original before it gets the name; the original is put aside.
 */
import {existsSync} from 'node:fs';
import {rename, rm} from 'node:fs/promises';
import path from 'node:path';
import {ConfigurationError, ConflictError, MovedError, orUndo, UnknownIdentityError} from '../platform/errors.ts';
import {findFreeName, syncFolder} from '../platform/files/folders.ts';
import {requireSameRows, type JournalRows} from '../journal/journal-rows.ts';
import type {KeyStore} from '../journal/key-ring.ts';
import {keysInTable} from '../journal/postgres/key-table.ts';
import {isNameTaken, unfinished} from '../journal/postgres/identity-rows.ts';
import {openPostgresRows, writePostgresRows} from '../journal/postgres/postgres-rows.ts';
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
 * Until one place has given up the identity, a mark keeps the folder closed. So after a kill either one place can be opened, or
 * the folder says how to finish the move.
 *
 * @throws {ConfigurationError} without a database
 * @throws {ConflictError} if an identity of that name exists already, or a move in the other direction was cut off
 * @throws {JournalError} while a service has the identity, or if the copy differs
 */
export const moveIdentity = async (settings: Settings, name: string, to: Destination): Promise<string> => {
	const folder = toJournalFolder(settings, name);
	await using database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('An identity is moved between DATA_DIR and a database: set DATABASE_URL.');
	}

	const moving = readMoving(folder);
	if (moving && moving.to !== to) {
		throw new ConflictError(`A move of “${name}” was interrupted. Finish it first with “processual move ${name} --to ${moving.to}”.`);
	}

	if (!existsSync(folder)) {
		await requireThere(database, name, folder, to);
	}

	const {file} = toJournalKeys({...settings, IDENTITY: name});
	// Locks moves into the database too: each of two at once would remove what the other has written there.
	return await withDraft(folder, 'Set DATA_DIR to a folder', async fresh => to === 'postgres'
		? moveToDatabase(database, name, folder, file)
		: moveToFiles(database, name, folder, {fresh, keyFile: file}));
};

/** Checked before a folder is made for the draft, so that a misspelled name leaves none behind. */
const requireThere = async (database: Database, name: string, folder: string, to: Destination): Promise<void> => {
	const isThere = await isNameTaken(database, name);
	if (to === 'postgres') {
		throw isThere
			? new ConflictError(`“${name}” is already in the database, and ${folder} does not exist.`)
			: new UnknownIdentityError(`There is no identity “${name}”: ${folder} does not exist. Set DATA_DIR to the folder of the data.`);
	}

	if (!isThere) {
		throw new UnknownIdentityError(`There is no identity “${name}” in the database.`);
	}
};

const moveToDatabase = async (database: Database, name: string, folder: string, keyFile: string): Promise<string> => {
	await using rows = openSqliteRows(folder, {isMoving: true});
	const oldFolder = findFreeName(folder);
	if (!await hasArrived(database, name, folder)) {
		await arrive(database, name, folder, {rows, keyFile});
	}

	await rename(folder, oldFolder);
	syncFolder(path.dirname(folder));
	endMoving(oldFolder);
	const keys = existsSync(keyFile) ? ` Its keys are in the database; the keys in ${keyFile} still open the old journal, and a `
		+ 'forgetting does not destroy them: remove them together with that journal.' : '';
	return `“${name}” is in the database with ${countInEnglish(rows.last, 'record')}, compared bit for bit. `
		+ `The old journal is kept in ${oldFolder}.${keys}`;
};

/** Whether an earlier move that was killed before it put the folder aside has made the copy. Nodes may have written to it since. */
const hasArrived = async (database: Database, name: string, folder: string): Promise<boolean> => {
	const moving = readMoving(folder);
	return moving !== null && (await requireMoved(database, name, folder, moving)).id !== unfinished(name);
};

const arrive = async (
	database: Database, name: string, folder: string, {rows, keyFile}: {rows: JournalRows; keyFile: string},
): Promise<void> => {
	endMoving(folder);
	await orUndo(async () => writePostgresRows(database, name, rows, async life => {
		await moveKeys(keysInFile(keyFile), keysInTable(database, name));
		markMoving(folder, {to: 'postgres', life});
	}), async () => {
		// If the database's answer was lost, the folder stays closed: the identity may be in the database.
		const moving = readMoving(folder);
		if (moving && await findMoved(database, moving).catch(() => undefined) === null) {
			endMoving(folder);
		}
	});
};

type Moved = {id: string; aside: boolean};

/** The identity of the mark in the database; null if it is not there. */
const findMoved = async ({query}: Database, {life}: Moving): Promise<Moved | null> =>
	(await query<Moved>('select id, aside from processual.identity where life::text = $1', [life]))[0] ?? null;

const requireMoved = async (database: Database, name: string, folder: string, moving: Moving): Promise<Moved> => {
	const moved = await findMoved(database, moving);
	if (!moved) {
		throw new ConflictError(`A move of “${name}” was interrupted, and this database does not have it. Set DATABASE_URL to the database of `
			+ `that move. If that database is gone for good, remove ${movingPath(folder)}: then ${folder} is the identity.`);
	}

	return moved;
};

/** Copies the keys before the journal that needs them gets its name. The originals stay. */
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
		// The marked folder was never opened, and nodes may have written to the database since, so the copy is made again.
		await rename(folder, fresh);
		await rm(fresh, {recursive: true});
	} else if (existsSync(folder)) {
		throw new ConflictError(await isNameTaken(database, name)
			? `${folder} already has an identity. Move it aside, or choose another DATA_DIR.`
			: `“${name}” is in ${folder} already, and the database has no identity of that name.`);
	}

	await using rows = await openPostgresRows(database, name);
	await writeSqliteRows(fresh, rows);
	await requireCopied(rows, fresh);
	await moveKeys(keysInTable(database, name), keysInFile(keyFile));
	markMoving(fresh, {to: 'sqlite', life: rows.life});
	await rename(fresh, folder);
	// Durable before the database gives up the identity.
	syncFolder(path.dirname(folder));
	await putAsideOrBack(rows, folder, fresh);
	endMoving(folder);
	return `“${name}” is in ${folder} with ${countInEnglish(rows.last, 'record')}, compared bit for bit. In the database it was put aside.`;
};

/** Closes the copy, so that its folder can be renamed. */
const requireCopied = async (rows: JournalRows, folder: string): Promise<void> => {
	await using copy = openSqliteRows(folder);
	await requireSameRows(rows, copy);
};

/** If a node took over the identity during the copy, it may write more records. The copy becomes a draft again, and is removed. */
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
