/** A named file that cannot be used fails the start of the served command. */
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

test('a broken or missing PROFILE_FILE fails the start', async t => {
	const folder = await temporaryFolder(t);
	const profile = path.join(folder, 'profile.json');
	await writeFile(profile, '{"affective": {"calm": 5,}');
	for (const file of [profile, path.join(folder, 'none.json')]) {
		const {code, errors} = await startServer(path.join(folder, 'data'), {PROFILE_FILE: file}).ended;
		t.is(code, 1);
		t.regex(errors, /PROFILE_FILE/);
	}
});
