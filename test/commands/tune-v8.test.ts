/** What the service does to V8. Flags hold for a whole program, so each test has one. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';

/** Megabytes that the young space has after 200 MB of objects of which 100,000 live at a time, in turns of the event loop. */
const youngSpaceAfter = async (preparation: string): Promise<number> => {
	const program = `
		import {getHeapSpaceStatistics} from 'node:v8';
		import {setImmediate} from 'node:timers/promises';
		import {tuneV8} from '${new URL('../../src/commands/tune-v8.ts', import.meta.url).href}';
		${preparation}
		const living = [];
		for (let turn = 0; turn < 400; turn++) {
			for (let i = 0; i < 10_000; i++) living[(turn * 10_000 + i) % 100_000] = {turn, i};
			await setImmediate();
		}
		console.log(getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space').space_size / 2 ** 20);`;
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
	return Number(stdout);
};

test('the young space of a service stays small, and would not by itself', async t => {
	const [tuned, untuned] = await Promise.all([youngSpaceAfter('tuneV8();'), youngSpaceAfter('')]);
	t.true(tuned <= 16, `${tuned} MB`);
	t.true(untuned > 16, `${untuned} MB`);
});
