/** A thread for tests of calls: says what it was called with, and does what the call names. */
import {answerCalls, notify} from '../../src/platform/thread-calls.ts';

answerCalls(async (asked: {wait?: number; fail?: string; end?: number; notice?: string; bytes?: Uint8Array<ArrayBuffer>}) => {
	if (asked.notice !== undefined) {
		notify(asked.notice);
	}

	if (asked.fail !== undefined) {
		throw new Error(asked.fail);
	}

	if (asked.end !== undefined) {
		process.exit(asked.end);
	}

	for (let turns = asked.wait ?? 0; turns > 0; turns--) {
		await new Promise(resolve => {
			setImmediate(resolve);
		});
	}

	return asked;
}, ({bytes}) => bytes ? [bytes.buffer] : []);
