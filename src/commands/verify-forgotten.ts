/** `processual verify-forgotten`: checks a receipt, and searches files for the texts that it says were forgotten. */
import {createReadStream, fstatSync} from 'node:fs';
import {readdir, readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {ForgetResponse} from '../generated/types.ts';
import {Receipt} from '../instruments/answers/forget.ts';
import {checksumOfReceipt} from '../identity/ask-forget.ts';
import {valueOfJson} from '../platform/describe-faults.ts';
import {InputError, reasonOf, UnknownIdentityError} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {countTraces, passageBytes, TraceSearch} from '../platform/traces.ts';
import {Value, type Static} from '../platform/typebox.ts';
import {askIfBegun} from './ask-identity.ts';
import type {Settings} from './settings.ts';

/** The bytes that are searched at a time. */
const chunkBytes = 2 ** 20;

/** The bytes of a file, its passages of texts and vectors, and the offset of the first one. */
type Found = {bytes: number; text: number; vector: number; first: number};

/**
 * @throws {InputError} for a file that is not a receipt, or was changed
 * @throws {UnknownIdentityError} for a named identity that does not exist
 */
export const verifyForgotten = async (
	settings: Settings, receiptFile: string, places: readonly string[],
): Promise<{text: string; isClean: boolean}> => {
	const receipt = await readReceipt(receiptFile);
	const searches = {text: new TraceSearch(receipt.contents), vector: new TraceSearch(receipt.vectors)};
	const found = new Map<string, Found>();
	for (const place of places) {
		for (const file of await filesIn(place)) {
			// The receipt may be among the files, and contains no text.
			if (path.resolve(file) !== path.resolve(receiptFile)) {
				found.set(file, await searchFile(file, searches));
			}
		}
	}

	const bytes = [...found.values()].reduce((sum, each) => sum + each.bytes, 0);
	const having = [...found].filter(([, {text, vector}]) => text + vector > 0);
	const traces = [countTraces(receipt.contents), countTraces(receipt.vectors)];
	return {
		isClean: having.length === 0,
		text: [
			`The receipt of ${receipt.timestamp} is intact: ${countInEnglish(receipt.texts, 'text')}, ${countInEnglish(traces[0]!, 'passage')} `
				+ `of ${receipt.texts === 1 ? 'it and' : 'them and'} ${traces[1]} of ${receipt.texts === 1 ? 'its vector' : 'their vectors'}.`,
			await compareWithJournal(settings, receipt),
			`${countInEnglish(found.size, 'file')} with ${countInEnglish(bytes, 'byte')} ${found.size === 1 ? 'was' : 'were'} searched: `
				+ `${having.length === 0 ? 'no trace of them was found' : `${countInEnglish(having.length, 'file has', 'files have')} passages`}.`,
			...having.map(([file, {text, vector, first}]) =>
				`${file}: ${countInEnglish(text, 'passage')} of texts and ${vector} of vectors, the first at byte ${first}`),
		].join('\n'),
	};
};

/**
 * Writes a receipt into the current folder, because on a screen it would bury the output above it.
 *
 * @returns its file; null if there is no receipt, or it cannot be written
 */
export const keepReceipt = async ({id, receipt}: Pick<ForgetResponse, 'id' | 'receipt'>): Promise<string | null> => {
	const file = `forgotten-${id}.json`;
	return receipt && writeFile(file, `${JSON.stringify(receipt)}\n`, {flag: 'wx', mode: 0o600}).then(() => file, () => null);
};

/**
 * The same for a receipt that was printed to a pipe, because a reader such as `head` may not keep all of it.
 */
export const keepPrinted = async (text: string): Promise<void> => {
	const receipt = valueOfJson(text.trimEnd().split('\n').at(-1)!);
	if (Value.Check(Receipt, receipt) && !fstatSync(process.stdout.fd).isFile()) {
		const file = await keepReceipt({id: receipt.id, receipt});
		process.stderr.write(file === null ? '' : `The receipt is also in ${file}, because a pipe may not be read to its end.\n`);
	}
};

/**
 * Compares the receipt with the journal's record of the same forgetting.
 *
 * @throws {UnknownIdentityError} for a named identity that does not exist, because its name may be misspelled
 */
const compareWithJournal = async (settings: Settings, {id, digest}: Static<typeof Receipt>): Promise<string> => {
	try {
		const answer = await askIfBegun(settings, async identity => identity.revisions());
		const revision = answer?.revisions.find(each => each.id === id);
		if (!revision) {
			return 'The journal of these settings has no such forgetting: it was not done there, or the receipt belongs to another journal.';
		}

		return revision.forgotten?.digest === digest
			? 'The journal has the same tombstones.'
			: 'The journal has other tombstones: this receipt belongs to another journal, or the journal was changed.';
	} catch (error) {
		if (error instanceof UnknownIdentityError) {
			throw error;
		}

		return `The journal could not be checked: ${reasonOf(error)}`;
	}
};

const readReceipt = async (file: string): Promise<Static<typeof Receipt>> => {
	const text = await readFile(file, 'utf8').catch((error: unknown) => {
		throw new InputError(`The receipt ${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	});
	// The whole file, or the last line of a command's output, after which errors may follow.
	for (const part of [text, ...text.split('\n').toReversed()]) {
		const parsed = valueOfJson(part) as Record<string, unknown> | null | undefined;
		const receipt = parsed?.['receipt'] ?? parsed;
		if (Value.Check(Receipt, receipt)) {
			if (await checksumOfReceipt(receipt) !== receipt.checksum) {
				throw new InputError(`The receipt ${file} was changed: its checksum differs.`);
			}

			return receipt;
		}
	}

	throw new InputError(`${file} is not a receipt. Give the file with the output of “processual forget”, or the answer of POST /forget.`);
};

/** A file itself, or all files in a folder. @throws {InputError} for a missing place */
const filesIn = async (place: string): Promise<string[]> => {
	const found = await stat(place).catch((error: unknown) => {
		throw new InputError(`${place} cannot be searched: ${reasonOf(error)}`, {cause: error});
	});
	return found.isDirectory() ? filesBelow(place) : [place];
};

/** Links are not followed. Node 26's `recursive` follows them, even in circles. */
const filesBelow = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, {withFileTypes: true});
	const files = await Promise.all(entries.map(async entry => {
		const place = path.join(folder, entry.name);
		return entry.isDirectory() ? filesBelow(place) : entry.isFile() ? [place] : [];
	}));
	return files.flat();
};

const searchFile = async (file: string, searches: Readonly<Record<'text' | 'vector', TraceSearch>>): Promise<Found> => {
	const found = {bytes: 0, text: 0, vector: 0, first: Infinity};
	let rest = Buffer.alloc(0);
	for await (const chunk of createReadStream(file, {highWaterMark: chunkBytes}) as AsyncIterable<Buffer>) {
		// A passage may span two chunks.
		const bytes = Buffer.concat([rest, chunk]);
		for (const what of ['text', 'vector'] as const) {
			for (const at of await searches[what].find(bytes)) {
				found[what]++;
				found.first = Math.min(found.first, found.bytes - rest.length + at);
			}
		}

		rest = bytes.subarray(Math.max(0, bytes.length - passageBytes + 1));
		found.bytes += chunk.length;
	}

	return found;
};
