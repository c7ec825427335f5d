/** The flags that the service sets in V8, each in a separate process because a flag applies to all of it. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';

const execute = promisify(execFile);

/** Whether the compiler Maglev compiles a function that is called often. */
const compiles = async (head: string): Promise<boolean> => {
	const program = `${head}
		let sum = 0;
		const add = number => { sum += number; };
		for (let i = 0; i < 3000; i++) add(i);`;
	const {stdout} = await execute(process.execPath, ['--trace-opt', '--input-type=module', '--eval', program]);
	return /target MAGLEV/.test(stdout);
};

const tuned = `import {tuneV8} from '${new URL('../../src/commands/tune-v8.ts', import.meta.url).href}'; tuneV8();`;

test('the service turns off the compiler Maglev, which is on by default', async t => {
	t.deepEqual(await Promise.all([compiles(''), compiles(tuned)]), [true, false]);
});

/** The median size of the young generation in MB, and the number of full collections, with much garbage that survives it. */
const leaveGarbage = async (head: string): Promise<{young: number; full: number}> => {
	const program = `${head}
		const {getHeapSpaceStatistics} = await import('node:v8');
		const live = [];
		const sizes = [];
		for (let turn = 0; turn < 400; turn++) {
			for (let i = 0; i < 5000; i++) live[(turn * 5000 + i) % 300_000] = {i, list: [i]};
			await new Promise(setImmediate);
			sizes.push(getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size);
		}
		console.log('young ' + sizes.sort((a, b) => a - b)[200]);`;
	const {stdout} = await execute(process.execPath, ['--trace-gc', '--input-type=module', '--eval', program]);
	return {young: Number(/young (\d+)/.exec(stdout)![1]) / 2 ** 20, full: stdout.match(/Mark-Compact/g)?.length ?? 0};
};

// If survivors do not fit into a semispace, V8 adds pages to it until the next full collection.
test('a service has a young generation under 32 MB, and at least twice the full collections of the default', async t => {
	const [other, service] = await Promise.all([leaveGarbage(''), leaveGarbage(tuned)]);
	t.true(service.young >= 16 && service.young < 32, `${service.young} MB`);
	t.true(other.young >= 32, `${other.young} MB`);
	t.true(service.full >= 2 * other.full, `${service.full} and ${other.full} full collections`);
});

test('V8 accepts every flag that is set', async t => {
	const {stderr} = await execute(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', tuned]);
	t.is(stderr, '');
});
