/** The vectors of the sentences: embedded once by the bundled encoder, then read from a cache. */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {writeFileAtomically} from '../../src/platform/files/write.ts';
import {width} from '../../src/kernel/dimensions.ts';

const folder = fileURLToPath(new URL('../../node_modules/.cache/processual-state/drift', import.meta.url));

/** Rows of 1024 floats, one for each sentence, in memory that threads share. */
export const embedAll = async (sentences: readonly string[]): Promise<SharedArrayBuffer> => {
	const encoder = await loadEncoder({cacheSize: 0});
	try {
		const key = createHash('sha256').update(JSON.stringify([encoder.passport, sentences])).digest('hex').slice(0, 16);
		const file = path.join(folder, `${key}.f32`);
		const shared = new SharedArrayBuffer(4 * width * sentences.length);
		if (existsSync(file)) {
			new Uint8Array(shared).set(readFileSync(file));
			return shared;
		}

		const rows = new Float32Array(shared);
		await Promise.all(sentences.map(async (sentence, i) => {
			rows.set(await encoder.embed(sentence), i * width);
		}));
		mkdirSync(folder, {recursive: true});
		writeFileAtomically(file, new Uint8Array(shared));
		return shared;
	} finally {
		await encoder.dispose();
	}
};
