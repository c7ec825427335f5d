/** `processual export`: writes JSON Lines to the standard output, or to a new file and then prints the counts. */
import {pipeline} from 'node:stream/promises';
import {writeNewFile} from '../platform/files/write-new-file.ts';
import {isBrokenPipe} from './terminal.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {askIdentity} from './ask-identity.ts';
import {describePlace} from './open-journal.ts';
import {openWritableStores} from './open-stores.ts';
import type {Settings} from './settings.ts';
import {exportLines, readStoredState} from './transfer/export-lines.ts';

export const exportEntries = async (settings: Settings, file: string | undefined): Promise<void> => {
	if (settings.PROCESSUAL_URL !== undefined) {
		throw new ConfigurationError('PROCESSUAL_URL is the address of a service elsewhere, whose store cannot be exported from here. '
			+ 'Run the export where its DATA_DIR or DATABASE_URL is, without PROCESSUAL_URL.');
	}

	const {store, messages, close} = await openWritableStores(settings);
	const counts = {state: 0, thought: 0, direction: 0, message: 0};
	try {
		const lines = await exportLines({
			store,
			messages,
			// Asked before anything is written: it may fail.
			current: await askIdentity(settings, {}, readStoredState),
			journal: describePlace(settings),
			onEntry(kind) {
				counts[kind]++;
			},
		});
		if (file === undefined) {
			await pipeline(lines, process.stdout);
		} else {
			await writeNewFile(file, lines);
			process.stderr.write(`${file} has ${counts.state} states, ${counts.thought} thoughts, ${counts.direction} directions, `
				+ `${counts.message} messages.\n`);
		}
	} catch (error) {
		if (!isBrokenPipe(error)) {
			throw error;
		}
	} finally {
		await close();
	}
};
