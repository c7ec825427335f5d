/**
 * Opens the stores of the data that identities begin with: those of WEAVIATE_URL and MESSAGES_FILE if
 * they are set, else the database of DATABASE_URL, else files in DATA_DIR.
 */
import path from 'node:path';
import {ConfigurationError} from '../platform/errors.ts';
import type {Database} from '../platform/postgres/database.ts';
import {openMessageFile} from '../sources/message-file.ts';
import type {Messages} from '../sources/recent-words.ts';
import {openSqliteStore} from '../sources/store/sqlite/store.ts';
import type {Store, WritableStore} from '../sources/store/store.ts';
import {openDatabaseOf} from './open-journal.ts';
import type {Settings} from './settings.ts';

/** A store, messages, and the database of DATABASE_URL; disposal closes them. */
export type Stores<AnyStore extends Store = Store> = AsyncDisposable & {
	store: AnyStore;
	messages: Messages;
	database: Database | null;
};

/** @param lent The open database of DATABASE_URL; disposal then leaves it open. */
export const openStores = async (settings: Settings, lent: Database | null = null): Promise<Stores> => {
	const {WEAVIATE_URL: url, WEAVIATE_API_KEY: apiKey} = settings;
	return url === undefined
		? openWritableStores(settings, lent)
		: join((await import('../sources/store/weaviate/store.ts')).openWeaviate({url, apiKey}), await openMessages(settings, lent));
};

/** Stores that can be written. @throws {ConfigurationError} if the store is Weaviate, which is read-only here */
export const openWritableStores = async (settings: Settings, lent: Database | null = null): Promise<Stores<WritableStore>> => {
	if (settings.WEAVIATE_URL !== undefined) {
		throw new ConfigurationError('The store is Weaviate (WEAVIATE_URL), which this command cannot write or export. '
			+ 'Use Weaviate\'s own tools, or unset WEAVIATE_URL.');
	}

	const opened = await openMessages(settings, lent);
	const {database} = opened;
	return join(database
		? (await import('../sources/store/postgres/store.ts')).openPostgresStore(database, settings.KERNEL)
		: openSqliteStore(path.join(settings.DATA_DIR, 'store.sqlite'), settings.KERNEL), opened);
};

const join = <AnyStore extends Store>(store: AnyStore, opened: Omit<Stores, 'store'>): Stores<AnyStore> => ({
	...opened,
	store,
	async [Symbol.asyncDispose]() {
		await store.close();
		await opened[Symbol.asyncDispose]();
	},
});

const openMessages = async (settings: Settings, lent: Database | null): Promise<Omit<Stores, 'store'>> => {
	const database = lent ?? await openDatabaseOf(settings);
	return {
		database,
		messages: database && settings.MESSAGES_FILE === undefined
			? (await import('../sources/message-table.ts')).openMessageTable(database)
			: openMessageFile(settings.MESSAGES_FILE ?? path.join(settings.DATA_DIR, 'messages.sqlite')),
		[Symbol.asyncDispose]: async () => lent ? undefined : database?.close(),
	};
};
