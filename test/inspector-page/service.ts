/** A running service with its page; a test decides when its encoder answers. */
import type {ExecutionContext} from 'ava';
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {listen} from '../../src/http/server.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {FakeEncoder, vectorOf} from '../actors/fixtures.ts';

const directions: Direction[] = [
	{name: 'calm', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')},
	{name: 'trust', category: 'affective', polePositive: 'trusting', poleNegative: 'suspicious', vector: vectorOf('trust')},
	{name: 'analysis', category: 'cognitive', polePositive: 'analytic', poleNegative: 'intuitive', vector: vectorOf('analysis')},
];

export type ServeOptions = {identity?: Partial<IdentityOptions>; token?: string; prefix?: string};

/** Serves the page and the interface on a free port of this machine, until the teardown. */
export const servePage = async (t: Pick<ExecutionContext, 'teardown'>, {identity: options = {}, token, prefix = ''}: ServeOptions = {}) => {
	const encoder = new FakeEncoder();
	const identity = createIdentity({
		encoder: async () => encoder,
		themes: {rumination: ['Who am I?'], corpus: ['The sea.']},
		directions,
		initialState: async () => randomState(Math.random, '2026-01-01T00:00:00.000Z'),
		...options,
	});
	const http = createHttp(identity, {inspector: true, prefix, ...(token !== undefined && {token})});
	await identity.ready();

	const {url, port, close} = await listen(http, {host: '127.0.0.1', port: 0});
	t.teardown(async () => {
		http.close();
		await identity.dispose();
		await close();
	});
	return {url: url + prefix, port, identity, encoder};
};
