/**
 * The journals of many identities, for example one per tenant: one folder per journal below a common
 * folder, and one thread for all. A journal's folder is the same as that of `createSqliteJournal`, so
 * each can also be opened, read and copied alone.
 *
 * A journal keeps its file open, with the lock that keeps other processes out, from `open` to
 * `close`. An identity that is not used for long is best disposed of as a whole: opening it again
 * takes milliseconds, and its state and actors take more memory than its journal.
 */
import {existsSync} from 'node:fs';
import {readdir, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {ConflictError, JournalError, orUndo, reasonOf, withErrors} from '../../platform/errors.ts';
import {findFreeName, makeFolder, nullIfMissing, syncFolder} from '../../platform/files/folders.ts';
import {defaultIdentityName, isIdentityName, requireIdentityName} from '../../platform/identity-name.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import type {Journal} from '../journal.ts';
import {databasePath} from './database.ts';
import {highWaterMarkPath, readHighWaterMark} from './high-water-mark.ts';
import {JournalThread} from './journal-thread.ts';
import {destroyKeyFile, keyFileOf} from './key-file.ts';
import {createInThread, sqliteJournalNames, type SqliteJournalOptions} from './sqlite-journal.ts';

const keyNames: Names<NonNullable<JournalsOptions['keys']>> = {folder: true, seals: true};

/** No creation takes this long: an older draft was abandoned. */
const maxDraftMs = 3_600_000;

/** The options of {@link openJournals}: those of each journal, except that `folder` contains all of them. */
export type JournalsOptions = Omit<SqliteJournalOptions, 'keys'> & {
	/** As in {@link SqliteJournalOptions}, with one file per name in a folder. */
	keys?: {folder: string; seals?: boolean};
	/** The folders of journals outside the common folder, by name. @default {} — none */
	elsewhere?: Readonly<Record<string, string>>;
};

/** The journals of many identities in one folder. */
export type Journals = AsyncDisposable & {
	/**
	 * The journal of a name, in the folder `name` below the common folder. Nothing is opened or created yet.
	 *
	 * @param name 1 to 100 characters: lower-case letters, digits, `-`, `_` and `.`, the first and the last a letter or a
	 * digit. Names are folders, and some file systems ignore case.
	 * @throws {InputError} for any other name.
	 */
	for: (name: string) => Journal;

	/**
	 * The names of all journals that were ever opened, also by earlier programs, sorted.
	 *
	 * @param options `after`: only names after this one, null for all; `limit`: how many at most. Both are for reading page by page.
	 * @throws {JournalError} when the folder cannot be read.
	 */
	list: (options?: {after?: string | null; limit?: number}) => Promise<string[]>;

	/** Whether the journal of a name was ever opened. @throws the errors of `for` */
	has: (name: string) => boolean;

	/** The number of a journal's newest acknowledged record, without opening it; null if unknown. @throws the errors of `for` */
	newest: (name: string) => number | null;

	/**
	 * Creates the journal of a new name: `begin` writes its beginning in a temporary folder and closes it, and then the
	 * folder gets its name. So the journal exists whole or not at all, whenever the program ends.
	 *
	 * @throws {ConflictError} if the name is taken; {JournalError} if the folder cannot be made; and the errors of `begin`
	 */
	create: (name: string, begin: (journal: Journal) => Promise<void>) => Promise<void>;

	/** The number of journals, including those put aside. @throws the errors of `list` */
	count: () => Promise<number>;

	/**
	 * Moves the folder of a closed journal to the folder `.aside`, where it is no longer listed. Its keys are destroyed.
	 *
	 * @returns where it is now
	 * @throws {JournalError} when it is open, or cannot be moved
	 */
	putAside: (name: string) => Promise<string>;

	/**
	 * Copies an open journal into a separate file, while it is being written. Disposing of the result removes the file.
	 *
	 * @throws {JournalError} when the journal is not open, or the file cannot be written
	 */
	backup: (name: string) => Promise<{readonly file: string} & AsyncDisposable>;

	/** Closes the journals that are open, writes their records in progress, and ends the thread. Journals can be opened again. */
	close: () => Promise<void>;
};

/**
 * The journals of many identities, which share one thread.
 *
 * A journal that fails is closed alone. If the thread itself dies, all of them reject records,
 * and each can be opened again.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {openJournals} from 'processual-state/journal';
 *
 * const journals = openJournals({folder: './tenants'});
 * const identity = createIdentity({journal: journals.for('tenant-42')});
 * await identity.ready();
 * await identity.cycle({content: 'This will be remembered.'});
 * await identity.dispose();
 * console.log(await journals.list()); // ['tenant-42']
 * await journals.close();
 * ```
 */
export const openJournals = (options: JournalsOptions): Journals => {
	requireKnownNames('A folder of journals', options, {...sqliteJournalNames, elsewhere: true});
	const thread = new JournalThread();
	const {keys, ...others} = options ?? {};
	requireKnownNames('Keys', keys, keyNames);
	const optionsOf = (name: string, place: string): SqliteJournalOptions =>
		({...others, folder: place, ...(keys && {keys: {seals: keys.seals ?? true, file: keyFileOf(keys.folder, name)}})});
	// Created once here, so that wrong options are rejected at once.
	createInThread(optionsOf(defaultIdentityName, options?.folder), thread);
	// A first journal is opened soon, and a thread takes longer to start than a journal to open.
	thread.start();
	const folder = path.resolve(options.folder);
	const elsewhere = new Map(
		Object.entries(options.elsewhere ?? {}).map(([name, place]) => [requireIdentityName(name), path.resolve(place)]),
	);
	const folderOf = (name: string): string => elsewhere.get(name) ?? path.join(folder, requireIdentityName(name));
	const has = (name: string): boolean => wasBegun(folderOf(name));
	const close = async (): Promise<void> => thread.close();
	return {
		for: name => createInThread(optionsOf(name, folderOf(name)), thread),
		has,
		async list({after = null, limit = Infinity} = {}) {
			const names = [...new Set([...await listNames(folder), ...elsewhere.keys()])].toSorted();
			const listed: string[] = [];
			for (const name of names) {
				if (listed.length < limit && (after === null || name > after) && has(name)) {
					listed.push(name);
				}
			}

			return listed;
		},
		newest(name) {
			const place = folderOf(name);
			try {
				return readHighWaterMark(place);
			} catch {
				return null;
			}
		},
		async create(name, begin) {
			const place = folderOf(name);
			const draft = await makeDraft(path.join(path.dirname(place), '.begun'));
			await orUndo(async () => {
				await begin(createInThread(optionsOf(name, draft), thread));
				await giveName(draft, place, name);
			}, async () => rm(draft, {recursive: true, force: true}));
		},
		async count() {
			const [names, aside] = await Promise.all([listNames(folder), readFolder(path.join(folder, '.aside'))]);
			return new Set([...names, ...elsewhere.keys()]).size + aside.length;
		},
		async putAside(name) {
			if (thread.isConnected(folderOf(name))) {
				throw new JournalError(`The journal of “${name}” is open. Close it first.`, {retryable: true});
			}

			// Done first: after a kill in between, the journal still has its name and can be deleted again.
			if (keys) {
				destroyKeyFile(keyFileOf(keys.folder, name));
			}

			return moveAside(folderOf(name), path.join(folder, '.aside', name));
		},
		async backup(name) {
			const draft = await makeDraft(path.join(folder, '.begun'));
			const file = databasePath(draft);
			const remove = async (): Promise<void> => rm(draft, {recursive: true, force: true});
			thread.start();
			await orUndo(async () => thread.call({folder: folderOf(name), name: 'backup', given: [file]}), remove);
			return {file, [Symbol.asyncDispose]: remove};
		},
		close,
		[Symbol.asyncDispose]: close,
	};
};

/** If a journal's file is lost, its mark still shows that there was one. Opening it then says what is missing. */
const wasBegun = (folder: string): boolean => existsSync(databasePath(folder)) || existsSync(highWaterMarkPath(folder));

/** Appends a number to the name if it is taken. */
const moveAside = async (folder: string, place: string): Promise<string> => withErrors(async () => {
	makeFolder(path.dirname(place));
	const freePlace = findFreeName(place);
	await rename(folder, freePlace);
	syncFolder(path.dirname(freePlace));
	syncFolder(path.dirname(folder));
	return freePlace;
}, cause => new JournalError(`The journal in ${folder} cannot be put aside: ${reasonOf(cause)}`, {cause}));

/** A new folder for a draft. Other creations, also in other programs, may have theirs beside it. Drafts that a kill left are removed. */
const makeDraft = async (folder: string): Promise<string> => withErrors(async () => {
	makeFolder(folder);
	for (const name of await readdir(folder)) {
		const left = path.join(folder, name);
		const {mtimeMs} = await stat(left).catch(() => ({mtimeMs: Infinity}));
		if (mtimeMs < Date.now() - maxDraftMs) {
			await rm(left, {recursive: true, force: true});
		}
	}

	const draft = path.join(folder, crypto.randomUUID());
	makeFolder(draft);
	return draft;
}, cause => new JournalError(`No journal can be created in ${folder}: ${reasonOf(cause)}`, {cause}));

/** A rename replaces an empty folder, but no other. */
const giveName = async (draft: string, place: string, name: string): Promise<void> => withErrors(async () => {
	syncFolder(draft);
	await rename(draft, place);
	syncFolder(path.dirname(place));
}, cause => {
	if (wasBegun(place)) {
		return new ConflictError(`The journal “${name}” already exists.`, {cause});
	}

	const way = existsSync(place) ? 'other files are there. Move them aside' : reasonOf(cause);
	return new JournalError(`The journal in ${place} cannot be made: ${way}`, {cause});
});

/** The names of folders, without looking into them. */
const listNames = async (folder: string): Promise<string[]> => (await readFolder(folder)).filter(isIdentityName);

const readFolder = async (folder: string): Promise<string[]> => withErrors(
	async () => await readdir(folder).catch(nullIfMissing) ?? [],
	cause => new JournalError(`The folder of journals ${folder} cannot be read: ${reasonOf(cause)}`, {cause}),
);
