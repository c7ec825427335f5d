import test from 'ava';
import {withOwnBuffers} from '../../src/platform/own-buffers.ts';

const both = new Float32Array([1, -0, Number.NaN]);
const data = {
	name: 'a', nothing: null, absent: undefined, list: [both, 2, [true]], map: new Map([['b', {vector: both}]]), sums: new Float64Array(3),
};

test('a copy has the same values, and one object where the data has one', t => {
	const copy = withOwnBuffers(data);
	t.deepEqual(copy, data);
	t.is(copy.list[0], copy.map.get('b')!.vector);
	t.not(copy.list[0], both);
});

test('a copy of what was read from a file does not keep the file in memory', t => {
	const sums = new Float64Array(new ArrayBuffer(80_000), 8, 3);
	t.is(withOwnBuffers({sums}).sums.buffer.byteLength, 24);
});
