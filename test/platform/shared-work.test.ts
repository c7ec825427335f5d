/** Work that several callers wait for. */
import test from 'ava';
import {SharedWork} from '../../src/platform/waiting.ts';

/** Work that ends when the test resolves or rejects it. */
const startWork = () => {
	const {promise, resolve, reject} = Promise.withResolvers<string>();
	let end!: AbortSignal;
	const work = new SharedWork(async signal => {
		end = signal;
		return promise;
	});
	return {work, resolve, reject, end};
};

test('shared work ends with its last waiter, and not before', async t => {
	const {work, end} = startWork();
	const [first, second] = [new AbortController(), new AbortController()];
	const both = [work.wait(first.signal), work.wait(second.signal)];
	first.abort(new Error('the first left'));
	await t.throwsAsync(both[0]!, {message: 'the first left'});
	t.false(end.aborted);
	second.abort(new Error('the second left'));
	await t.throwsAsync(both[1]!, {message: 'the second left'});
	t.true(end.aborted);
	t.true(work.isAbandoned);
});

test('all waiters get the value, even one that comes after it', async t => {
	const {work, resolve, end} = startWork();
	const both = [work.wait(), work.wait(new AbortController().signal)];
	resolve('done');
	t.deepEqual(await Promise.all(both), ['done', 'done']);
	t.is(await work.wait(), 'done');
	t.false(end.aborted);
});

test('work that fails rejects for all waiters', async t => {
	const {work, reject} = startWork();
	const both = [work.wait(), work.wait()];
	reject(new Error('broken'));
	for (const one of both) {
		await t.throwsAsync(one, {message: 'broken'});
	}
});
