/** Values of machines as text and back: the same bits, the same identity of vectors, and nothing of what lives. */
import test from 'ava';
import fc from 'fast-check';
import {Handle, LiveHandle} from '../../src/actors/handle.ts';
import {snapshotFromJson, snapshotToJson, type Live} from '../../src/actors/persisted.ts';
import {ConfigurationError, JournalError} from '../../src/errors.ts';
import {Metrics} from '../../src/semiosis/metrics.ts';
import {StateTensor} from '../../src/tensor/state-tensor.ts';

const time = {now: () => 1000, elapsed: () => 500};

/** A value in the context of a snapshot, there and back. */
const thereAndBack = (value: unknown, live: Live = {}): unknown =>
	(snapshotFromJson(snapshotToJson({status: 'active', output: undefined, error: undefined, context: {value}} as never, time), live) as unknown as {context: {value: unknown}}).context.value;

const bytesOf = ({buffer, byteOffset, byteLength}: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

test('vectors come back bit for bit, with their kind', t => {
	const bytes = fc.uint8Array({maxLength: 256}).map(given => given.slice(0, given.length - given.length % 8));
	fc.assert(fc.property(bytes, fc.constantFrom(Float32Array, Float64Array, Uint8Array), (given, Kind) => {
		const vector = new Kind(given.buffer);
		const back = thereAndBack(vector) as Float32Array;
		t.is(back.constructor, Kind);
		t.deepEqual(bytesOf(back), given);
	}));
});

test('a vector that is a part of a larger buffer comes back alone', t => {
	const part = Float32Array.of(1, 2, 3, 4).subarray(1, 3);
	const back = thereAndBack(part) as Float32Array;
	t.deepEqual(back, Float32Array.of(2, 3));
	t.is(back.buffer.byteLength, 8);
});

test('a vector that occurs twice comes back as one', t => {
	const vector = Float32Array.of(1);
	const [one, other] = thereAndBack([vector, {deep: vector}]) as [Float32Array, {deep: Float32Array}];
	t.is(one, other.deep);
});

test('any plain value comes back as it was, the numbers that JSON does not know and undefined with it', t => {
	const key = fc.oneof(fc.string(), fc.constantFrom('$', '__proto__', 'constructor', 'toJSON'));
	const value = fc.anything({key, withNullPrototype: false, values: [fc.boolean(), fc.integer(), fc.double(), fc.string(), fc.constantFrom(null, undefined, -0, Number.NaN, 'undefined')]});
	fc.assert(fc.property(value, given => {
		t.deepEqual(thereAndBack(given), given);
	}));
});

test('a value that looks like the text’s own marks is a value', t => {
	for (const value of [{$: 'vector', at: 0}, {$: 'live', name: 'input'}, {$: 'object', entries: []}]) {
		t.deepEqual(thereAndBack({input: value}), {input: value});
	}
});

test('a state comes back with its rows, and shares those it shared', t => {
	const rows = Array.from({length: 8}, (_, d) => new Float32Array(1024).fill(d));
	const one = new StateTensor(3, '2026-01-01T00:00:00.000Z', rows);
	const other = new StateTensor(4, '2026-01-01T00:00:01.000Z', rows.with(2, new Float32Array(1024).fill(9)));
	const [first, second] = thereAndBack([one, other]) as [StateTensor, StateTensor];
	t.true(first instanceof StateTensor);
	t.deepEqual({...first}, {...one});
	t.is(first.row('firstness'), second.row('firstness'));
	t.not(first.row('thirdness'), second.row('thirdness'));
});

test('an error comes back with its class, code and cause, and without what else somebody put on it', t => {
	const cause = Object.assign(new RangeError('too far'), {request: {headers: {authorization: 'a key'}}});
	const error = new JournalError('no room', {cause, retryable: true});
	t.false(snapshotToJson({status: 'active', error} as never, time).includes('a key'));
	const back = thereAndBack(error) as JournalError;
	t.true(back instanceof JournalError);
	t.like(back, {name: 'JournalError', message: 'no room', code: 'journal', retryable: true});
	t.true(back.cause instanceof RangeError);
	t.is((thereAndBack(Object.assign(new Error('odd'), {name: 'OddError'})) as Error).name, 'OddError');
});

test('metrics go on counting from where they were', t => {
	const metrics = new Metrics(time);
	metrics.recordCycle('warning');
	const back = thereAndBack(metrics, {time}) as Metrics;
	t.deepEqual(back.read(), metrics.read());
	back.recordCycle('ok');
	t.is(back.read().totalCycles, 2);
	t.is(metrics.read().totalCycles, 1);
});

test('a handle of a value comes back whole, one of something alive is what is given', t => {
	const value = new Handle({vector: Float32Array.of(1)}, 'a vector');
	const back = thereAndBack(value) as typeof value;
	t.is(back.toJSON(), 'a vector');
	t.deepEqual(back.value, value.value);

	const random = () => 0.5;
	const alive = thereAndBack(new LiveHandle({random: Math.random, seed: 7}, 'chance', ['random']), {random}) as LiveHandle<{random: () => number; seed: number}>;
	t.deepEqual(alive.value, {random, seed: 7});
	t.deepEqual(alive.alive, ['random']);
});

test('what is missing among the living is told by its name', t => {
	t.throws(() => thereAndBack(new LiveHandle({}, 'services', 'services')), {instanceOf: ConfigurationError, message: /“services”.*Give snapshotFromJson the option services/});
});

test('a value that cannot be written is told with its place', t => {
	t.throws(() => thereAndBack({deep: [() => 1]}), {instanceOf: TypeError, message: /A function cannot be written .*context\.value\.deep\.0/});
	t.throws(() => thereAndBack({map: new Map()}), {instanceOf: TypeError, message: /class Map .*context\.value\.map/});
});

test('another text is refused', t => {
	const written = snapshotToJson({status: 'active', output: undefined, error: undefined}, time);
	for (const text of ['{}', 'null', '{"status":"active"}', 'nonsense', '', written.slice(0, -1)]) {
		t.throws(() => snapshotFromJson(text, {}), {instanceOf: ConfigurationError, message: /snapshotToJson/});
	}
});
