/**
 * The memory of the real service while it hears a public channel: `node benchmarks/channel-memory.ts FOLDER [LINES]`, default 4,500.
 * FOLDER has `irc`, the days of a channel, with a line `[HH:MM] <nick> text` for each text. The lines come as fast as they are answered,
 * in conversations of 20 lines with ids, as in a busy group: all of them stay open for half an hour. After 700 lines the identity is
 * validated, and after each 300 it is asked for its drift. Reads /proc, so it runs on Linux.
 *
 * MALLOC_ARENA_MAX=1 in the environment is passed on to the service. Not measured: more than one identity.
 */
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {postCycle, startServer} from '../test/helpers/server-process.ts';
import {residentOf} from './process-use.ts';
import {figure, markdown, passingFolder} from './report.ts';

const [folder, most = '4500'] = process.argv.slice(2);
if (folder === undefined) {
	throw new Error('Name a folder that has the folder irc.');
}

const validatedAfter = 700;
const askedEvery = 300;
const {MALLOC_ARENA_MAX} = process.env;

await using server = startServer(path.join(passingFolder('channel'), 'identity'), {...(MALLOC_ARENA_MAX && {MALLOC_ARENA_MAX})});
const url = await server.ready();
const lines = readdirSync(path.join(folder, 'irc')).toSorted().flatMap(file =>
	[...readFileSync(path.join(folder, 'irc', file), 'utf8').matchAll(/^\[\d\d:\d\d\] <([^>]+)> (\S.*)$/gmu)]);
const rows: string[][] = [];
for (const [index, [, source, content]] of lines.slice(0, Number(most)).entries()) {
	const count = index + 1;
	const {status} = await postCycle(url, content!, {source: source!, conversation: String(Math.floor(index / 20))});
	if (status !== 200) {
		throw new Error(`Line ${count} was answered with ${status}.`);
	}

	if (count === validatedAfter) {
		await fetch(`${url}/validate`, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({note: 'As it is.'})});
	}

	if (count % askedEvery === 0) {
		await (await fetch(`${url}/drift`)).arrayBuffer();
		rows.push([String(count), figure(residentOf(server.pid))]);
	}
}

console.log(markdown([['lines heard', 'resident MB'], ...rows]));
