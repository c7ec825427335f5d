/**
 * `processual begin`: begins an identity with the store's state. A kill in between leaves the old
 * journal aside and no new one; the next start then begins with the store's state as well.
 */
import {existsSync, renameSync, rmSync} from 'node:fs';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {ConfigurationError} from '../errors.ts';
import {findFreeName} from '../files/free-name.ts';
import {createIdentity} from '../identity/create-identity.ts';
import {selectKernel} from '../kernel/select.ts';
import {readExistingJournal} from '../journal/sqlite/journal-reader.ts';
import {openJournalOf, requireFiles} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {toEmbeddingOptions, toJournalFolder, toLoopConfig} from './options.ts';
import type {Settings} from './settings.ts';

/**
 * @param again Whether an existing identity is moved aside.
 * @throws {ConfigurationError} if an identity exists already, or the store has no state.
 * @throws {JournalError} if a service has the old journal open.
 * After an error the old identity is as it was.
 */
export const begin = async (settings: Settings, {again}: {again: boolean}): Promise<void> => {
	requireFiles(settings, 'begin');
	const folder = toJournalFolder(settings);
	const {store, ...sources} = openSources(settings);
	try {
		if (!await store.latestState()) {
			throw new ConfigurationError(`There is nothing to begin with: ${store.place} has no state. Import one with “processual import state FILE”.`);
		}

		const oldFolder = moveAside(folder, again);
		try {
			const identity = createIdentity({
				...sources,
				requireInitialState: true,
				encoder: async boot => loadEncoder(toEmbeddingOptions(settings), boot),
				journal: async () => openJournalOf(settings, {content: settings.JOURNAL_CONTENT}),
				loop: toLoopConfig(settings),
				kernel: selectKernel(settings.KERNEL),
			});
			try {
				const report = await identity.ready();
				process.stderr.write(report.flatMap(({warnings}) => warnings).map(warning => `${warning}\n`).join(''));
				process.stdout.write(`The identity begins with state ${identity.health().stateId} of the store.${oldFolder === null ? '' : ` The old journal is kept in ${oldFolder}.`}\n`);
			} finally {
				await identity.dispose();
			}
		} catch (error) {
			moveBack(folder, oldFolder);
			throw error;
		}
	} finally {
		await store.close();
	}
};

/** The folder's new name; null if there is no journal. */
const moveAside = (folder: string, again: boolean): string | null => {
	// While it is open here, no service can open it.
	return readExistingJournal(folder, reader => {
		if (!again) {
			throw new ConfigurationError(`${folder} already has an identity with ${reader.records} records. “processual begin --again” moves it aside and begins with the store's state.`);
		}

		const oldFolder = findFreeName(folder);
		renameSync(folder, oldFolder);
		return oldFolder;
	});
};

/** Undoes the move, unless the new journal has begun. */
const moveBack = (folder: string, oldFolder: string | null): void => {
	if (oldFolder !== null && (!existsSync(folder) || !readExistingJournal(folder, () => true))) {
		rmSync(folder, {recursive: true, force: true});
		renameSync(oldFolder, folder);
	}
};
