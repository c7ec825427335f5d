/** A service runs for months: what a cycle leaves behind is its state and its count, and nothing else. */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {often} from '../helpers/often.ts';
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

const cycles = often(20_000, 80_000);

test('tens of thousands of cycles leave memory flat', async t => {
	const encoder = new FakeEncoder();
	const vectors = Array.from({length: 16}, (_, i) => vectorOf(`text ${i}`));
	let embedded = 0;
	encoder.embed = async () => vectors[embedded++ % vectors.length]!;
	const {identity: living, clock} = await startIdentity({encoder: async () => encoder});
	const run = async (count: number) => {
		for (let done = 0; done < count; done += 16) {
			await Promise.all(vectors.map(async () => living.cycle({content: 'again', trigger: 'veille'})));
			clock.increment(100);
		}
	};

	// The first part warms up what is compiled and kept once.
	await run(20_000);
	const before = await held();
	await run(cycles);
	const grown = await held() - before;
	t.is(living.state().stateId, 20_000 + cycles);
	t.deepEqual(Object.keys(living.actor.getSnapshot().children), ['resources', 'daemon']);
	t.true(grown < cycles * 12.5, `${grown} bytes more after ${cycles} cycles`);
});
