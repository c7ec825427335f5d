/** Errors have the names of their classes even in a bundle, where classes are renamed. */
import {glob, readFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {root} from '../helpers/built-package.ts';

const errorClass = /\bclass (?<own>\w+) extends \w*Error\b[^{]*\{(?:\n\toverride readonly name(?:: string)? = '(?<name>\w+)';)?/g;

test('each error class has its name as a literal', async t => {
	const named: string[] = [];
	for await (const file of glob('src/**/*.ts', {cwd: root})) {
		for (const {groups} of (await readFile(path.join(root, file), 'utf8')).matchAll(errorClass)) {
			t.is(groups!['name'], groups!['own'], file);
			named.push(groups!['own']!);
		}
	}

	t.true(named.includes('ProcessualError') && named.includes('ClientError') && named.includes('MissingJournalError'));
});
