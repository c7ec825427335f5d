/** Digests are due every 500 records, even if records arrive faster than a digest is made. */
import test from 'ava';
import {createDigester} from '../../src/identity/digester.ts';
import {digestLength} from '../../src/instruments/digest.ts';
import {settle} from '../actors/fixtures.ts';

test('a digest that becomes due while another is made is made with the next record', async t => {
	const made: number[] = [];
	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	const past = {
		records: digestLength,
		async digest() {
			made.push(past.records);
			await ended;
		},
	};
	const digester = createDigester({recordListeners: new Set(), past, warn: message => t.fail(message)});
	t.teardown(() => digester.close());
	const first = digester.check();
	past.records = 2 * digestLength + 1;
	void digester.check();
	end();
	await first;
	t.deepEqual(made, [digestLength]);
	past.records++;
	void digester.check();
	await settle();
	t.deepEqual(made, [digestLength, 2 * digestLength + 2]);
	void digester.check();
	await settle();
	t.is(made.length, 2);
});
