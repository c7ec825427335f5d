/** Every example of embedding runs from the checkout, against the package as it is built. */
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {examples, examplesFolder, isBuilt, run, wayOut} from './helpers/embedding-examples.ts';

test('every example is known, and so run here or from an installed package', async t => {
	t.deepEqual((await readdir(examplesFolder)).filter(name => name.endsWith('.ts')).toSorted(), examples.map(({file}) => file));
});

for (const {file, says} of examples.filter(({needs}) => !needs)) {
	test.serial(`${file} runs and ends by itself`, async t => {
		t.true(await isBuilt(), wayOut);
		t.regex(await run(path.join(examplesFolder, file)), says);
	});
}
