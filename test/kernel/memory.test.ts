/** The memory of a WebAssembly kernel does not grow: it has the rows of a few states and one list of directions. */
import test from 'ava';
import {selectKernel} from '../../src/kernel/select.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {mulberry32} from '../actors/fixtures.ts';

/** Records the memory that a kernel allocates: when it is created, and at its first search. */
const watchMemory = (searches = false) => {
	const {Memory} = WebAssembly;
	const got: Array<InstanceType<typeof Memory>> = [];
	const Watched = class extends Memory {
		constructor(limits: {initial: number; maximum: number}) {
			super(limits);
			got.push(this);
		}
	};
	Object.assign(WebAssembly, {Memory: Watched});
	try {
		const kernel = selectKernel('wasm');
		if (searches) {
			kernel.nearest(new Float32Array(1024), [], 1);
		}

		return {kernel, size: () => got.reduce((sum, {buffer}) => sum + buffer.byteLength, 0), memories: () => got.length};
	} finally {
		Object.assign(WebAssembly, {Memory});
	}
};

const random = mulberry32(5);
const states = Array.from({length: 20}, () => randomState(random, '').rows);

const catalogue = (length: number) => ({rows: new Uint8Array(length), vectors: Array.from({length}, (_, i) => states[i % 20]![i % 8]!)});

test('cycles and changing states allocate no memory', t => {
	const {kernel, size, memories} = watchMemory();
	const before = size();
	t.is(memories(), 1);
	t.true(before > 0);
	let [rows] = states as [(typeof states)[0]];
	for (let i = 0; i < 3000; i++) {
		const other = states[i % 20]!;
		const e = other[i % 8]!;
		kernel.compare(rows, e);
		const {thirdness} = kernel.move(rows, e, {secondness: 0.1, thirdness: 0.1, valeurs: 0}, 0.001);
		const next = i % 100 === 0 ? other : rows.with(2, thirdness);
		kernel.drift(next, states[3]!, rows);
		kernel.cosines(e, other);
		rows = next;
	}

	t.is(size(), before);
});

test('a list of directions reuses the memory of the one before it', t => {
	const {kernel, size} = watchMemory();
	kernel.project([states[0]!], catalogue(200));
	const grown = size();
	for (let length = 1; length <= 200; length += 7) {
		kernel.project([states[0]!], catalogue(length));
	}

	t.is(size(), grown);
});

test('the memory of searched vectors is as large as the longest list', t => {
	const {kernel, size} = watchMemory(true);
	const before = size();
	const list = Array.from({length: 500}, (_, i) => states[i % 20]![i % 8]!);
	kernel.nearest(states[0]![0]!, list, 10);
	const grown = size();
	t.true(grown - before < 500 * 4096 * 1.05);
	for (let length = 1; length <= 500; length += 17) {
		kernel.nearest(states[1]![0]!, list.slice(length), 10);
		kernel.nearest(states[1]![0]!, list.slice(0, length), 10);
	}

	t.is(size(), grown);
});

test('a vector of another width is refused, and an earlier vector is never used in its place', t => {
	const {kernel} = watchMemory();
	const [rows, e] = [states[0]!, states[1]![0]!];
	const {dots} = kernel.compare(rows, e);
	for (const length of [1023, 1025]) {
		t.throws(() => kernel.compare(rows, new Float32Array(length)), {instanceOf: RangeError, message: /1024 floats, got 102/});
		kernel.nearest(e, states[2]!, 1);
		const list = [new Float32Array(length), e];
		t.throws(() => kernel.nearest(e, list, 1), {instanceOf: RangeError});
		t.throws(() => kernel.nearest(e, list, 1), {instanceOf: RangeError});
		t.is(kernel.nearest(e, [rows[0]!, e], 1)[0]!.place, 1);
		t.throws(() => kernel.compare(rows.with(3, new Float32Array(length)), e), {instanceOf: RangeError});
		t.deepEqual(kernel.compare(rows, e).dots, dots);
	}
});
