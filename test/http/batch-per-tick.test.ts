import test from 'ava';
import type {Context} from 'koa';
import {batchPerTick} from '../../src/http/middleware/batch-per-tick.ts';

test('requests of one turn of the event loop go on together, in their order', async (t) => {
	const batch = batchPerTick();
	const passed: string[] = [];
	const request = async (name: string): Promise<void> => {
		await batch({} as Context, async () => {
			passed.push(name);
		});
	};

	const first = request('first');
	await Promise.resolve();
	const second = request('second');
	t.deepEqual(passed, [], 'nothing goes on within the turn');
	setImmediate(() => {
		passed.push('the next turn');
	});
	await Promise.all([first, second]);
	t.deepEqual(passed, ['first', 'second'], 'both go on before anything of the next turn');
});

test('what fails below fails its own request alone, and later turns take theirs', async (t) => {
	const batch = batchPerTick();
	const failing = batch({} as Context, async () => {
		throw new RangeError('no');
	});
	const passing = batch({} as Context, async () => {});
	await t.throwsAsync(failing, {instanceOf: RangeError});
	await t.notThrowsAsync(passing);
	await t.notThrowsAsync(batch({} as Context, async () => {}));
});
