/** The contract of an encoder (`encoder.ts`), as a suite that each adapter must pass. */
import type {TestFn} from 'ava';
import fc from '../helpers/fast-check.ts';
import type {LoadedEncoder} from '../../src/embedding/encoder.ts';
import {EmbeddingError} from '../../src/platform/errors.ts';
import {anyText} from '../helpers/any-text.ts';

const texts = ['a thought', 'a thought moves', 'moves slowly', 'a query', 'slowly: a', 'thoughts', 'x', 'a a a'];

const norm = (vector: Float32Array): number => Math.hypot(...vector);

/** Whether two vectors are equal bit for bit. Easier to read than a diff of 1024 numbers. */
export const same = (a: Float32Array, b: Float32Array): boolean => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

/** Any text in any script, or any sequence of UTF-16 units, lone surrogates included. */
const anyInput = fc.oneof(
	anyText({minLength: 1, maxLength: 200}),
	fc.string({unit: fc.integer({min: 0, max: 0xFF_FF}).map(unit => String.fromCharCode(unit)), minLength: 1, maxLength: 200}),
);

export const conform = (test: TestFn, name: string, load: () => Promise<LoadedEncoder>): void => {
	let encoder: LoadedEncoder;
	// Serial, so that the hooks registered before this one are done.
	test.serial.before(async () => {
		encoder = await load();
	});
	test.after.always(async () => {
		await encoder.dispose();
	});

	test(`${name}: a text becomes 1024 floats of unit length`, async t => {
		for (const text of texts) {
			const vector = await encoder.embed(text);
			t.is(vector.length, 1024);
			t.true(Math.abs(norm(vector) - 1) < 1e-6);
		}
	});

	test(`${name}: the same text gives the same bits, and another text other bits`, async t => {
		const [first, again, other] = [await encoder.embed('a thought'), await encoder.embed('a thought'), await encoder.embed('moves slowly')];
		t.true(same(first, again));
		t.false(same(first, other));
	});

	test(`${name}: a change to a returned vector does not affect the next`, async t => {
		const first = await encoder.embed('a thought');
		const kept = first.slice();
		first.fill(0);
		t.true(same(await encoder.embed('a thought'), kept));
	});

	test(`${name}: texts that are embedded concurrently each get their vector`, async t => {
		const alone = await Array.fromAsync(texts, async text => encoder.embed(text));
		const together = await Promise.all(texts.map(async text => encoder.embed(text)));
		t.true(together.every((vector, i) => same(vector, alone[i]!)));
	});

	test(`${name}: an aborted call throws the signal's reason, and the others succeed`, async t => {
		const reason = new Error('no longer wanted');
		const abort = new AbortController();
		const calls = texts.map(async (text, i) => encoder.embed(text, i % 2 === 0 ? abort.signal : undefined));
		abort.abort(reason);
		for (const [i, settled] of (await Promise.allSettled(calls)).entries()) {
			t.is(settled.status, i % 2 === 0 ? 'rejected' : 'fulfilled');
			t.true(settled.status === 'fulfilled' || settled.reason === reason);
		}

		t.is(await t.throwsAsync(encoder.embed('a thought', abort.signal)), reason);
	});

	test(`${name}: a text of a megabyte is cut, not refused`, async t => {
		t.true(Math.abs(norm(await encoder.embed('moves slowly '.repeat(80_000))) - 1) < 1e-6);
		t.true(Math.abs(norm(await encoder.embed('x'.repeat(1_048_576))) - 1) < 1e-6);
	});

	test(`${name}: any text gives a vector or an EmbeddingError`, async t => {
		await fc.assert(fc.asyncProperty(anyInput, async text => {
			try {
				return Math.abs(norm(await encoder.embed(text)) - 1) < 1e-6;
			} catch (error) {
				return error instanceof EmbeddingError;
			}
		}), {numRuns: 50});
		t.pass();
	});

	test(`${name}: a blank text is an EmbeddingError`, async t => {
		await t.throwsAsync(encoder.embed(''), {instanceOf: EmbeddingError, message: /blank/});
		await t.throwsAsync(encoder.embed(' \n\t\u00A0'), {instanceOf: EmbeddingError, message: /blank/});
	});

	test(`${name}: dispose fails pending and later calls`, async t => {
		const own = await load();
		const underWay = Promise.allSettled(texts.map(async text => own.embed(text)));
		await own.dispose();
		for (const settled of await underWay) {
			t.true(settled.status === 'rejected' && settled.reason instanceof EmbeddingError);
		}

		await t.throwsAsync(own.embed('a thought'), {instanceOf: EmbeddingError, message: /disposed/});
		await t.notThrowsAsync(own.dispose());
	});
};
