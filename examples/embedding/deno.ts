/** The service in Deno, with a journal: `deno run --allow-all deno.ts [FOLDER]`. Deno installs the package from npm. */
import {openIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createHttp} from 'processual-state/http';
import {createSqliteJournal} from 'processual-state/journal';

const identity = await openIdentity({journal: createSqliteJournal({folder: Deno.args[0] ?? './identity'})});
const http = createHttp(identity);
const server = Deno.serve({port: 0, hostname: '127.0.0.1', onListen() {}}, http.fetch);

const client = createClient({baseUrl: `http://127.0.0.1:${server.addr.port}`});
const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/cycle', '→', `state ${stateId}`);

http.close();
await server.shutdown();
await identity.dispose();
