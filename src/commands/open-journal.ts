/** The journal of the identity that a command works on (IDENTITY). Only this file and `options.ts` know its place. */
import {existsSync} from 'node:fs';
import {ConfigurationError, JournalError, orUndo, UnknownIdentityError} from '../platform/errors.ts';
import {requireIdentityName} from '../platform/identity-name.ts';
import type {ModelPassport} from '../embedding/encoder.ts';
import type {JournalOptions} from '../journal/journal-options.ts';
import {type JournalView, readBackwards} from '../journal/read-pages.ts';
import {forwardedJournal, type Journal} from '../journal/journal.ts';
import {isRevision} from '../journal/revision.ts';
import {noCheckpoint} from '../journal/record-storage.ts';
import {listAside} from '../platform/files/folders.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import type {Database} from '../platform/postgres/database.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import {openExistingJournal} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {toDatabaseOptions, toJournalFolder, toJournalKeys} from './options.ts';
import type {Settings} from './settings.ts';

export const describePlace = (settings: Settings): string =>
	settings.DATABASE_URL === undefined ? toJournalFolder(settings) : `the identity “${settings.IDENTITY}” of the database`;

/** A hint if a program keeps its journal in DATA_DIR itself, as the library allows; else empty. */
const describeMisplaced = (settings: Settings): string =>
	settings.DATABASE_URL === undefined && existsSync(databasePath(settings.DATA_DIR))
		? ` ${settings.DATA_DIR} itself is the journal of a program: give that program the folder ${toJournalFolder(settings)} `
			+ 'and move the files there.'
		: '';

/** A hint if a journal was put aside, as a killed “begin --again” leaves it; else empty. */
const describeAside = (settings: Settings): string => {
	const folder = toJournalFolder(settings);
	const newest = listAside(folder).findLast(each => existsSync(databasePath(each)));
	return newest === undefined || settings.DATABASE_URL !== undefined
		? ''
		: ` One that was put aside is in ${newest}. If it was moved to a database, set DATABASE_URL; otherwise move that folder to ${folder} `
			+ 'to restore the identity.';
};

/** The error of a command that asks an identity that never began. */
export const noIdentityError = (settings: Settings): UnknownIdentityError => {
	const {DATABASE_URL: database, IDENTITY: name} = settings;
	const [missing, place, way] = database === undefined
		? [`identity in ${toJournalFolder(settings)}`, 'DATA_DIR', 'begin one with “processual serve”.']
		: [`identity “${name}” in the database`, 'DATABASE_URL', 'run “processual serve” with these settings, and set PROCESSUAL_URL to its '
			+ 'address: the first request creates it.'];
	return new UnknownIdentityError(
		`There is no ${missing} yet. Set ${place} and IDENTITY to those of an existing one, or ${way}`
			+ `${describeMisplaced(settings)}${describeAside(settings)}`,
	);
};

/** @throws {ConfigurationError} if this would begin a second identity, because the journal of the first is elsewhere */
export const requireNoOther = (settings: Settings): void => {
	const [misplaced, aside] = [describeMisplaced(settings), describeAside(settings)];
	if ((misplaced || aside) && !existsSync(databasePath(toJournalFolder(settings)))) {
		throw new ConfigurationError(`This would begin another identity.${misplaced}${aside}`
			+ (aside && ' To begin another one anyway, move it out of this folder.'));
	}
};

/** Whether another program has the journal's file open. */
export const isInUse = (error: unknown): boolean => error instanceof JournalError && classifyFailure(error.cause) === 'busy';

/** Longer than for a request: the user of a command can wait. */
export const patientMs = 30_000;

/** Opens the database of the journals, and requires tables of this version; null if the journals are in files. */
export const openDatabaseOf = async (settings: Settings): Promise<Database | null> => {
	const options = toDatabaseOptions(settings);
	if (!options) {
		return null;
	}

	const [{openDatabase}, {requireSchema}] = await Promise.all([
		import('../platform/postgres/database.ts'),
		import('../platform/postgres/migrate.ts'),
	]);
	const database = openDatabase({...options, queryTimeoutMs: patientMs});
	await orUndo(async () => requireSchema(database), database.close);
	return database;
};

/** Creates the journal object, not yet open. Once closed, it cannot be used again. */
export const createJournalOf = async (settings: Settings, options: JournalOptions = {}): Promise<Journal> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		return createSqliteJournal({...options, folder: toJournalFolder(settings), keys: toJournalKeys(settings)});
	}

	const {createPostgresJournal} = await import('../journal/postgres/postgres-journal.ts');
	const journal = createPostgresJournal({database, name: requireIdentityName(settings.IDENTITY), seals: settings.FORGET_KEYS, ...options});
	return {
		...forwardedJournal(() => journal),
		async close() {
			await journal.close();
			await database.close();
		},
	};
};

/**
 * A view of the journal as it is now, which the caller closes; null if none was begun.
 *
 * @throws {JournalError} while another program has its file open
 */
const openViewOf = async (settings: Settings): Promise<JournalView | null> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		return openExistingJournal(toJournalFolder(settings), toJournalKeys(settings).file);
	}

	const {readPostgresJournal} = await import('../journal/postgres/postgres-view.ts');
	const view = await orUndo(async () => readPostgresJournal(database, requireIdentityName(settings.IDENTITY)), database.close);
	if (!view) {
		await database.close();
		return null;
	}

	return Object.assign(view, {close: database.close});
};

/** Reads the journal as it is now, and closes it; null if none was begun. Throws as {@link openViewOf} does. */
export const readJournalOf = async <Result>(
	settings: Settings, read: (view: JournalView) => Result | Promise<Result>,
): Promise<Result | null> => {
	const view = await openViewOf(settings);
	try {
		return view && await read(view);
	} finally {
		await view?.close();
	}
};

/**
 * A journal that was begun, not yet open, and its model; null if none was. Without `writes` it is read-only, and works
 * even on a read-only file system.
 */
export const openBegunJournal = async (
	settings: Settings, writes: boolean,
): Promise<{journal: Journal; passport: ModelPassport} | null> => {
	const view = await openViewOf(settings);
	if (!view) {
		return null;
	}

	const {passport} = view.genesis;
	if (!writes) {
		return {journal: toReadOnlyJournal(view), passport};
	}

	// A writer needs the journal exclusively.
	await view.close();
	return {journal: await createJournalOf(settings), passport};
};

const refuse = async (): Promise<never> => {
	throw new JournalError('This journal is open for reading only and accepts no records.');
};

/** A journal that can only be read. */
const toReadOnlyJournal = (view: JournalView): Journal => {
	let closing: Promise<void> | undefined;
	return {
		open: async () => ({
			genesis: view.genesis,
			current: view.current,
			checkpoint: view.checkpoint ?? noCheckpoint,
			records: view.records,
			validation: view.validated,
			revision: (await view.decisions()).findLast(isRevision) ?? null,
			held: await view.countHeld(),
		}),
		begin: refuse,
		append: refuse,
		rewrite: refuse,
		read: async (from, count) => view.read(from, count),
		async find(id) {
			for await (const {record} of readBackwards(view)) {
				if (record.kind === 'cycle' && record.id === id) {
					return record;
				}
			}

			return null;
		},
		validation: async () => view.validation(),
		decisions: async () => view.decisions(),
		held: async (after, count) => view.held(after, count),
		digests: view.digests,
		close: async () => closing ??= Promise.resolve(view.close()),
	};
};
