/** The whole service on real input: the bundled encoder, the built-in catalogue, a listening port. */
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {Encoder} from '../../src/embedding/encoder.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {listen, type Listening} from '../../src/http/server.ts';
import {loadThemes} from '../../src/sources/themes.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {fuzz} from '../http/fuzz.ts';

export type RealService = {identity: LocalIdentity; server: Listening; close: () => Promise<void>};

/** @param encoder Several services may share it: none of them disposes of it. */
export const startRealService = async (encoder: Encoder): Promise<RealService> => {
	const identity = createIdentity({
		encoder: encoder,
		themes: await loadThemes(),
		random: mulberry32(1),
	});
	await identity.ready();
	const server = await listen(createHttp(identity, {validateResponses: true, cors: '*', metrics: false}), {host: '127.0.0.1', port: 0});
	return {
		identity,
		server,
		async close() {
			await server.close();
			await identity.dispose();
		},
	};
};

/** Sends random requests; a refused one must change nothing. @returns how many answers had each status */
export const fuzzRealService = async (
	{identity, server}: RealService,
	{requests, seed}: {requests: number; seed: number},
): Promise<Record<number, number>> =>
	fuzz(server.url, {
		requests,
		seed,
		maxBodyBytes: 2 ** 20,
		probe: () => JSON.stringify([
			identity.state(),
			identity.metrics().totalCycles,
			identity.daemon.status().cyclesBreakdown,
			identity.daemon.status().mode,
		]),
		mayFail: ({path, status}) => path === '/translate' && status === 503,
	});
