/** A service runs for months: a cycle leaves only the state and its count in memory. */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {often} from '../helpers/often.ts';
import {FakeEncoder, settle, startIdentity, vectorOf} from '../actors/fixtures.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use after full collections: the least of 20 readings, because sweeping is concurrent. */
const bytesInUse = async (): Promise<number> => {
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

test('tens of thousands of cycles take under 12.5 bytes of memory each', async t => {
	const encoder = new FakeEncoder();
	const vectors = Array.from({length: 16}, (_, i) => vectorOf(`text ${i}`));
	let embedded = 0;
	encoder.embed = async () => vectors[embedded++ % vectors.length]!;
	const {identity, clock} = await startIdentity({encoder: async () => encoder});
	const run = async (count: number) => {
		for (let done = 0; done < count; done += 16) {
			await Promise.all(vectors.map(async () => identity.cycle({content: 'again', trigger: 'veille'})));
			clock.increment(100);
		}
	};

	// The first cycles compile code and fill caches.
	await run(20_000);
	const before = await bytesInUse();
	await run(cycles);
	const grown = await bytesInUse() - before;
	t.is(identity.state().stateId, 20_000 + cycles);
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon']);
	t.true(grown < cycles * 12.5, `${grown} bytes more after ${cycles} cycles`);
});
