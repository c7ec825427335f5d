/** Digests in a file beside the journal's, each after its lengths and its checksum. It is not synced: a torn end is no digest. */
import {rmSync} from 'node:fs';
import {appendFile, open, rm, stat, truncate, type FileHandle} from 'node:fs/promises';
import path from 'node:path';
import v8 from 'node:v8';
import zlib from 'node:zlib';
import {fileMode, nullIfMissing} from '../../platform/files/folders.ts';
import {writeFileAtomically} from '../../platform/files/write.ts';
import {takeTurns} from '../../platform/waiting.ts';
import {decodeHead, emptyBody, encodeHead, withBody, type DigestStore, type ReadHead, type StoredDigest} from '../digest-store.ts';

const [digestFile, keptFile] = ['digests', 'digests.kept'];

/** Removes the digests of a journal that is being rewritten. */
export const removeDigests = (folder: string): void => {
	for (const file of [digestFile, keptFile]) {
		rmSync(path.join(folder, file), {force: true});
	}
};

/** The bytes of the lengths of head and body, and the checksum of the head. */
const prefix = 12;

/** The bytes that are read first: enough for a prefix and most heads. */
const mostHeads = 1024;

/** The place of a digest in a file: where it begins, and where its body is. */
type Place = ReadHead & {readonly start: number; readonly at: number; readonly length: number};

/** @param repairs Whether a torn end is cut off. */
export const digestsIn = (folder: string, repairs = true): DigestStore => {
	const [file, keptPath] = [path.join(folder, digestFile), path.join(folder, keptFile)];
	/** Where the newest digest is. A million records have thousands of digests, whose heads need not be read again. */
	let newestAt: {readonly start: number; readonly end: number} | null = null;
	/** Runs calls one after another: a digest that is being written must not look like a torn end. */
	const inTurn = takeTurns();

	const read = async (wants: (head: unknown) => boolean = () => true): Promise<StoredDigest[]> =>
		withFile(file, [], async (opened, size) => {
			const digests: StoredDigest[] = [];
			let end = 0;
			newestAt = null;
			for await (const place of placesIn(opened, size)) {
				const digest = wants(place.head) ? await readDigest(opened, place) : {head: place.head, body: emptyBody};
				if (!digest) {
					break;
				}

				digests.push(digest);
				end = place.at + place.length;
				newestAt = {start: place.start, end};
			}

			await (repairs && end < size ? truncate(file, end) : undefined);
			return digests;
		});

	const readNewest = async (): Promise<StoredDigest | null> => newestAt && withFile(file, null, async (opened, size) => {
		const {done, value: place} = await placesIn(opened, size, newestAt!.start).next();
		return done || newestAt!.end !== size ? null : readDigest(opened, place);
	});

	const newest = async (): Promise<StoredDigest | null> => {
		const known = await readNewest();
		if (known) {
			return known;
		}

		await read(() => false);
		return await readNewest() ?? (await read()).at(-1) ?? null;
	};

	const add = async (digest: StoredDigest): Promise<void> => {
		const bytes = encode(digest);
		await appendFile(file, bytes, {mode: fileMode});
		const {size: end} = await stat(file);
		newestAt = {start: end - bytes.length, end};
	};

	return {
		read: async wants => inTurn(async () => read(wants)),
		newest: async () => inTurn(newest),
		add: async digest => inTurn(async () => add(digest)),
		keep: async value => inTurn(async () => {
			writeFileAtomically(keptPath, encode({head: null, body: v8.serialize(value)}));
		}),
		kept: async () => inTurn(async () => withFile(keptPath, null, async (opened, size) => {
			for await (const place of placesIn(opened, size)) {
				const kept = await readDigest(opened, place);
				return kept && v8.deserialize(kept.body) as unknown;
			}

			return null;
		})),
		clear: async () => inTurn(async () => {
			await rm(file, {force: true});
			await rm(keptPath, {force: true});
		}),
	};
};

const encode = (digest: StoredDigest): Buffer => {
	const head = Buffer.from(encodeHead(digest));
	return Buffer.concat([Buffer.from(Uint32Array.of(head.length, digest.body.length, zlib.crc32(head)).buffer), head, digest.body]);
};

/** @param missing The result for a file that does not exist. */
const withFile = async <Result>(
	file: string, missing: NoInfer<Result>, work: (opened: FileHandle, size: number) => Promise<Result>,
): Promise<Result> => {
	const opened = await open(file).catch(nullIfMissing);
	try {
		return opened ? await work(opened, (await opened.stat()).size) : missing;
	} finally {
		await opened?.close();
	}
};

/** Bytes past the end of the file are zeros: then the checksum differs. */
const readBytes = async (opened: FileHandle, at: number, length: number): Promise<Uint8Array> => {
	const bytes = new Uint8Array(length);
	await opened.read(bytes, 0, length, at);
	return bytes;
};

async function * placesIn(opened: FileHandle, size: number, from = 0): AsyncGenerator<Place, undefined> {
	for (let start = from; start + prefix <= size;) {
		const begins = await readBytes(opened, start, mostHeads);
		const [head = 0, length = 0, checksum] = new Uint32Array(begins.buffer, 0, 3);
		const at = start + prefix + head;
		if (at + length > size) {
			return;
		}

		const json = prefix + head <= mostHeads ? begins.subarray(prefix, prefix + head) : await readBytes(opened, start + prefix, head);
		// Zeros, as a power cut may leave them, would pass as an empty head with the right checksum.
		if (head === 0 || zlib.crc32(json) !== checksum) {
			return;
		}

		yield {...decodeHead(new TextDecoder().decode(json)), start, at, length};
		start = at + length;
	}
}

const readDigest = async (opened: FileHandle, {at, length, ...head}: Place): Promise<StoredDigest | null> =>
	withBody(head, await readBytes(opened, at, length));
