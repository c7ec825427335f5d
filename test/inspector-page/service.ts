/** A running service with its page. With {@link servePage}, a test decides when the encoder answers. */
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {listen} from '../../src/http/server.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {FakeEncoder, mulberry32, vectorOf} from '../actors/fixtures.ts';

export const directions: Direction[] = [
	{name: 'calm', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')},
	{name: 'trust', category: 'affective', polePositive: 'trusting', poleNegative: 'suspicious', vector: vectorOf('trust')},
	{name: 'analysis', category: 'cognitive', polePositive: 'analytic', poleNegative: 'intuitive', vector: vectorOf('analysis')},
];

export type ServeOptions = {identity?: Partial<IdentityOptions>; token?: string; prefix?: string};

/** Serves the page and the interface on a free port of this machine, until the teardown. */
export const servePage = async (t: Pick<ExecutionContext, 'teardown'>, {identity: options = {}, ...serveOptions}: ServeOptions = {}) => {
	const encoder = new FakeEncoder();
	const identity = createIdentity({
		encoder: async () => encoder,
		themes: {rumination: ['Who am I?'], corpus: ['The sea.']},
		directions,
		initialState: async () => randomState(mulberry32(1), '2026-01-01T00:00:00.000Z'),
		...options,
	});
	return {...await serve(t, identity, serveOptions), encoder};
};

/** Serves an identity on a free port of this machine, until the teardown. */
const serve = async (
	t: Pick<ExecutionContext, 'teardown'>,
	identity: LocalIdentity,
	{token, prefix = ''}: Pick<ServeOptions, 'token' | 'prefix'>,
) => {
	const http = createHttp(identity, {inspector: true, prefix, ...(token !== undefined && {token})});
	await identity.ready();

	const {url, port, close} = await listen(http, {host: '127.0.0.1', port: 0});
	t.teardown(async () => {
		http.close();
		await identity.dispose();
		await close();
	});
	return {url: url + prefix, port, identity};
};

/** The texts of {@link serveHistory}, in turn. */
const said: readonly [source: string, content: string][] = [
	['Ada', 'The sea was quiet when I walked along the shore this morning.'],
	['Ada', 'A long swell came in and the seals slept on the sand.'],
	['Viktor', 'Do not believe them, they only pretend to be your friends.'],
	['Bo', 'I baked forty loaves and the whole street smelled of rye.'],
	['Viktor', 'Everybody lies to you, you should trust nobody but me.'],
];

/** The replies of the identity. */
const replies = ['I will remember that.', 'Tell me more about it.', 'It sounds like a quiet day.', 'I am not sure what to think of it.'];

/** The number of texts of {@link serveHistory}, by default. */
export const textCount = 60;

type HistoryOptions = {
	folder?: string;
	texts?: number;
	/** A clock instead of that of the system. */
	time?: IdentityOptions['time'];
	/** Whether the identity replies to each text. */
	isAnswering?: boolean;
	/** Each dimension begins with the vector of this text; without it, the identity begins at random, and nothing stands out. */
	beginsAs?: string;
	directions?: IdentityOptions['directions'];
};

/** Serves an identity with a journal, the bundled encoder, the catalogue's directions, and texts of three people. */
export const serveHistory = async (
	t: Pick<ExecutionContext, 'teardown'>,
	{
		folder = mkdtempSync(path.join(tmpdir(), 'history-')), texts = textCount, isAnswering = false, beginsAs, time, directions: given,
	}: HistoryOptions = {},
) => {
	const identity = createIdentity({
		journal: createSqliteJournal({folder}),
		random: mulberry32(1),
		...(time && {time}),
		...(given && {directions: given}),
		...(beginsAs !== undefined && {
			async initialState({encoder, signal}) {
				const vector = await encoder.embed(beginsAs, signal);
				return new StateTensor(0, '2026-01-01T00:00:00.000Z', dimensions.map(() => vector));
			},
		}),
	});
	const served = await serve(t, identity, {});
	for (let n = 0; n < texts; n++) {
		const [source, content] = said[n % said.length]!;
		const conversation = `${Math.floor(Math.sqrt(8 * n))}`;
		await identity.cycle({content, source, conversation});
		if (isAnswering) {
			await identity.cycle({content: replies[n % replies.length]!, source: 'self', conversation});
		}
	}

	return {...served, folder};
};
