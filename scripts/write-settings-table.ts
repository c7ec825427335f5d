/** Writes the table of settings into docs/configuration.md, from the schema. */
import {readFile, writeFile} from 'node:fs/promises';
import {settingsTable} from './settings-table.ts';

const guide = new URL('../docs/configuration.md', import.meta.url);
const text = await readFile(guide, 'utf8');
await writeFile(guide, text.replace(/<!-- settings -->.*<!-- \/settings -->/s, `<!-- settings -->\n${settingsTable()}\n<!-- /settings -->`));
