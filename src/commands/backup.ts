/**
 * `processual backup` and `processual restore`: an identity's whole journal as one SQLite file, whether a service or a node
 * has it or not. A copy is read whole before it has its name, and every record of it is verified by its checksum.
 */
import {existsSync} from 'node:fs';
import {copyFile, mkdir, rename, rm} from 'node:fs/promises';
import {Readable} from 'node:stream';
import type {ReadableStream} from 'node:stream/web';
import {ConfigurationError, ConflictError, JournalError, UnknownIdentityError} from '../platform/errors.ts';
import {writeNewFile} from '../platform/files/write.ts';
import {heldPagesOf, pagesOf, requireSameRows, type JournalRows} from '../journal/journal-rows.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import {openSqliteRows, writeSqliteRows} from '../journal/sqlite/sqlite-rows.ts';
import {findServiceOf} from './ask-identity.ts';
import type {Service} from './connect-to.ts';
import {openDatabaseOf} from './open-journal.ts';
import {toJournalFolder} from './options.ts';
import type {Settings} from './settings.ts';

/** @throws {ConfigurationError} where the file is there already */
export const backUp = async (settings: Settings, file: string): Promise<string> => {
	if (existsSync(file)) {
		throw new ConfigurationError(`${file} is there already. Name a new file.`);
	}

	return withDraft(file, async draft => {
		await copyTo(settings, draft);
		const records = await verify(draft);
		await rename(databasePath(draft), file);
		return `${file} has “${settings.IDENTITY}” with ${records} records, each verified. “processual restore ${file}” brings it back.`;
	});
};

/** @throws {ConflictError} where there is an identity of that name; {JournalError} for a file that is damaged */
export const restore = async (settings: Settings, file: string): Promise<string> => {
	const name = settings.IDENTITY;
	const folder = toJournalFolder(settings);
	if (settings.DATABASE_URL === undefined && existsSync(databasePath(folder))) {
		throw new ConflictError(`${folder} has an identity already. Move it aside, or name another one by --identity.`);
	}

	return withDraft(folder, async draft => {
		await copyFile(file, databasePath(draft)).catch((error: unknown) => {
			throw new ConfigurationError(`${file} cannot be copied to ${draft}: ${(error as Error).message}`, {cause: error});
		});
		const records = await verify(draft);
		const database = await openDatabaseOf(settings);
		if (database) {
			const {writePostgresRows} = await import('../journal/postgres/postgres-rows.ts');
			await using _ = database;
			const rows = openSqliteRows(draft);
			const {copy, finish} = await writePostgresRows(database, name, rows);
			await requireSameRows(rows, copy);
			await finish();
			await rows.close();
		} else {
			await rm(folder, {recursive: true, force: true});
			await rename(draft, folder);
		}

		return `“${name}” is restored with ${records} records, each verified.`;
	});
};

/** A folder beside a place, which is removed at the end. An attempt that was killed may have left it. */
const withDraft = async (place: string, work: (draft: string) => Promise<string>): Promise<string> => {
	const draft = `${place}~new`;
	await rm(draft, {recursive: true, force: true});
	await mkdir(draft, {recursive: true});
	try {
		return await work(draft);
	} finally {
		await rm(draft, {recursive: true, force: true});
	}
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
	if (!existsSync(databasePath(folder))) {
		throw new UnknownIdentityError(`There is no identity “${settings.IDENTITY}”: ${folder} has no journal. Check DATA_DIR and IDENTITY.`);
	}

	const rows = openSqliteRows(folder);
	try {
		await write(rows);
	} finally {
		await rows.close();
	}
};

/** The service that has the journal copies it while it writes on. */
const download = async ({baseUrl, identity, token, tokenSetting}: Service, file: string): Promise<void> => {
	const address = new URL(`${identity === undefined ? '' : `identities/${identity}/`}backup`, `${String(baseUrl).replace(/\/?$/, '/')}`);
	const response = await fetch(address, {method: 'POST', headers: token === undefined ? {} : {authorization: `Bearer ${token}`}});
	if (response.status === 401) {
		throw new ConfigurationError(`The service at ${baseUrl} wants its token: set ${tokenSetting} to it.`);
	}

	if (!response.ok) {
		throw new JournalError(`The service at ${baseUrl} gave no backup, and answered with ${response.status}: ${await response.text()}`);
	}

	await writeNewFile(file, Readable.fromWeb(response.body as ReadableStream) as AsyncIterable<string>);
};

/** Reads all of a journal. @returns how many records it has */
const verify = async (folder: string): Promise<number> => {
	const rows = openSqliteRows(folder);
	try {
		for (const pages of [pagesOf(rows), heldPagesOf(rows)]) {
			for await (const _ of pages) {
				// The reader has verified them.
			}
		}

		return rows.last;
	} finally {
		await rows.close();
	}
};
