/** What the service sets in V8, in a program of its own: a flag holds for all of it. */
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

test('a service has no code compiled by Maglev, which other programs have', async t => {
	t.deepEqual(await Promise.all([compiles(''), compiles(tuned)]), [true, false]);
});

/** The MB that the young space mostly has, and how often all memory was collected, with much garbage of some age. */
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

// What does not fit into a half lets V8 add pages to it, until all memory is collected.
test('the young space of a service doubles until it has 16 MB, and of old garbage it keeps half of what lives', async t => {
	const [other, service] = await Promise.all([leaveGarbage(''), leaveGarbage(tuned)]);
	t.true(service.young >= 16 && service.young < 32, `${service.young} MB`);
	t.true(other.young >= 32, `${other.young} MB`);
	t.true(service.full >= 2 * other.full, `${service.full} and ${other.full} full collections`);
});

test('V8 knows all that is set', async t => {
	const {stderr} = await execute(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', tuned]);
	t.is(stderr, '');
});
