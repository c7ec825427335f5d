/** Writes the table of settings into README.md, from the schema. */
import {readFile, writeFile} from 'node:fs/promises';
import {settingsTable} from './settings-table.ts';

const readme = new URL('../README.md', import.meta.url);
const text = await readFile(readme, 'utf8');
await writeFile(readme, text.replace(/<!-- settings -->.*<!-- \/settings -->/s, `<!-- settings -->\n${settingsTable()}\n<!-- /settings -->`));
