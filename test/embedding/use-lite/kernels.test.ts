/** The model gives the same bits with every kernel and on every host. */
import {readFileSync} from 'node:fs';
import test from 'ava';
import {same} from '../conformance.ts';
import {loadForwards} from './models.ts';

/** Texts → their 512 floats. */
const golden = JSON.parse(readFileSync(new URL('../../golden/use-lite-q8.json', import.meta.url), 'utf8')) as Record<string, string>;

const bits = (vector: Float32Array): string => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

const lengths = [1, 2, 3, 4, 5, 7, 8, 9, 13, 24, 41, 127, 128];

test('the vectors of ten sentences have the golden bits', async t => {
	const {forwards, tokenize} = loadForwards();
	t.is(Object.keys(golden).length, 10);
	for (const [text, expected] of Object.entries(golden)) {
		t.is(bits(forwards['words']!(tokenize(text))), expected, `words: ${text}`);
		t.is(bits(forwards['bytes']!(tokenize(text))), expected, `bytes: ${text}`);
	}

	for (const [text, expected] of Object.entries(golden).slice(0, 2)) {
		t.is(bits(forwards['typescript']!(tokenize(text))), expected, `typescript: ${text}`);
	}
});

/** Different tokens in each place, the unknown one included. */
const tokensOf = (length: number): number[] => Array.from({length}, (_, i) => (i * 2_654_435 + length * 17) % 8000);

test('both matrix products of WebAssembly give the same bits for any number of tokens', t => {
	const {forwards: {words, bytes}} = loadForwards();
	for (const length of lengths) {
		t.true(same(words(tokensOf(length)), bytes(tokensOf(length))), `${length} tokens`);
	}
});

test('TypeScript gives the same bits as WebAssembly', t => {
	const {forwards: {words, typescript}} = loadForwards();
	for (const length of lengths.slice(0, 5)) {
		t.true(same(words(tokensOf(length)), typescript(tokensOf(length))), `${length} tokens`);
	}
});

test('earlier computations do not change the bits of a vector', t => {
	const {forwards: {words, bytes}} = loadForwards();
	for (const forward of [words, bytes]) {
		const before = forward(tokensOf(13));
		forward(tokensOf(128));
		forward(tokensOf(4));
		t.true(same(forward(tokensOf(13)), before));
	}
});
