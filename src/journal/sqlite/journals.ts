/**
 * The journals of many identities, for example one for each tenant: a folder for each below one
 * folder, and one thread for all. A journal's folder is the same as that of `createSqliteJournal`,
 * so each can also be opened, read and copied alone.
 *
 * A journal keeps its file open, with the lock that keeps other processes out, from `open` to
 * `close`. An identity that is not used for long is best disposed of as a whole: opening it again
 * takes milliseconds, and its state and actors take more memory than its journal.
 */
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import {InputError, JournalError, reasonOf} from '../../errors.ts';
import type {Journal} from '../journal.ts';
import {databasePath} from './database.ts';
import {JournalThread} from './journal-thread.ts';
import {SqliteJournal, type SqliteJournalOptions} from './sqlite-journal.ts';

/** The options of {@link openJournals}: those of each journal, but `folder` has all of them. */
export type JournalsOptions = SqliteJournalOptions;

/** The journals of many identities in one folder. */
export type Journals = AsyncDisposable & {
	/**
	 * The journal of a name, in the folder `name` below the common folder. Nothing is opened or made yet.
	 *
	 * @param name 1 to 100 characters: lower-case letters, digits, `-`, `_` and `.`, the first and the last a letter or a digit. Names are folders, and some file systems ignore case.
	 * @throws {InputError} for any other name.
	 */
	for: (name: string) => Journal;

	/** The names of the journals that were opened once, sorted; open ones and those of earlier programs. @throws {JournalError} when the folder cannot be read. */
	list: () => Promise<string[]>;

	/** Closes the journals that are open, writes their records in progress, and ends the thread. Journals can be opened again. */
	close: () => Promise<void>;
};

/**
 * The journals of many identities, which share one thread.
 *
 * A journal that fails is closed alone. Where the thread itself dies, all of them reject records,
 * and each can be opened again.
 *
 * @throws {ConfigurationError} for an option with a wrong value.
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
	const thread = new JournalThread();
	// Made once here, so that wrong options are refused at once.
	const {folder} = new SqliteJournal(options, thread);
	const close = async (): Promise<void> => thread.close();
	return {
		for: name => new SqliteJournal({...options, folder: path.join(folder, requireName(name))}, thread),
		list: async () => listNames(folder),
		close,
		[Symbol.asyncDispose]: close,
	};
};

const maxNameLength = 100;

/** Names that no file system takes for another name or for a device. */
const isName = (name: unknown): name is string => typeof name === 'string'
	&& name.length <= maxNameLength
	&& /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/.test(name)
	&& !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(name);

const requireName = (name: unknown): string => {
	if (!isName(name)) {
		const shown = typeof name === 'string' && name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : String(name);
		throw new InputError(`A journal cannot be named “${shown}”. Give 1 to ${maxNameLength} lower-case letters, digits, “-”, “_” and “.”; the first and the last are a letter or a digit, and names of devices, such as “con”, are excluded. In place of another name, give its SHA-256 in hexadecimal.`);
	}

	return name;
};

const listNames = async (folder: string): Promise<string[]> => {
	try {
		const names = await readdir(folder);
		return names.filter(name => isName(name) && existsSync(databasePath(path.join(folder, name)))).toSorted();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return [];
		}

		throw new JournalError(`The folder of journals ${folder} cannot be read: ${reasonOf(error)}`, {cause: error});
	}
};
