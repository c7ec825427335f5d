/** A service runs for months: what a cycle leaves behind is its state and its count, and nothing else. */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {FakeEncoder, settle, startIdentity, vectorOf} from '../actors/fixtures.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are still held after full collections. What a collection frees is swept beside, so the least of some readings counts. */
const held = async (): Promise<number> => {
	let least = Infinity;
	for (let round = 0; round < 20; round++) {
		collectGarbage();
		await settle();
		const {heapUsed, arrayBuffers} = process.memoryUsage();
		least = Math.min(least, heapUsed + arrayBuffers);
	}

	return least;
};

test('a hundred thousand cycles leave memory flat', async t => {
	const encoder = new FakeEncoder();
	const vectors = Array.from({length: 16}, (_, i) => vectorOf(`text ${i}`));
	let embedded = 0;
	encoder.embed = async () => vectors[embedded++ % vectors.length]!;
	const {identity: living, clock} = await startIdentity({encoder: async () => encoder});
	const run = async (cycles: number) => {
		for (let done = 0; done < cycles; done += 16) {
			await Promise.all(vectors.map(async () => living.cycle({content: 'again', trigger: 'veille'})));
			clock.increment(100);
		}
	};

	// The first part warms up what is compiled and kept once.
	await run(20_000);
	const before = await held();
	await run(80_000);
	const grown = await held() - before;
	t.is(living.state().stateId, 100_000);
	t.deepEqual(Object.keys(living.actor.getSnapshot().children), ['resources', 'daemon']);
	t.true(grown < 1_000_000, `${grown} bytes more after 80,000 cycles`);
});
