/** `processual export`: writes JSON Lines to the standard output, or to a new file and then prints the counts. */
import {pipeline} from 'node:stream/promises';
import {writeNewFile} from '../platform/files/write-new-file.ts';
import {isBrokenPipe} from './broken-pipe.ts';
import {describePlace, readJournalOf} from './open-journal.ts';
import {openWritableStores} from './open-stores.ts';
import type {Settings} from './settings.ts';
import {exportLines, toStoredState} from './transfer/export-lines.ts';

export const exportEntries = async (settings: Settings, file: string | undefined): Promise<void> => {
	const {store, messages, close} = await openWritableStores(settings);
	const counts = {state: 0, thought: 0, direction: 0, message: 0};
	try {
		const lines = await exportLines({
			store,
			messages,
			// Read before anything is written: a running service that has the file makes this fail.
			current: await readJournalOf(settings, toStoredState),
			journal: describePlace(settings),
			onEntry(kind) {
				counts[kind]++;
			},
		});
		if (file === undefined) {
			await pipeline(lines, process.stdout);
		} else {
			await writeNewFile(file, lines);
			process.stderr.write(`${file} has ${counts.state} states, ${counts.thought} thoughts, ${counts.direction} directions, ${counts.message} messages.\n`);
		}
	} catch (error) {
		if (!isBrokenPipe(error)) {
			throw error;
		}
	} finally {
		await close();
	}
};
