/**
 * `processual begin`: begins an identity with the store's state. In files, the old journal is moved aside once all else
 * is ready. If the command is killed right then, there is no new journal, but the next start begins with the store's
 * state too. In a database, the new journal replaces the old one once it is complete.
 */
import {existsSync, renameSync, rmSync} from 'node:fs';
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {ConfigurationError, orUndo} from '../platform/errors.ts';
import {findFreeName} from '../platform/files/folders.ts';
import {openIdentity} from '../identity/create-identity.ts';
import {selectKernel} from '../kernel/select.ts';
import type {Journal} from '../journal/journal.ts';
import type {Replacement} from '../journal/postgres/replacement.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {Database} from '../platform/postgres/database.ts';
import {requireModelOf} from '../sources/initial-state.ts';
import {readExistingJournal} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {openDatabaseOf} from './open-journal.ts';
import {openSources, type OpenSources} from './open-sources.ts';
import {toJournalFolder, toJournalKeys, toLoopConfig} from './options.ts';
import {loadModel} from './progress.ts';
import type {Settings} from './settings.ts';

/** A new journal that replaces an old one; `cancel` restores that. @property old A sentence about the old one; empty if none */
type Beginning = Replacement & {old: string};

/**
 * @param again Whether an existing identity is moved aside.
 * @throws {ConfigurationError} if an identity exists already and `again` is not set, or the store has no state.
 * @throws {JournalError} if a service has the old journal open.
 * After an error the old identity is unchanged.
 */
export const begin = async (settings: Settings, {again}: {again: boolean}): Promise<void> => {
	await using database = await openDatabaseOf(settings);
	await using stores = await openSources(settings, database);
	const {store, sources} = stores;
	const state = await store.latestState();
	if (!state) {
		throw new ConfigurationError(`There is nothing to begin with: ${store.place} has no state. `
			+ 'Import one with “processual import state FILE”.');
	}

	requireModelOf(state, settings.EMBEDDING_MODEL, store.place);

	if (!database) {
		const folder = toJournalFolder(settings);
		readExistingJournal(folder, existing => requireAgain(again, folder, existing));
	}

	// Loaded before the old journal is moved: a download takes minutes, and interrupting it must change nothing.
	await using encoder = await loadModel(settings);
	const {journal, finish, cancel, old} = await (database ? openInDatabase(database, settings, again) : openInFiles(settings, again));
	await orUndo(async () => {
		const stateId = await beginWith(journal, settings, {...sources, encoder});
		await finish();
		process.stdout.write(`The identity begins with state ${stateId} of the store.${old}\n`);
	}, cancel);
};

/** Begins an identity and disposes of it. @returns the number of its state */
const beginWith = async (
	journal: Journal, settings: Settings, sources: OpenSources['sources'] & {encoder: LoadedEncoder},
): Promise<number> => {
	await using identity = await openIdentity({
		...sources,
		requireInitialState: true,
		journal,
		loop: toLoopConfig(settings),
		kernel: selectKernel(settings.KERNEL),
		warn: message => process.stderr.write(`${message}\n`),
	});
	return identity.health().stateId;
};

/** @throws {ConfigurationError} if an identity exists and `again` is false */
const requireAgain = (again: boolean, place: string, {records}: {records: number}): void => {
	if (!again) {
		throw new ConfigurationError(`${place} already has an identity with ${countInEnglish(records, 'record')}. `
			+ '“processual begin --again” moves it aside and begins with the store\'s state.');
	}
};

const openInDatabase = async (
	database: Database, {IDENTITY: name, JOURNAL_CONTENT: content, FORGET_KEYS: seals}: Settings, again: boolean,
): Promise<Beginning> => {
	const [{readPostgresJournal}, {replacePostgresJournal}] = await Promise.all([
		import('../journal/postgres/postgres-view.ts'),
		import('../journal/postgres/replacement.ts'),
	]);
	const old = await readPostgresJournal(database, name);
	if (old) {
		requireAgain(again, 'The database', old);
	}

	const replacement = await replacePostgresJournal(database, name, {content, seals});
	return {...replacement, old: old ? ' The old journal is kept in the database, put aside.' : ''};
};

const openInFiles = async (settings: Settings, again: boolean): Promise<Beginning> => {
	const folder = toJournalFolder(settings);
	// Moved while it is open here, so that no service can open it.
	const oldFolder = readExistingJournal(folder, old => {
		requireAgain(again, folder, old);
		const name = findFreeName(folder);
		renameSync(folder, name);
		return name;
	});
	return {
		journal: createSqliteJournal({folder, content: settings.JOURNAL_CONTENT, keys: toJournalKeys(settings)}),
		old: oldFolder === null ? '' : ` The old journal is kept in ${oldFolder}.`,
		finish: async () => {},
		/** Undoes the move, unless the new journal has begun. */
		async cancel() {
			if (oldFolder !== null && (!existsSync(folder) || !readExistingJournal(folder, () => true))) {
				rmSync(folder, {recursive: true, force: true});
				renameSync(oldFolder, folder);
			}
		},
	};
};
