/** Reads files as `processual look` does, and gives their format and entries. */
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import {findFiles} from '../../../src/commands/history/find-files.ts';
import {formats} from '../../../src/commands/history/formats.ts';
import type {FoundText} from '../../../src/commands/history/past-text.ts';
import {temporaryFolder} from '../../journal/records.ts';

/** Gives the entries in a folder and the name of their format, or null if no format matches. */
export const readFolder = async (folder: string): Promise<{format: string | null; found: FoundText[]}> => {
	let format: string | null = null;
	const found: FoundText[] = [];
	for await (const file of findFiles([folder])) {
		const known = formats.find(({detect}) => detect(file));
		format = known?.name ?? null;
		for await (const each of known?.read(file) ?? []) {
			found.push(each);
		}
	}

	return {format, found};
};

/** Writes files by their names to a folder, and reads it. */
export const readFiles = async (t: ExecutionContext, files: Readonly<Record<string, string | Uint8Array>>) => {
	const folder = await temporaryFolder(t);
	for (const [name, content] of Object.entries(files)) {
		await mkdir(path.join(folder, path.dirname(name)), {recursive: true});
		await writeFile(path.join(folder, name), content);
	}

	return {folder, ...await readFolder(folder)};
};

export const lines = (...values: readonly unknown[]): string => values.map(value => `${JSON.stringify(value)}\n`).join('');

/** An entry with a text. */
export const text = (content: string, source: string, conversation: string | null, saidAt: string | null) =>
	({content, source, conversation, saidAt: saidAt === null ? null : Date.parse(saidAt)});
