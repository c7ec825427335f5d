/** `processual import`: prints each rejected line and the counts. Exit code 1 if every entry is rejected. */
import {existsSync} from 'node:fs';
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {createProgressBar, loadModel} from './progress.ts';
import {readJournalOf} from './open-journal.ts';
import {openWritableStores} from './open-stores.ts';
import {toJournalFolder} from './options.ts';
import type {Settings} from './settings.ts';
import type {Kind} from './transfer/entry-kinds.ts';
import {importFile} from './transfer/import-file.ts';

const kinds: Record<string, Kind | 'all'> = {thoughts: 'thought', messages: 'message', directions: 'direction', state: 'state', all: 'all'};

/** @param kind A key of {@link kinds}: kinds are plural on the command line. */
export const importEntries = async (settings: Settings, kind: string, file: string): Promise<void> => {
	const {store, messages, close} = await openWritableStores(settings);
	const bar = createProgressBar('texts');
	let encoder: LoadedEncoder | null = null;
	try {
		const {read, added, replaced, unchanged, skipped, rejected} = await importFile({
			kind: kinds[kind]!,
			file,
			store,
			messages,
			model: settings.EMBEDDING_MODEL,
			loadEncoder: async () => encoder = await loadModel(settings),
			onProgress: bar.update,
		});
		bar.stop();
		for (const {line, reason} of rejected) {
			process.stderr.write(`line ${line} is rejected: ${reason}\n`);
		}

		process.stdout.write(`${read} entries read: ${added} added, ${replaced} replaced, ${unchanged} unchanged, `
			+ `${rejected.length} rejected${skipped > 0 ? `; ${skipped} of other kinds skipped` : ''}.\n`);
		if (kind !== 'messages' && await hasBegun(settings)) {
			process.stdout.write(`${settings.DATABASE_URL === undefined ? settings.DATA_DIR : 'The database'} already has an identity, `
				+ 'which keeps its own state. To begin with the imported state, stop the service and run “processual begin --again”.\n');
		}

		process.exitCode = Number(read > 0 && rejected.length === read);
	} finally {
		bar.stop();
		await (encoder as LoadedEncoder | null)?.dispose();
		await close();
	}
};

/** A service may have the files of its journal open. */
const hasBegun = async (settings: Settings): Promise<boolean> =>
	settings.DATABASE_URL === undefined ? existsSync(toJournalFolder(settings)) : await readJournalOf(settings, () => true) !== null;
