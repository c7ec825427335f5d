/** The real application of a real identity, with its event stream, and a client that records its requests. */
import type {ExecutionContext} from 'ava';
import {createClient, type ClientOptions} from '../../src/client/index.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, mulberry32, vectorOf} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';

/** An identity with a journal, a translator and a direction. Its initial state is fixed, since a random one is sometimes 0 on it. */
const whole: IdentityOptions = {
	journal: async () => new FakeJournal(),
	initialState: async () => randomState(mulberry32(1), '2026-01-01T00:00:00.000Z'),
	translator: async () => templateTranslator,
	directions: async () => [{
		name: 'calm_agitated',
		category: 'affective',
		polePositive: 'calm',
		poleNegative: 'agitated',
		vector: vectorOf('calm'),
	}],
};

type Options = {identity?: IdentityOptions; app?: HttpOptions; client?: Partial<ClientOptions>};

/** Serves on a free port for one test. */
export const serveWhole = async (t: ExecutionContext, {identity: processOptions, app, client: clientOptions}: Options = {}) => {
	const encoder = new FakeEncoder();
	const identity = createIdentity({encoder: async () => encoder, ...whole, ...processOptions});
	t.teardown(() => identity.dispose());
	const {url} = await serve(t, identity, {inspector: true, ...app});
	await identity.ready();

	const asked: string[] = [];
	const client = createClient({
		baseUrl: url,
		async fetch(input, init) {
			asked.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
			return fetch(input, {...init, headers: {...init?.headers as Record<string, string>, connection: 'close'}});
		},
		...clientOptions,
	});
	return {identity, encoder, client, asked, url};
};
