/**
 * Opens the stores and the other sources of the data that identities begin with. The stores are those of WEAVIATE_URL and MESSAGES_FILE
 * if they are set, else the database of DATABASE_URL, else files in DATA_DIR.
 */
import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {IdentityOptions} from '../identity/options.ts';
import {ConfigurationError, orUndo} from '../platform/errors.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {writeFileAtomically} from '../platform/files/write.ts';
import type {Database} from '../platform/postgres/database.ts';
import {minimalAuthority} from '../semiosis/fixation.ts';
import {forgetTexts, type TextsToForget} from '../sources/forget-texts.ts';
import {loadInitialState} from '../sources/initial-state.ts';
import {loadPersonFrom} from '../sources/load-person.ts';
import {mayFail, type Boot} from '../sources/source.ts';
import {openMessageFile} from '../sources/message-file.ts';
import {openSqliteStore} from '../sources/store/sqlite/store.ts';
import type {Store, WritableStore} from '../sources/store/store.ts';
import {loadThemes} from '../sources/themes.ts';
import {loadPreferredDirections} from '../sources/directions/preferred.ts';
import {removeLeftDrafts} from './draft.ts';
import {openDatabaseOf} from './open-journal.ts';
import {toLanguageModelOptions, toStagingFile} from './options.ts';
import type {Settings} from './settings.ts';

/**
 * Opens a store, the messages, and the database of DATABASE_URL; disposal closes them.
 *
 * @param lent That database, if it is open already; disposal then leaves it open.
 */
const openStores = async <AnyStore extends Store>(
	settings: Settings, openStore: (database: Database | null) => AnyStore | Promise<AnyStore>, lent: Database | null = null,
) => {
	const database = lent ?? await openDatabaseOf(settings);
	const close = async (): Promise<void> => lent ? undefined : database?.close();
	const store = await orUndo(async () => openStore(database), close);
	return {
		store,
		messages: database && settings.MESSAGES_FILE === undefined
			? (await import('../sources/message-table.ts')).openMessageTable(database)
			: openMessageFile(settings.MESSAGES_FILE ?? path.join(settings.DATA_DIR, 'messages.sqlite')),
		database,
		async [Symbol.asyncDispose]() {
			await store.close();
			await close();
		},
	};
};

const openOwnStore = ({DATA_DIR, KERNEL}: Settings) => async (database: Database | null): Promise<WritableStore> => database
	? (await import('../sources/store/postgres/store.ts')).openPostgresStore(database, KERNEL)
	: openSqliteStore(path.join(DATA_DIR, 'store.sqlite'), KERNEL);

/** Stores that can be written. @throws {ConfigurationError} if the store is Weaviate, which is read-only here */
export const openWritableStores = async (settings: Settings) => {
	if (settings.WEAVIATE_URL !== undefined) {
		throw new ConfigurationError('The store is Weaviate (WEAVIATE_URL), which this command cannot write or export. '
			+ 'Use Weaviate\'s own tools, or unset WEAVIATE_URL.');
	}

	return openStores(settings, openOwnStore(settings));
};

/** The sources of an identity, with their stores, which the disposal closes. The parameters are those of {@link openStores}. */
export const openSources = async (settings: Settings, lent: Database | null = null) => {
	const {WEAVIATE_URL: url, WEAVIATE_API_KEY: apiKey} = settings;
	const stores = await openStores<Store>(settings, url === undefined
		? openOwnStore(settings)
		: async () => (await import('../sources/store/weaviate/store.ts')).openWeaviate({url, apiKey}), lent);
	const {store, messages, database} = stores;
	const kept = database && await import('../sources/store/postgres/store.ts');
	const sources = {
		initialState: mayFail(async (boot: Boot) => loadInitialState(store, boot)),
		async forgetElsewhere(texts: TextsToForget, receipt: {readonly id: string}) {
			// An import that was killed may have left it, with the texts of all its files.
			await rm(toStagingFile(settings), {force: true});
			const drafts = removeLeftDrafts(settings);
			const {removed, unreached} = await forgetTexts({store, messages}, texts);
			const removeKept = keepUntilReceived(settings, receipt);
			return {removed: [...drafts.removed, ...removed], unreached: [...drafts.unreached, ...unreached], removeKept};
		},
		requireInitialState: settings.REQUIRE_STORE,
		person: async ({warn, encoder}: Pick<Boot, 'warn'> & Partial<Boot>) => ({
			...await loadPersonFrom(messages, settings.PROFILE_FILE, {warn}),
			...(kept && encoder && {embed: kept.keepVectors(database, encoder)}),
		}),
		calibrate: settings.CALIBRATE,
		async authority(boot: Pick<Boot, 'encoder' | 'signal'>) {
			if (settings.AUTHORITY_FILE === undefined) {
				return minimalAuthority;
			}

			const {loadAuthority} = await import('../sources/authority.ts');
			return loadAuthority(settings.AUTHORITY_FILE, boot);
		},
		themes: async () => loadThemes({language: settings.LANGUAGE}),
		corroborate: settings.CORROBORATING_THOUGHTS === 0
			? null
			: async (vector: Float32Array, signal: AbortSignal) => store.nearestThoughts(
				vector, {limit: settings.CORROBORATING_THOUGHTS, model: settings.EMBEDDING_MODEL, signal},
			),
		translator: mayFail(async () => {
			if (settings.TRANSLATOR === 'template') {
				return (await import('../language/template-translator.ts')).templateTranslators[settings.LANGUAGE];
			}

			return (await import('../language/model-translator.ts')).openLanguageModel(toLanguageModelOptions(settings));
		}),
		directions: mayFail(async (boot: Boot) => loadPreferredDirections({
			source: settings.DIRECTIONS,
			store,
			file: settings.DIRECTIONS_FILE,
			folder: path.join(settings.DATA_DIR, 'directions'),
			language: settings.LANGUAGE,
		}, boot)),
	} satisfies IdentityOptions;
	return {store, sources, [Symbol.asyncDispose]: stores[Symbol.asyncDispose]};
};

/** Saves the receipt until it has been received, because a kill before that would lose it. @returns a function that removes it */
const keepUntilReceived = ({DATA_DIR}: Settings, receipt: {readonly id: string}): (() => Promise<void>) => {
	const file = path.join(DATA_DIR, `forgotten-${receipt.id}.json`);
	try {
		makeFolder(DATA_DIR);
		writeFileAtomically(file, `${JSON.stringify(receipt)}\n`);
	} catch {
		// With a database, this folder may be read-only. That must not prevent the forgetting.
	}

	return async () => rm(file, {force: true}).catch(() => {});
};

export type OpenSources = Awaited<ReturnType<typeof openSources>>;
