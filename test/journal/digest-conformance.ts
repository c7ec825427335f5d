/** The behaviour of digests in every journal that keeps them. */
import test from 'ava';
import type {StoredDigest} from '../../src/journal/digest-store.ts';
import type {StoredCycle} from '../../src/journal/journal.ts';
import {width} from '../../src/kernel/dimensions.ts';
import {helpersOf, type MakePlace} from './conformance.ts';
import {cycle, range} from './records.ts';

export const digestOf = (last: number): StoredDigest => ({
	head: {last, names: ['Ann \0', 'Bé']}, body: new Uint8Array(Float64Array.of(last, Number.MIN_VALUE, -0).buffer),
});

export const testDigests = (kind: string, makePlace: MakePlace): void => {
	const {begin} = helpersOf(makePlace);

	test(`${kind}: digests and one kept value are read as they were written, also after reopening, until they are cleared`, async t => {
		const {journal, create} = await begin(t, {count: 2});
		const {digests} = journal;
		t.deepEqual([await digests!.read(), await digests!.newest(), await digests!.kept()], [[], null, null]);
		// More than one page.
		const all = range(1, 70).map(last => digestOf(last));
		for (const digest of all) {
			await digests!.add(digest);
		}

		await digests!.keep({of: 'an earlier one'});
		const value = {map: new Map([['Ann', Float32Array.of(1 / 3)]]), none: null, double: Float64Array.of(Math.PI)};
		await digests!.keep(value);
		await journal.close();
		const again = create();
		await again.open();
		t.deepEqual(await again.digests!.read(), all);
		t.deepEqual(await again.digests!.newest(), all.at(-1)!);
		const isEven = (head: unknown) => (head as {last: number}).last % 2 === 0;
		const expected = all.map(({head, body}) => ({head, body: isEven(head) ? body : new Uint8Array()}));
		t.deepEqual(await again.digests!.read(isEven), expected, 'all heads, and the requested bodies');
		t.deepEqual(await again.digests!.kept(), value);
		await again.digests!.clear();
		t.deepEqual([await again.digests!.read(), await again.digests!.newest(), await again.digests!.kept()], [[], null, null]);
		await again.digests!.add(digestOf(1));
		t.deepEqual(await again.digests!.read(), [digestOf(1)]);
	});

	test(`${kind}: the vectors of cycles can be read without their records`, async t => {
		const {journal} = await begin(t, {count: 3});
		const vector = new Float32Array(width);
		vector.set([1, -0]);
		await journal.append({...cycle(4), vector});
		const cycles = (await journal.read(1, 4)).map(({record}) => record).filter(({kind: of}) => of === 'cycle') as StoredCycle[];
		t.true(cycles.length > 1);
		t.deepEqual(await journal.digests!.vectors!(1, 4, width), Float32Array.from(cycles.flatMap(one => [...one.vector])));
		t.deepEqual(await journal.digests!.vectors!(4, 9, 2), vector);
		t.is(await journal.digests!.vectors!(4, 9, 1), null);
		await journal.close();
	});
};
