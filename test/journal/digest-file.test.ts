/** The newest digest of a file, which is asked for with each new one: it is found where it is, and what happened to the file shows. */
import {readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {digestsIn} from '../../src/journal/sqlite/digest-file.ts';
import fc from '../helpers/fast-check.ts';
import {digestOf} from './digest-conformance.ts';
import {range, temporaryFolder} from './records.ts';

const steps = fc.array(fc.oneof(
	fc.constantFrom('add', 'add elsewhere', 'clear', 'clear elsewhere', 'remove') as fc.Arbitrary<string>,
	// So many bytes are torn off, and there may be zeros in their place.
	fc.tuple(fc.integer({min: 1, max: 60}), fc.nat({max: 2000})),
), {maxLength: 20});

test('whoever adds or clears digests, or tears the end of their file, each sees the newest that is whole', async t => {
	await fc.assert(fc.asyncProperty(steps, async all => {
		const folder = await temporaryFolder(t);
		const [here, elsewhere] = [digestsIn(folder), digestsIn(folder)];
		const file = path.join(folder, 'digests');
		const expected: Array<ReturnType<typeof digestOf>> = [];
		for (const [i, step] of all.entries()) {
			if (step === 'add' || step === 'add elsewhere') {
				expected.push(digestOf(i));
				await (step === 'add' ? here : elsewhere).add(digestOf(i));
			} else if (Array.isArray(step)) {
				if (expected.pop()) {
					const [torn, zeros] = step;
					truncateSync(file, statSync(file).size - torn);
					truncateSync(file, statSync(file).size + zeros);
				}
			} else {
				expected.length = 0;
				await (step === 'remove' ? rmSync(file, {force: true}) : (step === 'clear' ? here : elsewhere).clear());
			}

			t.deepEqual([await here.newest(), await elsewhere.newest()], [expected.at(-1) ?? null, expected.at(-1) ?? null]);
			t.deepEqual(await here.read(), expected);
		}
	}));
});

test('it is found without those before it, of which a long life has thousands', async t => {
	const folder = await temporaryFolder(t);
	const digests = digestsIn(folder);
	for (const last of range(1, 3)) {
		await digests.add(digestOf(last));
	}

	const file = path.join(folder, 'digests');
	writeFileSync(file, readFileSync(file).fill(0, 0, 40));
	t.deepEqual(await digests.newest(), digestOf(3));
	// What is damaged ends them, for who reads all.
	t.deepEqual(await digests.read(), []);
	t.is(await digests.newest(), null);
});
