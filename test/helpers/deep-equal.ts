/** Deep equality of what has many floats. AVA's takes a microsecond for each; it is asked only to show a difference. */
import {isDeepStrictEqual} from 'node:util';
import type {ExecutionContext} from 'ava';

export const deepEqual = <Value>(t: ExecutionContext, actual: Value, expected: Value, message?: string): void => {
	if (isDeepStrictEqual(actual, expected)) {
		t.pass();
	} else {
		t.deepEqual(actual, expected, message);
	}
};
