/** A running service with its page; a test decides when its encoder answers. */
import type {ExecutionContext} from 'ava';
import Koa from 'koa';
import {createIdentity, type IdentityOptions} from '../../src/identity/create-identity.ts';
import {createApp} from '../../src/http/app.ts';
import {createEventStream} from '../../src/http/routes/events.ts';
import {listen} from '../../src/http/server.ts';
import {createInspection} from '../../src/inspection/inspection.ts';
import {describeMachines} from '../../src/inspection/machines.ts';
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
	const inspection = createInspection({actor: identity.actor});
	const events = createEventStream(inspection);
	await identity.ready();

	const inner = createApp(identity, {inspector: {events: events.handle, machines: describeMachines()}, ...(token !== undefined && {token})});
	const app = new Koa();
	app.use(async (ctx, next) => {
		if (ctx.path.startsWith(prefix)) {
			ctx.path = ctx.path.slice(prefix.length);
			await next();
		}
	});
	for (const middleware of inner.middleware) {
		app.use(middleware);
	}

	const {url, port, close} = await listen(app, {host: '127.0.0.1', port: 0});
	t.teardown(async () => {
		events.close();
		inspection.close();
		await identity.dispose();
		await close();
	});
	return {url: url + prefix, port, identity, encoder};
};
