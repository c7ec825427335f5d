/** Digests in a file beside the journal's, each behind its lengths and its checksum. It is not synced: a torn end is no digest. */
import {rmSync} from 'node:fs';
import {appendFile, readFile, rm, truncate} from 'node:fs/promises';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import zlib from 'node:zlib';
import {fileMode, ifExists} from '../../platform/files/folders.ts';
import {writeFileAtomically} from '../../platform/files/write.ts';
import type {DigestStore, StoredDigest} from '../digest-store.ts';

const [digestFile, keptFile] = ['digests', 'digests.kept'];

/** Removes them while a journal is made another one. */
export const removeDigests = (folder: string): void => {
	for (const file of [digestFile, keptFile]) {
		rmSync(path.join(folder, file), {force: true});
	}
};

/** The lengths of head and body, and the checksum of both. */
const prefix = 12;

/** @param repairs Whether a torn end is cut off. */
export const digestsIn = (folder: string, repairs = true): DigestStore => {
	const [file, keptPath] = [path.join(folder, digestFile), path.join(folder, keptFile)];
	let last: Promise<unknown> = Promise.resolve();
	/** One after another: what is being written is no torn end. */
	const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		const result = last.then(work);
		last = result.catch(() => {});
		return result;
	};

	const read = async (): Promise<StoredDigest[]> => {
		try {
			const bytes = await readFile(file);
			const digests = [...decode(bytes)];
			const length = digests.at(-1)?.end ?? 0;
			if (repairs && length < bytes.length) {
				await truncate(file, length);
			}

			return digests.map(({digest}) => digest);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
				return [];
			}

			throw error;
		}
	};

	return {
		read: async () => inTurn(read),
		newest: async () => (await inTurn(read)).at(-1) ?? null,
		add: async digest => inTurn(async () => appendFile(file, encode(digest), {mode: fileMode})),
		keep: async value => inTurn(async () => {
			writeFileAtomically(keptPath, encode({head: null, body: v8.serialize(value)}));
		}),
		kept: async () => inTurn(async () => {
			const bytes = ifExists(() => readFileSync(keptPath));
			const [kept] = bytes ? [...decode(bytes)] : [];
			return kept ? v8.deserialize(kept.digest.body) as unknown : null;
		}),
		clear: async () => inTurn(async () => {
			await rm(file, {force: true});
			await rm(keptPath, {force: true});
		}),
	};
};

const encode = ({head, body}: StoredDigest): Buffer => {
	// The floats of the body begin at a multiple of their length.
	const json = Buffer.from(JSON.stringify(head));
	const text = Buffer.concat([json, Buffer.alloc(7 - (prefix + json.length + 7) % 8, ' ')]);
	const bytes = Buffer.concat([Buffer.alloc(prefix), text, body]);
	bytes.writeUInt32LE(text.length, 0);
	bytes.writeUInt32LE(body.length, 4);
	bytes.writeUInt32LE(zlib.crc32(bytes.subarray(prefix)), 8);
	return bytes;
};

/** @returns each with the place where it ends */
function * decode(bytes: Buffer): Generator<{digest: StoredDigest; end: number}> {
	for (let place = 0; place + prefix <= bytes.length;) {
		const [head, body] = [bytes.readUInt32LE(place), bytes.readUInt32LE(place + 4)];
		const content = bytes.subarray(place + prefix, place + prefix + head + body);
		if (content.length < head + body || zlib.crc32(content) !== bytes.readUInt32LE(place + 8)) {
			return;
		}

		place += prefix + head + body;
		yield {digest: {head: JSON.parse(content.toString('utf8', 0, head)), body: new Uint8Array(content.subarray(head))}, end: place};
	}
}
