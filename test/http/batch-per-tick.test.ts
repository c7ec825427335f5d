import test from 'ava';
import type {Context} from 'koa';
import {batchPerTick} from '../../src/http/middleware/share-turns.ts';

test('requests of one turn of the event loop continue together, in order', async (t) => {
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
	t.deepEqual(passed, [], 'nothing continues within the turn');
	setImmediate(() => {
		passed.push('the next turn');
	});
	await Promise.all([first, second]);
	t.deepEqual(passed, ['first', 'second'], 'both continue before anything of the next turn');
});

test('an error rejects only its request; later turns are not affected', async (t) => {
	const batch = batchPerTick();
	const failing = batch({} as Context, async () => {
		throw new RangeError('no');
	});
	const passing = batch({} as Context, async () => {});
	await t.throwsAsync(failing, {instanceOf: RangeError});
	await t.notThrowsAsync(passing);
	await t.notThrowsAsync(batch({} as Context, async () => {}));
});
