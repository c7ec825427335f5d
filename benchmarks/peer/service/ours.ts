/**
 * Our contestant: an identity and its HTTP application, with an encoder that takes no time, on a
 * free port that it sends to its parent. `node ours.ts WORLD [JOURNAL]`: without a journal's folder
 * the state is in memory only, with one every cycle is durable before its response.
 *
 * There is no logger, because the peer writes no access log either.
 */
import {createIdentity} from '../../../src/identity/create-identity.ts';
import {tuneV8} from '../../../src/commands/tune-v8.ts';
import {createHttp} from '../../../src/http/create-http.ts';
import {listen} from '../../../src/http/server.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import {readWorld} from './world.ts';

tuneV8();
const [world, journal] = process.argv.slice(2);

const identity = createIdentity({
	...readWorld(world!),
	// The service's default compaction.
	...(journal !== undefined && {journal: createSqliteJournal({folder: journal, compaction: {keepRecords: 100_000}})}),
});
await identity.ready();
const {url} = await listen(createHttp(identity, {metrics: false}), {host: '127.0.0.1', port: 0});
process.send!({url});
