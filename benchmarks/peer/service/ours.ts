/**
 * Our contestant: the process and its HTTP application with an encoder that answers at once, on a
 * free port that it tells its parent. `node ours.ts WORLD [JOURNAL]`: without a journal's folder
 * nothing is kept, with one every cycle is durable before it is answered.
 *
 * There is no logger, as the peer writes no access log either.
 */
import {createProcess} from '../../../src/identity/create-identity.ts';
import {disablePretenuring} from '../../../src/commands/disable-pretenuring.ts';
import {createApp} from '../../../src/http/app.ts';
import {listen} from '../../../src/http/server.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import {readWorld} from './world.ts';

disablePretenuring();
const [world, journal] = process.argv.slice(2);

const running = createProcess({
	...readWorld(world!),
	// As the service compacts, unless it is configured otherwise.
	...(journal !== undefined && {journal: createSqliteJournal({folder: journal, compaction: {keepRecords: 100_000}})}),
});
await running.ready();
const {url} = await listen(createApp(running), {host: '127.0.0.1', port: 0});
process.send!({url});
