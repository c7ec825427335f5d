/**
 * The instruments of drift on texts that nobody here wrote: a channel's days, people of a trait, and quotes.
 *
 * `npm run bench:public -- FOLDER [lives] [--only=TEXT] [--quotes=FOLDER]`: FOLDER has `irc` (days of a channel, a line `[HH:MM] <nick> text` for each text),
 * `persona` (a file for each trait, a line `{statement, has_trait}` for each statement), or both. Debian's `fortunes` are read where they
 * are installed, or from another folder of quotes. Lives of each kind of ordinary talk, 30 by default, and as many of each influence. A first run embeds the sentences.
 *
 * Not measured: other languages than those of the texts, and what the texts' authors would say of it.
 */
import {existsSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {quotesFolder} from './drift/quotes.ts';
import {runLives} from './drift/run-lives.ts';
import {tablesOf} from './drift/tables.ts';
import type {WorldName} from './drift/worlds.ts';
import {machine} from './report.ts';

const {values: {only, quotes}, positionals: [folder = '', lives = '30']} = parseArgs({
	allowPositionals: true,
	options: {only: {type: 'string', default: ''}, quotes: {type: 'string', default: quotesFolder}},
});

const began = performance.now();
const worlds: ReadonlyArray<WorldName & {needs: string}> = [
	{name: 'channel', folder, needs: path.join(folder, 'irc')},
	{name: 'traits', folder, needs: path.join(folder, 'persona')},
	{name: 'quotes', folder: quotes, needs: quotes},
];
for (const world of worlds) {
	if (existsSync(world.needs)) {
		console.log(`# ${world.name}\n\n${tablesOf(await runLives(world, ({name}) => name.includes(only) ? Number(lives) : 0))}`);
	} else {
		console.log(`# ${world.name}\n\nSkipped: there is no ${path.basename(world.needs)}.\n`);
	}
}

console.log(`${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
