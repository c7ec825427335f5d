/** Which versions of transformers.js npm accepts beside the package. */
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {networked} from '../helpers/registry.ts';
import {npm, pack} from './installed.ts';

/** npm's warnings when an application with this dependency adds the packed package. Nothing is downloaded. */
const warningsFor = async (wanted: string): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'user-'));
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies: {'@xenova/transformers': wanted}}));
	const tarball = path.join(folder, (await pack(folder)).filename);
	return (await npm(
		folder,
		'install',
		'--package-lock-only',
		'--ignore-scripts',
		'--no-audit',
		'--no-fund',
		'--loglevel=warn',
		tarball,
	)).stderr;
};

const warning = /could not resolve dependency:\n.*peerOptional @xenova\/transformers@"\^4" from processual-state/i;

networked('npm accepts @xenova/transformers as an alias of version 4', async t => {
	t.notRegex(await warningsFor('npm:@huggingface/transformers@4'), warning);
});

networked('npm warns about @xenova/transformers itself, which ends at version 2', async t => {
	t.regex(await warningsFor('2.17.2'), warning);
});
