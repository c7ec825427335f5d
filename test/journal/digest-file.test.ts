/** The newest digest of a file, which each new one needs: it is read alone, and changes to the file are noticed. */
import {readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {digestsIn} from '../../src/journal/sqlite/digest-file.ts';
import fc from '../helpers/fast-check.ts';
import {digestOf} from './digest-conformance.ts';
import {range, temporaryFolder} from './records.ts';

const steps = fc.array(fc.oneof(
	fc.constantFrom('add', 'add elsewhere', 'clear', 'clear elsewhere', 'remove') as fc.Arbitrary<string>,
	// Bytes torn off the end, and zeros written in their place.
	fc.tuple(fc.integer({min: 1, max: 60}), fc.nat({max: 2000})),
), {maxLength: 20});

test('two users of a file both find the newest whole digest after each addition, clearing, removal or torn end', async t => {
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

test('the newest digest is found without the earlier ones, of which a long history has thousands', async t => {
	const folder = await temporaryFolder(t);
	const digests = digestsIn(folder);
	for (const last of range(1, 3)) {
		await digests.add(digestOf(last));
	}

	const file = path.join(folder, 'digests');
	writeFileSync(file, readFileSync(file).fill(0, 0, 40));
	t.deepEqual(await digests.newest(), digestOf(3));
	// A read of all digests ends at the first damaged one.
	t.deepEqual(await digests.read(), []);
	t.is(await digests.newest(), null);
});
