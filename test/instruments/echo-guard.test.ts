/** The echo guard: which texts are echoes, and by which threshold. */
import test from 'ava';
import {maxCounted} from '../../src/instruments/drift/weighted-sums.ts';
import {createEchoGuard, maxOwn, measureEchoThreshold} from '../../src/instruments/echo-guard.ts';
import {Watcher} from '../../src/instruments/watcher.ts';
import {dot} from '../../src/kernel/dot.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {unitVector} from './run-texts.ts';

const ordinary = Array.from({length: 500}, (_, i) => unitVector(1000 + i, 24));
const output = (seed: number) => ({id: `${seed}`, timestamp: '2026-01-01T00:00:00.000Z', vector: unitVector(seed, 24)});

/** A vector that differs a little from another. */
const near = (vector: Float32Array, seed: number): Float32Array => {
	const random = mulberry32(seed);
	return normalise(vector.map((value, i) => value + (i < 24 ? (random() - 0.5) * 0.1 : 0)));
};

const start = (texts = ordinary) => createEchoGuard(texts, () => selectKernel());

test('nothing is an echo before the identity has said something', t => {
	t.is(start().check(ordinary[0]!), null);
});

test('a text that repeats an output is an echo of it', t => {
	const guard = start();
	for (let seed = 1; seed <= 20; seed++) {
		guard.add(output(seed));
	}

	const echo = guard.check(near(output(7).vector, 1));
	t.like(echo, {own: {id: '7', timestamp: '2026-01-01T00:00:00.000Z'}});
	t.true(echo!.cosine > 0.95 && echo!.cosine > echo!.threshold);
});

test('the threshold is the 99.5 % quantile of the ordinary texts’ cosines to their nearest output', t => {
	const guard = start();
	const outputs = Array.from({length: 30}, (_, i) => output(i + 1));
	for (const one of outputs) {
		guard.add(one);
	}

	const expected = measureEchoThreshold(ordinary.map(text => Math.max(...outputs.map(({vector}) => dot(text, vector)))));
	t.true(Math.abs(guard.check(outputs[3]!.vector)!.threshold - expected) < 1e-6);
});

test('about one in two hundred ordinary texts is an echo', t => {
	const guard = start();
	for (let seed = 1; seed <= 30; seed++) {
		guard.add(output(seed));
	}

	const echoes = ordinary.filter(text => guard.check(text));
	t.is(echoes.length, 3);
});

test('a text that repeats a recent output is an echo, but not one that repeats an older output', t => {
	const guard = start();
	for (let seed = 1; seed <= 3 * maxOwn; seed++) {
		guard.add(output(seed));
	}

	t.is(guard.check(output(1).vector), null);
	t.is(guard.check(output(3 * maxOwn).vector)!.own.id, `${3 * maxOwn}`);
});

test('without ordinary texts nothing is an echo', t => {
	const guard = start([]);
	guard.add(output(1));
	t.is(guard.check(output(1).vector), null);
});

test('a watch counts the echoes of the newest ten thousand sources', t => {
	const said = (source: string, vector: Float32Array) =>
		({id: source, source, time: 0, conversation: null, isOwn: false, isUnread: false, isDaemons: false, vector});
	const watcher = new Watcher(
		{monitor: null, own: [output(1)], trail: [], novelty: null}, ordinary.map(vector => said('ada', vector)), () => selectKernel(),
	);
	for (let source = 0; source <= maxCounted; source++) {
		watcher.take(said(`${source}`, output(1).vector));
		watcher.take(said('parrot', output(1).vector));
	}

	t.is(watcher.echoes.size, maxCounted);
	t.is(watcher.echoes.get('parrot'), maxCounted + 1);
	t.deepEqual(['0', '1', '2', `${maxCounted}`].map(source => watcher.echoes.has(source)), [false, false, true, true]);
});
