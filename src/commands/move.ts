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
import {openPostgresRows, withPostgresRows, writePostgresRows} from '../journal/postgres/postgres-rows.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {Database} from '../platform/postgres/database.ts';
import {keysInFile} from '../journal/sqlite/key-file.ts';
import {openSqliteRows, writeSqliteRows} from '../journal/sqlite/sqlite-rows.ts';
import {openDatabaseOf} from './open-journal.ts';
import {toJournalFolder, toJournalKeys} from './options.ts';
import type {Settings} from './settings.ts';

type Destination = 'postgres' | 'sqlite';

/**
 * @throws {ConfigurationError} without a database
 * @throws {ConflictError} where there is an identity of that name already
 * @throws {JournalError} while a service has the identity, and where a copy differs
 */
export const moveIdentity = async (settings: Settings, name: string, to: Destination): Promise<string> => {
	const folder = toJournalFolder(settings, name);
	await using database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('An identity is moved between DATA_DIR and a database: set DATABASE_URL.');
	}

	const {file} = toJournalKeys({...settings, IDENTITY: name});
	return to === 'postgres' ? await moveToDatabase(database, name, folder, file) : await moveToFiles(database, name, folder, file);
};

const moveToDatabase = async (database: Database, name: string, folder: string, keyFile: string): Promise<string> => {
	if (!existsSync(folder)) {
		throw await isInDatabase(database, name)
			? new ConflictError(`“${name}” is in the database already, and ${folder} does not exist.`)
			: new UnknownIdentityError(`There is no identity “${name}”: ${folder} does not exist. Set DATA_DIR to the folder of the data.`);
	}

	await using rows = openSqliteRows(folder);
	const oldFolder = findFreeName(folder);
	if (!await isInDatabase(database, name, async copy => requireSameRows(rows, copy))) {
		await writePostgresRows(database, name, rows, async () => moveKeys(keysInFile(keyFile), keysInTable(database, name)));
	}

	await rename(folder, oldFolder);
	const keys = existsSync(keyFile) ? ` Its keys are in the database; those in ${keyFile} still open the old journal, and no forgetting `
		+ 'destroys them: remove them with it.' : '';
	return `“${name}” is in the database with ${countInEnglish(rows.last, 'record')}, compared bit for bit. `
		+ `The old journal is kept in ${oldFolder}.${keys}`;
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

const moveToFiles = async (database: Database, name: string, folder: string, keyFile: string): Promise<string> => {
	const hasArrived = existsSync(folder);
	if (hasArrived && !await isInDatabase(database, name, async rows => requireCopied(rows, folder))) {
		throw new ConflictError(await isInDatabase(database, name)
			? `${folder} already has an identity. Move it aside, or choose another DATA_DIR.`
			: `“${name}” is in ${folder} already, and the database has no identity of that name.`);
	}

	const fresh = `${folder}~new`;
	await using rows = await openPostgresRows(database, name);
	// An attempt that was killed may have left it.
	await rm(fresh, {recursive: true, force: true});
	if (hasArrived) {
		await requireCopied(rows, folder);
	} else {
		await writeSqliteRows(fresh, rows);
		await requireCopied(rows, fresh);
		await moveKeys(keysInTable(database, name), keysInFile(keyFile));
		await rename(fresh, folder);
	}

	// Before the database gives up its own.
	syncFolder(path.dirname(folder));
	await putAsideOrBack(rows, folder, fresh);
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
