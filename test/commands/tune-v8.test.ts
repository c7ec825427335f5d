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

test('a service has no code compiled by Maglev, which other programs have', async t => {
	const tuned = `import {tuneV8} from '${new URL('../../src/commands/tune-v8.ts', import.meta.url).href}'; tuneV8();`;
	t.deepEqual(await Promise.all([compiles(''), compiles(tuned)]), [true, false]);
});
