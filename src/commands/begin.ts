/**
 * Begins an identity from the store, and puts an old one aside where that is asked for. A kill in
 * between leaves the old journal aside and no new one: the next start begins from the store too.
 */
import {existsSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {toEmbeddingOptions, toLoopConfig, type Settings} from './settings.ts';
import {createProcess} from '../identity/create-identity.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {ConfigurationError} from '../errors.ts';
import {findFreeName} from '../files/free-name.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {selectKernel} from '../kernel/select.ts';
import {openSources} from './open-sources.ts';
import {openExistingJournal} from '../journal/sqlite/journal-reader.ts';

export type Beginning = {
	stateId: number;
	/** What could not be used. */
	warnings: string[];
	/** Where the old journal is kept; null where there was none. */
	kept: string | null;
};

/**
 * @param again Whether an identity that is there already is put aside.
 * @throws {ConfigurationError} when there is an identity already, or the store has no state.
 * @throws {JournalError} when a service has the old journal open.
 * Whatever is thrown, the old identity stands as it was.
 */
export const begin = async (settings: Settings, {again}: {again: boolean}): Promise<Beginning> => {
	const folder = path.resolve(settings.DATA_DIR, 'journal');
	const {store, ...sources} = openSources(settings);
	try {
		if (!await store.latestState()) {
			throw new ConfigurationError(`There is nothing to begin from: ${store.place} has no state. Bring one in with “processual import state FILE”.`);
		}

		const kept = putAside(folder, again);
		try {
			const identity = createProcess({
				...sources,
				requireInitialState: true,
				loadEncoder: async signal => loadEncoder(toEmbeddingOptions(settings), {signal}),
				journal: createSqliteJournal({folder, content: settings.JOURNAL_CONTENT}),
				loop: toLoopConfig(settings),
				kernel: selectKernel(settings.KERNEL),
			});
			try {
				const report = await identity.ready();
				return {stateId: identity.health().stateId, warnings: report.flatMap(({warnings}) => warnings), kept};
			} finally {
				await identity.dispose();
			}
		} catch (error) {
			putBack(folder, kept);
			throw error;
		}
	} finally {
		await store.close();
	}
};

const putAside = (folder: string, again: boolean): string | null => {
	// As long as it is open no service can open it.
	using reader = openExistingJournal(folder);
	if (!reader) {
		return null;
	}

	if (!again) {
		throw new ConfigurationError(`${folder} has an identity already, of ${reader.records} records. “processual begin --again” puts it aside and begins from the store.`);
	}

	const kept = findFreeName(folder);
	renameSync(folder, kept);
	return kept;
};

/** What a beginning that failed has made holds nothing yet. */
const putBack = (folder: string, kept: string | null): void => {
	if (kept !== null && (!existsSync(folder) || openExistingJournal(folder) === null)) {
		rmSync(folder, {recursive: true, force: true});
		renameSync(kept, folder);
	}
};
