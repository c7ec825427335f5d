/** The whole service on real input: the bundled encoder, the built-in catalogue, a listening port. */
import {createProcess, type RunningProcess} from '../src/create-process.ts';
import {bundledModel} from '../src/embedding/bundled-model.ts';
import type {Encoder} from '../src/embedding/encoder.ts';
import {createApp} from '../src/http/app.ts';
import {listen, type Listening} from '../src/http/server.ts';
import {builtInCatalogue, readCatalogue} from '../src/store/catalogue.ts';
import {loadDirections} from '../src/store/direction-vectors.ts';
import {readThemes} from '../src/store/themes.ts';
import {mulberry32} from './actors/fixtures.ts';
import {fuzz} from './http/fuzz.ts';

export type RealService = {process: RunningProcess; server: Listening; close: () => Promise<void>};

/** @param encoder One that several services may share: it outlives each. */
export const startRealService = async (encoder: Encoder): Promise<RealService> => {
	const process = createProcess({
		embeddingModel: bundledModel,
		loadEncoder: async () => lend(encoder),
		themes: await readThemes(),
		directions: async own => loadDirections((await readCatalogue(builtInCatalogue)).entries, own),
		random: mulberry32(1),
	});
	await process.ready();
	const server = await listen(createApp(process, {validateResponses: true, allowedOrigins: '*'}), {host: '127.0.0.1', port: 0});
	return {
		process,
		server,
		async close() {
			await server.close();
			await process.dispose();
		},
	};
};

/** Random requests, over which a refused one must change nothing. @returns how many answers had each status */
export const fuzzRealService = async ({process, server}: RealService, {requests, seed}: {requests: number; seed: number}): Promise<Record<number, number>> =>
	fuzz(server.url, {
		requests,
		seed,
		bodyLimit: 2 ** 20,
		probe: () => JSON.stringify([process.state(), process.metrics().totalCycles, process.daemon.status().cyclesBreakdown, process.daemon.status().mode]),
		mayFail: ({path, status}) => path === '/translate' && status === 503,
	});

/** The same encoder, which its borrower cannot dispose of. */
const lend = (encoder: Encoder): Encoder => ({
	passport: encoder.passport,
	...(encoder.languages && {languages: encoder.languages}),
	embed: async (text, signal) => encoder.embed(text, signal),
	...(encoder.embedWithReport && {embedWithReport: async (text, signal) => encoder.embedWithReport!(text, signal)}),
	async dispose() {},
});
