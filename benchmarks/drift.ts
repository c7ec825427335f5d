/**
 * How often the drift instruments are wrong about ordinary talk, and how much influence they find, compared with other methods
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). Each history has ordinary talk, a validation, and 800 more texts.
 *
 * `npm run bench:drift -- [HISTORIES] [--irc=FOLDER] [--only=TEXT] [--french]`: histories of each kind of ordinary talk, 40 by
 * default, and a fifth as many of each influence; FOLDER has an `irc` with the days of a channel; only the rows whose name has the
 * text; the same talk in French, by the bundled encoder for French. The first run embeds the sentences. Ctrl+C ends the run
 * with the tables of the histories so far.
 *
 * Not measured: other models, talk whose topics change with the season, and a
 * person who knows the instruments and evades them.
 */
import {parseArgs} from 'node:util';
import {runHistories} from './drift/run-histories.ts';
import {tablesOf} from './drift/tables.ts';
import {machine} from './report.ts';

const {values: {only, irc, french}, positionals: [histories = '40']} = parseArgs({
	allowPositionals: true,
	options: {only: {type: 'string', default: ''}, irc: {type: 'string'}, french: {type: 'boolean', default: false}},
});

const began = performance.now();
const cells = await runHistories({name: french ? 'french' : 'made', folder: ''}, ({name, culprit}) => name.includes(only) ? Math.ceil(Number(histories) / (culprit === undefined ? 1 : 5)) : 0);
const ofChannel = irc === undefined ? [] : await runHistories({name: 'channel', folder: irc}, ({name, culprit}) => culprit === undefined && name.includes(only) ? Number(histories) : 0);
console.log(`${tablesOf([...cells, ...ofChannel])}\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
