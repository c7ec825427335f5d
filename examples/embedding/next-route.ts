/**
 * The service below `/identity` of a Next application: the file `app/identity/[...path]/route.ts`.
 * Next keeps the module between requests in a server of Node, so it holds the identity too.
 */
import {createIdentity} from 'processual-state';
import {createHttp} from 'processual-state/http';

const identity = createIdentity();
const http = createHttp(identity, {prefix: '/identity'});

export const GET = http.fetch;
export const POST = http.fetch;

// Does what Next does with a request, if this file is run by itself.
if (import.meta.main) {
	await identity.ready();
	const body = JSON.stringify({content: 'The sea is quiet today.'});
	const response = await POST(new Request('http://localhost/identity/cycle', {method: 'POST', body, headers: {'Content-Type': 'application/json'}}));
	const {state_id} = await response.json() as {state_id: number};
	console.log('/identity/cycle', '→', `state ${state_id}`);
	await identity.dispose();
}
