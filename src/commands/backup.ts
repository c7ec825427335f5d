/**
 * `processual backup` and `processual restore`: an identity's whole journal as one SQLite file, whether or not a service or a
 * node has it open. Before a copy gets its name, all its records are read and verified by their checksums.
 */
import {existsSync, statSync} from 'node:fs';
import {chmod, copyFile, readdir, rename} from 'node:fs/promises';
import path from 'node:path';
import {Readable} from 'node:stream';
import type {ReadableStream} from 'node:stream/web';
import {toClientError} from '../client/client-error.ts';
import {ConfigurationError, ConflictError, JournalError, reasonOf, UnknownIdentityError} from '../platform/errors.ts';
import {fileMode, findFreeName, syncFile, syncFolder} from '../platform/files/folders.ts';
import {writeNewFile} from '../platform/files/write.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {JournalRows} from '../journal/journal-rows.ts';
import {KeyRing} from '../journal/key-ring.ts';
import {findUnread} from '../journal/sealing.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import {keysInFile} from '../journal/sqlite/key-file.ts';
import {openSqliteRows, writeSqliteRows} from '../journal/sqlite/sqlite-rows.ts';
import {findServiceOf} from './ask-identity.ts';
import {askService, type Service} from './connect-to.ts';
import {withDraft} from './draft.ts';
import {openDatabaseOf} from './open-journal.ts';
import {toJournalFolder, toJournalKeys} from './options.ts';
import type {Settings} from './settings.ts';

/** @throws {ConfigurationError} if the file exists already */
export const backUp = async (
	settings: Settings, file: string,
): Promise<string> => withDraft(file, 'Name a file in another folder', async draft => {
	// A backup that was killed after the rename leaves its draft behind.
	if (existsSync(file)) {
		throw new ConfigurationError(`${file} already exists. Name a new file.`);
	}

	await copyTo(settings, draft);
	const {records} = await verify(draft, {opens: () => true});
	syncFile(databasePath(draft));
	await rename(databasePath(draft), file);
	syncFolder(path.dirname(file));
	return `${file} has “${settings.IDENTITY}” with ${countInEnglish(records, 'record')}, each verified. `
		+ `“processual restore ${file}${settings.IDENTITY === defaultIdentityName ? '' : ` --identity ${settings.IDENTITY}`}” restores it.`;
});

/**
 * If the folder has other files but no database, they are moved aside: a write-ahead log may be all that is left to rescue.
 *
 * @throws {ConflictError} if an identity of that name exists; {JournalError} for a damaged file, or one whose keys are missing
 */
export const restore = async (settings: Settings, file: string): Promise<string> => {
	const name = settings.IDENTITY;
	const folder = toJournalFolder(settings);
	const requireNone = (): void => {
		if (settings.DATABASE_URL === undefined && existsSync(databasePath(folder))) {
			throw new ConflictError(`${folder} already has an identity. Move it aside, or name another one with --identity.`);
		}
	};

	requireNone();
	return withDraft(folder, 'Set DATA_DIR to another folder', async draft => {
		let left = '';
		await copyInto(draft, file);
		await using database = await openDatabaseOf(settings);
		const keys = database
			? (await import('../journal/postgres/key-table.ts')).keysInTable(database, name)
			: keysInFile(toJournalKeys(settings).file);
		const ring = new KeyRing(keys.place, await keys.read());
		const {records, unread} = await verify(draft, ring).catch((error: unknown) => {
			throw error instanceof JournalError
				? new JournalError(`${file} cannot be restored, and nothing has changed: it is not a backup, or it is damaged. Name another file. `
					+ `(${error.message.replaceAll(path.resolve(databasePath(draft)), file)})`, {cause: error})
				: error;
		});
		if (unread > 0) {
			throw new JournalError(describeUnread(file, unread, ring.place));
		}

		if (database) {
			const {writePostgresRows} = await import('../journal/postgres/postgres-rows.ts');
			await using rows = openSqliteRows(draft);
			await writePostgresRows(database, name, rows);
		} else {
			syncFile(databasePath(draft));
			syncFolder(draft);
			// A service may have begun one in the meantime.
			requireNone();
			left = await moveLeftAside(folder);
			await rename(draft, folder);
			syncFolder(path.dirname(folder));
		}

		return `“${name}” is restored with ${countInEnglish(records, 'record')}, each verified.${left}`;
	});
};

/** Copies the file into a folder as its journal. */
const copyInto = async (draft: string, file: string): Promise<void> => {
	await copyFile(file, databasePath(draft)).catch((error: unknown) => {
		throw new ConfigurationError(`${file} cannot be copied to ${draft}: ${reasonOf(error)}. Name a file that “processual backup” has `
			+ 'written, and check that there is space.', {cause: error});
	});
	// A copy would keep the original's permissions.
	await chmod(databasePath(draft), fileMode);
};

const describeUnread = (file: string, unread: number, place: string): string =>
	`${file} cannot be restored, and nothing has changed: ${countInEnglish(unread, 'record')} cannot be read, because ${place} does not have `
	+ `the keys that ${unread === 1 ? 'it is' : 'they are'} sealed with. Put back the keys that the backup was made with, and try again. `
	+ 'If a forgetting destroyed them, this backup is older than the forgetting: restore a newer one.';

/** @returns a sentence for the user; empty if nothing was there */
const moveLeftAside = async (folder: string): Promise<string> => {
	if (!existsSync(folder) || (await readdir(folder)).length === 0) {
		return '';
	}

	const aside = findFreeName(folder);
	await rename(folder, aside);
	return ` The files left in ${folder} were moved to ${aside}.`;
};

const copyTo = async (settings: Settings, draft: string): Promise<void> => {
	const service = findServiceOf(settings);
	if (service) {
		await download(service, databasePath(draft));
		return;
	}

	const write = async (rows: JournalRows): Promise<void> => writeSqliteRows(draft, rows);
	const database = await openDatabaseOf(settings);
	if (database) {
		const {withPostgresRows} = await import('../journal/postgres/postgres-rows.ts');
		await using _ = database;
		await withPostgresRows(database, settings.IDENTITY, write);
		return;
	}

	const folder = toJournalFolder(settings);
	// If the folder may not be read, this throws the file system's error instead of claiming that there is no journal.
	if (!statSync(databasePath(folder), {throwIfNoEntry: false})) {
		throw new UnknownIdentityError(`There is no identity “${settings.IDENTITY}”: ${folder} has no journal. Check DATA_DIR and IDENTITY.`);
	}

	await using rows = openSqliteRows(folder);
	await write(rows);
};

/** The service copies its journal, and keeps writing during the copy. */
const download = async (service: Service, file: string): Promise<void> => {
	const {baseUrl, identity, token} = service;
	const address = new URL(`${identity === undefined ? '' : `identities/${identity}/`}backup`, `${String(baseUrl).replace(/\/?$/, '/')}`);
	const headers = token === undefined ? {} : {authorization: `Bearer ${token}`};
	const {body} = await askService(service, async () => {
		const response = await fetch(address, {method: 'POST', headers});
		if (!response.ok) {
			throw await toClientError(response);
		}

		return response;
	});
	await writeNewFile(file, Readable.fromWeb(body as ReadableStream) as AsyncIterable<string>);
};

/** Reads a whole journal, which verifies it. @returns the number of records, and of those whose key the ring lacks */
const verify = async (folder: string, ring: Pick<KeyRing, 'opens'>): Promise<{records: number; unread: number}> => {
	await using rows = openSqliteRows(folder);
	const {size: unread} = await findUnread(rows, ring);
	return {records: rows.last, unread};
};
