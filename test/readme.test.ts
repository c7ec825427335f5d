import {readFile} from 'node:fs/promises';
import test from 'ava';
import {settingsTable} from '../scripts/settings-table.ts';
import {builtInCatalogue, readCatalogue} from '../src/sources/directions/catalogue.ts';
import {routesFor} from '../src/http/routes.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

test('the README\'s table of settings is the schema\'s', t => {
	t.true(readme.includes(settingsTable()), 'run npm run settings');
});

test('the README names every endpoint', t => {
	for (const {method, path} of routesFor({isInspected: true})) {
		t.true(readme.includes(`\`${method} ${path}\``), `${method} ${path}`);
	}
});

test('the README counts the directions of the catalogue', async t => {
	const {entries} = await readCatalogue(builtInCatalogue);
	t.true(readme.includes(`${entries.length} named directions in ${new Set(entries.map(({category}) => category)).size} categories`));
});
