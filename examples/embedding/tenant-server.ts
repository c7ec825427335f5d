/**
 * A server of many tenants. A request's token identifies its tenant, so no tenant can reach the identity of
 * another. An identity is created once, opened on request, and closed when it is idle; it continues after a
 * restart. All share one model, its directions, one kernel and one journal thread. This program serves two
 * tenants, restarts the server, and sends requests as both and as a stranger.
 */
import {createHash} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {openIdentity} from 'processual-state';
import {connectIdentity} from 'processual-state/client';
import {loadEncoder} from 'processual-state/embedding';
import {createEmbeddedHost} from 'processual-state/host';
import {createHttp, listen} from 'processual-state/http';
import {openJournals} from 'processual-state/journal';
import {selectKernel} from 'processual-state/kernel';
import {builtInCatalogue, loadDirections, loadCatalogue} from 'processual-state/sources';

const toHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The tenants by the hash of their token. The server does not keep the tokens themselves. */
const tenants = new Map([
	[toHash('the-bakery-has-this-secret'), 'bakery'],
	[toHash('the-harbour-has-another'), 'harbour'],
]);

const encoder = await loadEncoder();
const shared = {encoder, directions: await loadDirections(await loadCatalogue(builtInCatalogue), {encoder}), kernel: selectKernel()};

const serve = async (folder: string) => {
	const journals = openJournals({folder});
	const host = createEmbeddedHost({journals, open: (_tenant, journal) => openIdentity({...shared, journal})});
	for (const tenant of tenants.values()) {
		await (journals.has(tenant) || host.create(tenant));
	}

	// Without an identity the answer is 404.
	const http = createHttp(async ({headers}) => {
		const tenant = tenants.get(toHash(headers.get('authorization')?.replace(/^Bearer /, '') ?? ''));
		return tenant === undefined ? null : (await host.place(tenant)).here;
	}, {rateLimit: {requests: 600, seconds: 60}});
	const server = await listen(http, {host: '127.0.0.1', port: 0});

	return {
		url: server.url,
		async [Symbol.asyncDispose]() {
			await host.drain();
			http.close();
			await server.close();
			await host[Symbol.asyncDispose]();
		},
	};
};

const folder = await mkdtemp(path.join(tmpdir(), 'tenants-'));
for (const text of ['We bake at four in the night.', 'Now we have rye, too.']) {
	await using server = await serve(folder);
	await using bakery = connectIdentity({baseUrl: server.url, token: 'the-bakery-has-this-secret'});
	await using harbour = connectIdentity({baseUrl: server.url, token: 'the-harbour-has-another'});
	await using stranger = connectIdentity({baseUrl: server.url, token: 'a-guess'});

	await bakery.cycle(text);
	console.log(`bakery: state ${(await bakery.state()).stateId}, harbour: state ${(await harbour.state()).stateId}`);
	await stranger.cycle('Let me in.').catch((error: Error) => {
		console.log(`stranger: ${error.name}`);
	});
}

await encoder.dispose();
await rm(folder, {recursive: true});
