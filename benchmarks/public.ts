/**
 * The drift instruments on texts from elsewhere: a channel's days, people of a trait, and quotes.
 *
 * `npm run bench:public -- FOLDER [HISTORIES] [--only=TEXT] [--quotes=FOLDER]`: FOLDER has `irc` (days of a channel, with a line
 * `[HH:MM] <nick> text` for each text), `persona` (a file for each trait, with a line `{statement, has_trait}` for each statement), or
 * both. Debian's `fortunes` are read if they are installed, or another folder of quotes. There are 30 histories by default of each kind
 * of ordinary talk, and as many of each influence. The first run embeds the sentences.
 *
 * Not measured: other languages than those of the texts, and the judgement of their authors.
 */
import {existsSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {quotesFolder} from './drift/quotes.ts';
import {runHistories} from './drift/run-histories.ts';
import {tablesOf} from './drift/tables.ts';
import type {WorldName} from './drift/worlds.ts';
import {machine} from './report.ts';

const {values: {only, quotes}, positionals: [folder = '', histories = '30']} = parseArgs({
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
		console.log(`# ${world.name}\n\n${tablesOf(await runHistories(world, ({name}) => name.includes(only) ? Number(histories) : 0))}`);
	} else {
		console.log(`# ${world.name}\n\nSkipped: there is no ${path.basename(world.needs)}.\n`);
	}
}

console.log(`${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
