/** Deep equality of values with many floats. AVA's takes a microsecond for each, so it is used only to show a difference. */
import {isDeepStrictEqual} from 'node:util';
import type {ExecutionContext} from 'ava';

export const deepEqual = <Value>(t: ExecutionContext, actual: Value, expected: Value, message?: string): void => {
	if (isDeepStrictEqual(actual, expected)) {
		t.pass();
	} else {
		t.deepEqual(actual, expected, message);
	}
};
