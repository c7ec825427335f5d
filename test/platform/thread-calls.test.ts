/** The protocol between the main thread and all other threads. */
import test, {type ExecutionContext} from 'ava';
import {JournalError, ProcessualError, reasonOf} from '../../src/platform/errors.ts';
import {adviceAtEnd, CalledThread} from '../../src/platform/thread-calls.ts';
import type {Asked} from './calling-thread.ts';

const startThread = (t: ExecutionContext) => {
	const notices: string[] = [];
	const ends: unknown[] = [];
	const thread = new CalledThread<Asked, Asked, string>('../test/platform/calling-thread', {
		failure: JournalError,
		onNotice: notice => notices.push(notice),
		onEnd: cause => ends.push(cause),
		endError: cause => new ProcessualError(`Ended: ${reasonOf(cause)}`),
	});
	thread.hold(true);
	t.teardown(async () => thread.end());
	return {thread, notices, ends};
};

test('each call gets its own answer, in whatever order calls are answered', async t => {
	const {thread} = startThread(t);
	const answered: number[] = [];
	const calls = [50, 5, 0].map(async wait => {
		const answer = await thread.call({wait});
		answered.push(wait);
		return answer;
	});
	t.deepEqual(await Promise.all(calls), [{wait: 50}, {wait: 5}, {wait: 0}]);
	t.deepEqual(answered, [0, 5, 50]);
});

test('a failed call throws the error class of its thread, and the thread keeps working', async t => {
	const {thread} = startThread(t);
	await t.throwsAsync(thread.call({fail: 'no disk'}), {instanceOf: JournalError, message: 'no disk'});
	t.deepEqual(await thread.call({wait: 1}), {wait: 1});
});

test('bytes are transferred to the thread and back', async t => {
	const {thread} = startThread(t);
	const bytes = new Uint8Array([1, 2, 3]);
	const answer = await thread.call({bytes}, [bytes.buffer]);
	t.is(bytes.length, 0);
	t.deepEqual([...answer.bytes!], [1, 2, 3]);
});

test('a notice comes before the answer of the call that made it', async t => {
	const {thread, notices} = startThread(t);
	await thread.call({notice: 'half done'});
	t.deepEqual(notices, ['half done']);
});

test('when the thread ends, onEnd is called first, and then every pending call fails', async t => {
	const {thread, ends} = startThread(t);
	const waiting = thread.call({wait: 1e9});
	const ended = thread.call({end: 3});
	for (const call of [waiting, ended]) {
		await t.throwsAsync(call, {instanceOf: ProcessualError, message: 'Ended: exit code 3'});
		t.is(ends.length, 1);
	}

	t.true(thread.isEnded);
});

for (const message of ['Worker initialization failure: EMFILE', 'Cannot read package config package.json: too many open files.']) {
	test(`the advice for a thread that ended with “${message}” names the limit to raise`, t => {
		t.regex(adviceAtEnd(new Error(message)), /limit of open files/);
	});
}

test('the advice for another end names no limit', t => {
	t.is(adviceAtEnd(1), '');
});
