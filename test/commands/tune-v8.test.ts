/** What the service does to V8. Flags hold for a whole program, so each test of them has one. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';
import {createPace} from '../../src/commands/tune-v8.ts';

/** What a program writes that has {@link tuneV8}. */
const outputOf = async (program: string): Promise<string> => {
	const head = `import {tuneV8} from '${new URL('../../src/commands/tune-v8.ts', import.meta.url).href}';\n`;
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', head + program]);
	return stdout;
};

/** Megabytes that the young space has after 200 MB of objects of which 100,000 live at a time, in turns of the event loop. */
const youngSpaceAfter = async (preparation: string): Promise<number> => Number(await outputOf(`
		import {getHeapSpaceStatistics} from 'node:v8';
		import {setImmediate} from 'node:timers/promises';
		${preparation}
		const living = [];
		for (let turn = 0; turn < 400; turn++) {
			for (let i = 0; i < 10_000; i++) living[(turn * 10_000 + i) % 100_000] = {turn, i};
			await setImmediate();
		}
		console.log(getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space').space_size / 2 ** 20);`));

test('the young space of a calm service stays small, and grows when the service is busy', async t => {
	const [calm, busy] = await Promise.all([youngSpaceAfter('tuneV8({pace: {busyMs: 0, calmMs: 0}});'), youngSpaceAfter('tuneV8({pace: {busyMs: Infinity, calmMs: Infinity}});')]);
	t.true(calm <= 16, `${calm} MB`);
	t.true(busy > 16, `${busy} MB`);
});

/** What a program prints that ends with the first full collection that was asked for. V8's own have no such flag. */
const forcedCollectionAfter = async (work: string): Promise<string> => outputOf(`
	import {constants, PerformanceObserver} from 'node:perf_hooks';
	import {setImmediate} from 'node:timers/promises';
	// What was observed is delivered when something else happens.
	const events = setInterval(() => {}, 10);
	new PerformanceObserver(list => {
		if (list.getEntries().some(({detail}) => detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED)) {
			console.log('collected', typeof gc);
			clearInterval(events);
		}
	}).observe({type: 'gc'});
	${work}`);

test('all memory is collected once after the start, though little was allocated', async t => {
	t.is(await forcedCollectionAfter('tuneV8({startMs: 0});'), 'collected undefined\n');
});

test('all memory is collected when a service that had work comes to rest', async t => {
	t.is(await forcedCollectionAfter(`
		const never = 2 ** 31 - 1;
		tuneV8({startMs: never, restMs: 100});
		let garbage;
		for (let turn = 0; turn < 300; turn++) {
			garbage = Array.from({length: 10_000}, (_, i) => ({turn, i}));
			await setImmediate();
		}`), 'collected undefined\n');
});

test('a service is busy from ten collections close together until ten are far apart', t => {
	const isBusy = createPace({busyMs: 100, calmMs: 1000});
	const every = (ms: number, from: number, count: number): number[] => Array.from({length: count}, (_, i) => from + i * ms);
	t.false(isBusy(every(50, 0, 30)));
	t.false(isBusy(every(10, 2000, 9)));
	t.true(isBusy([2090]));
	t.true(isBusy(every(50, 2140, 30)));
	t.true(isBusy([]));
	t.false(isBusy([4400]));
	t.false(isBusy(every(50, 4450, 30)));
});
