/** Imports files that a test writes into a new store. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import {openMessageFile, readMessages} from '../../../src/sources/message-file.ts';
import {openSqliteStore} from '../../../src/sources/store/sqlite/store.ts';
import {importFile, type Imported} from '../../../src/commands/import.ts';
import {FakeEncoder, vectorOf} from '../../actors/fixtures.ts';

export type Given = Partial<Parameters<typeof importFile>[0]>;

export const open = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
	const store = openSqliteStore(path.join(folder, 'store.sqlite'));
	const encoder = new FakeEncoder();
	t.teardown(async () => {
		await store.close();
		await rm(folder, {recursive: true});
	});
	const messagesFile = path.join(folder, 'messages.sqlite');
	return {
		folder,
		store,
		encoder,
		messages: () => [...readMessages(messagesFile)],
		async bring(name: string, content: string | Buffer, given: Given = {}): Promise<Imported> {
			const file = path.join(folder, name);
			await writeFile(file, content);
			return importFile({
				kind: 'thought',
				file,
				store,
				messages: openMessageFile(messagesFile),
				model: 'fake',
				loadEncoder: async () => encoder,
				...given,
			});
		},
	};
};

export const lines = (...entries: unknown[]): string => entries.map(
	entry => typeof entry === 'string' ? entry : JSON.stringify(entry),
).join('\n');
export const numbers = (text: string): number[] => [...vectorOf(text)];
