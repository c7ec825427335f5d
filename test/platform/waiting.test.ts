/** Waiting for a promise until a signal aborts. */
import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {withSignal} from '../../src/platform/waiting.ts';

const reason = new Error('It is over.');

for (const [when, abort] of [
	['before', (end: AbortController) => end.abort(reason)],
	['after', (end: AbortController) => void queueMicrotask(() => end.abort(reason))],
] as const) {
	test(`an abort ${when} the wait begins throws its reason, and a later rejection of the promise is handled`, async t => {
		const end = new AbortController();
		const late = Promise.withResolvers<never>();
		abort(end);
		t.is(await t.throwsAsync(withSignal(late.promise, end.signal)), reason);
		late.reject(new Error('An unhandled rejection would end the program.'));
		await setImmediate();
	});
}

test('without an abort, the wait gives the value', async t => {
	t.is(await withSignal(Promise.resolve(1), new AbortController().signal), 1);
	t.is(await withSignal(Promise.resolve(1), undefined), 1);
});
