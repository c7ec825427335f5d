/** The vectors of sentences, embedded once by the bundled encoder or another one and then read from a cache, and the directions. */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {embed} from '../../src/actors/embed-text.ts';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {isUnread} from '../../src/instruments/drift/baseline.ts';
import {width} from '../../src/kernel/dimensions.ts';
import {writeFileAtomically} from '../../src/platform/files/write.ts';

const folder = fileURLToPath(new URL('../../node_modules/.cache/processual-state/drift', import.meta.url));

/** @returns rows of 1024 floats, one for each sentence, in memory that threads share; which sentences are read badly; and the directions */
export const embedAll = async (
	sentences: readonly string[], model?: string,
): Promise<{vectors: SharedArrayBuffer; unread: number[]; directions: Float32Array[]}> => {
	const encoder = await loadEncoder({cacheSize: 0, ...(model !== undefined && {model})});
	try {
		const directions = await loadBuiltInDirections({encoder, signal: new AbortController().signal, warn: console.warn});
		const key = createHash('sha256').update(JSON.stringify([encoder.passport, sentences])).digest('hex').slice(0, 16);
		const file = path.join(folder, `${key}.f32`);
		const vectors = new SharedArrayBuffer(4 * width * sentences.length);
		const unreadFile = path.join(folder, `${key}.unread.json`);
		let unread: number[] = [];
		if (existsSync(file) && existsSync(unreadFile)) {
			new Uint8Array(vectors).set(readFileSync(file));
			unread = JSON.parse(readFileSync(unreadFile, 'utf8')) as number[];
		} else {
			const rows = new Float32Array(vectors);
			let done = 0;
			await Promise.all(sentences.map(async (sentence, i) => {
				const {vector, report} = await embed(sentence, encoder);
				rows.set(vector, i * width);
				unread.push(...isUnread(report) ? [i] : []);
				process.stderr.write(++done % 100 === 0 ? `\r${done} of ${sentences.length} sentences` : '');
			}));
			mkdirSync(folder, {recursive: true});
			writeFileAtomically(file, new Uint8Array(vectors));
			writeFileAtomically(unreadFile, JSON.stringify(unread));
		}

		return {vectors, unread, directions: directions.flatMap(({vector}) => vector ?? [])};
	} finally {
		await encoder.dispose();
	}
};
