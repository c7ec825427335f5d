/** `processual reembed`: rebuilds the journal under the configured embedding model. */
import {JournalError, orUndo, UnknownIdentityError} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {Database} from '../platform/postgres/database.ts';
import {selectKernel} from '../kernel/select.ts';
import {createProgressBar, loadModel} from './progress.ts';
import {withDraft} from './draft.ts';
import {openDatabaseOf} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {toJournalFolder, toJournalKeys} from './options.ts';
import {reembedRecords, type Reembedded, type ReembedOptions} from './reembed-records.ts';
import type {Settings} from './settings.ts';
import {existsSync, statSync} from 'node:fs';
import {copyFile, link, mkdir, rename, rm} from 'node:fs/promises';
import path from 'node:path';
import {findFreeName, folderMode, listAside, syncFolder} from '../platform/files/folders.ts';
import {databasePath, hasBytes} from '../journal/sqlite/database.ts';
import {removeDigests} from '../journal/sqlite/digest-file.ts';
import {highWaterMarkPath} from '../journal/sqlite/high-water-mark.ts';
import {JournalReader} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../journal/sqlite/sqlite-journal.ts';
import {logPath, requireEmptyLog} from '../journal/sqlite/write-ahead-log.ts';

export const reembed = async (settings: Settings): Promise<void> => {
	await using database = await openDatabaseOf(settings);
	await using stores = await openSources(settings, database);
	const {authority, corroborate} = stores.sources;
	using bar = createProgressBar('records');
	const {signal} = new AbortController();
	await using encoder = await loadModel(settings);
	const options = {
		encoder,
		kernel: selectKernel(settings.KERNEL),
		authority: await authority({encoder, signal}),
		corroborate: corroborate && (async (vector: Float32Array) => corroborate(vector, signal)),
		onProgress: bar.update,
	};
	const {cycles, stateId, oldFolder} = database
		? {
			...await reembedInDatabase(database, settings.IDENTITY, {...options, seals: settings.FORGET_KEYS}),
			oldFolder: 'the database, put aside',
		}
		: await reembedJournal({folder: toJournalFolder(settings), keys: toJournalKeys(settings), ...options});
	bar.stop();
	process.stdout.write(`${countInEnglish(cycles, 'cycle')} ${cycles === 1 ? 'was' : 'were'} run again with ${encoder.passport.model}; `
		+ `the state has id ${stateId}. `
		+ `The old journal is kept in ${oldFolder}.\n`);
};

/** @throws {MovedError} while a node has the identity, or if one takes it over during the run; the journal is then unchanged */
export const reembedInDatabase = async (
	database: Database, name: string, {seals = false, ...options}: ReembedOptions & {seals?: boolean},
): Promise<Reembedded> => {
	const [{readPostgresJournal}, {replacePostgresJournal}] = await Promise.all([
		import('../journal/postgres/postgres-view.ts'),
		import('../journal/postgres/replacement.ts'),
	]);
	const requireBegun = async () => {
		const view = await readPostgresJournal(database, name);
		if (!view) {
			throw new UnknownIdentityError(`The database has no identity “${name}” that has begun. Give its name with --identity.`);
		}

		return view;
	};

	await requireBegun();
	const {journal, finish, cancel} = await replacePostgresJournal(database, name, {seals});
	return orUndo(async () => {
		// From here on, no other writer can add a record unnoticed: it would have to raise the epoch.
		const outcome = await reembedRecords(await requireBegun(), journal, options);
		await finish();
		return outcome;
	}, cancel);
};

// In files, the new journal replaces the old one, which is kept beside it.

type Options = ReembedOptions & {
	/** The journal's folder, which no other process may have open. */
	folder: string;
	/** The keys of both journals. */
	keys?: NonNullable<SqliteJournalOptions['keys']>;
};

/**
 * @throws {ConfigurationError} if the journal already belongs to this model, or texts are missing.
 * @throws {JournalError} if the old journal cannot be read or the new one cannot be written; the old one is then unchanged.
 */
export const reembedJournal = async ({folder, keys, ...options}: Options): Promise<Reembedded & {oldFolder: string}> => {
	const sealing = keys && {keys};
	await checkpointLog({folder, ...sealing});
	return withDraft(folder, 'Set DATA_DIR to a folder', async fresh => {
		await removeSecondName(folder);
		const journal = createSqliteJournal({folder: fresh, ...sealing});
		// While it is open, no service can open the old journal. Records that a service acknowledged there would be lost.
		const reader = new JournalReader(folder, {keyFile: keys?.file});
		try {
			// A service that was started and killed after the checkpoint leaves records in the log.
			if (hasBytes(logPath(folder))) {
				throw new JournalError(`The journal in ${folder} has records in its write-ahead log. `
					+ 'Start the service on it once, stop it, and try again.');
			}

			const outcome = await reembedRecords(reader, journal, options);
			requireEmptyLog(fresh, `The new journal ${fresh}`);
			const old = path.join(fresh, 'old');
			await linkOld(folder, old);
			const oldFolder = findFreeName(folder);
			await rename(old, oldFolder);
			syncFolder(path.dirname(folder));
			// Digests have the old model's numbers under ids that the new records also have.
			removeDigests(folder);
			// One rename replaces the journal: a kill before it leaves the old one, after it the new one.
			await rename(databasePath(fresh), databasePath(folder));
			syncFolder(folder);
			return {...outcome, oldFolder};
		} finally {
			reader.close();
		}
	});
};

/** Removes a hard link that a killed earlier attempt made to the journal, which is still in its place. */
const removeSecondName = async (folder: string): Promise<void> => {
	const {dev, ino} = statSync(databasePath(folder), {bigint: true});
	for (const aside of listAside(folder)) {
		const its = statSync(databasePath(aside), {bigint: true, throwIfNoEntry: false});
		if (its?.dev === dev && its.ino === ino) {
			await rm(aside, {recursive: true});
		}
	}
};

/**
 * Gives the old journal a second name, by a hard link: closing a copied file would release the
 * reader's lock on it. Only file systems without hard links get a copy.
 */
const linkOld = async (folder: string, oldFolder: string): Promise<void> => {
	await mkdir(oldFolder, folderMode);
	try {
		await link(databasePath(folder), databasePath(oldFolder));
	} catch {
		await copyFile(databasePath(folder), databasePath(oldFolder));
	}

	if (existsSync(highWaterMarkPath(folder))) {
		await copyFile(highWaterMarkPath(folder), highWaterMarkPath(oldFolder));
	}
};

/** Moves records that a kill left in the write-ahead log into the database. After the rename, SQLite would apply them to the new file. */
const checkpointLog = async (options: SqliteJournalOptions): Promise<void> => {
	// Throws if there is no journal; opening one for writing would create it.
	new JournalReader(options.folder).close();
	const journal = createSqliteJournal(options);
	await journal.open();
	await journal.close();
};
