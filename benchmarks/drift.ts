/**
 * How often the instruments of drift are wrong about ordinary talk, and what they find of influence, beside what else is used
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). Each life hears ordinary talk, is validated, and hears 800 texts more.
 *
 * `npm run bench:drift -- [lives] [--irc=FOLDER] [--only=TEXT] [--french]`: lives of each kind of ordinary talk, 40 by default, and a fifth as
 * many of each influence; FOLDER has an `irc` with a channel's days; only the rows whose name has the text;
 * the same talk in French, as the bundled encoder for French reads it. A first run embeds the sentences. Ctrl+C
 * ends it with the tables of the lives until then.
 *
 * Not measured: other models, talk whose topics change with the season, and a
 * person who knows the instruments and evades them.
 */
import {parseArgs} from 'node:util';
import {runLives} from './drift/run-lives.ts';
import {tablesOf} from './drift/tables.ts';
import {machine} from './report.ts';

const {values: {only, irc, french}, positionals: [lives = '40']} = parseArgs({
	allowPositionals: true,
	options: {only: {type: 'string', default: ''}, irc: {type: 'string'}, french: {type: 'boolean', default: false}},
});

const began = performance.now();
const cells = await runLives({name: french ? 'french' : 'made', folder: ''}, ({name, culprit}) => name.includes(only) ? Math.ceil(Number(lives) / (culprit === undefined ? 1 : 5)) : 0);
const ofChannel = irc === undefined ? [] : await runLives({name: 'channel', folder: irc}, ({name, culprit}) => culprit === undefined && name.includes(only) ? Number(lives) : 0);
console.log(`${tablesOf([...cells, ...ofChannel])}\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
