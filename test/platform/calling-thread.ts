/** A thread for tests: it does what a call asks for, and answers with the call. */
import {setImmediate} from 'node:timers/promises';
import {nameOf, type NamedOption} from '../../src/platform/option-names.ts';
import {answerCalls, notify} from '../../src/platform/thread-calls.ts';

export type Asked = {wait?: number; fail?: string; end?: number; notice?: string; option?: NamedOption; bytes?: Uint8Array<ArrayBuffer>};

answerCalls(async (asked: Asked) => {
	if (asked.notice !== undefined) {
		notify(asked.notice);
	}

	if (asked.option !== undefined) {
		notify(nameOf(asked.option));
	}

	if (asked.fail !== undefined) {
		throw new Error(asked.fail);
	}

	if (asked.end !== undefined) {
		process.exit(asked.end);
	}

	for (let turns = asked.wait ?? 0; turns > 0; turns--) {
		await setImmediate();
	}

	return asked;
}, ({bytes}) => bytes ? [bytes.buffer] : []);
