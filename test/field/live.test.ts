/** Which identities a served command keeps in memory when few fit: all are answered in turn. */
import {setTimeout} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test, {type ExecutionContext} from 'ava';
import {connectIdentity} from '../../src/client/index.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A service with these identities beside the default one, which is always in memory. */
const serve = async (
	t: ExecutionContext, names: readonly string[], settings: Record<string, string>, read?: (text: string) => Promise<void>,
) => {
	const model = await startFakeModel(read);
	t.teardown(async () => model[Symbol.asyncDispose]());
	const server = startServer(await temporaryFolder(t), {...model.settings(), ...settings});
	t.teardown(() => server.stop());
	const url = await server.ready();
	for (const name of names) {
		await fetch(`${url}/identities/${name}`, {method: 'PUT'});
	}

	let texts = 0;
	return {
		url,
		say: async (name: string) => (await postCycle(`${url}/identities/${name}`, `Text ${++texts} to ${name}.`)).status,
		async live() {
			const {identities} = await (await fetch(`${url}/identities`)).json() as {identities: Array<{id: string; is_live: boolean}>};
			return identities.flatMap(({id, is_live: isLive}) => isLive ? [id] : []);
		},
	};
};

test('a further identity replaces the one that was idle longest', async t => {
	const {say, live} = await serve(t, ['ada', 'ben', 'eve'], {MAX_LIVE: '3'});
	for (const name of ['ada', 'ben', 'ada', 'eve']) {
		t.is(await say(name), 200);
	}

	t.deepEqual(await live(), ['ada', 'default', 'eve']);
});

test('steady requests to one identity do not keep others out of memory', async t => {
	/** Each text to `loud` waits for the next one, so that it always has work; the last one waits 200 ms. */
	let next = Promise.withResolvers<void>();
	const {say, live} = await serve(t, ['loud', 'ada', 'ben'], {MAX_LIVE: '2'}, async text => {
		if (text.endsWith('to loud.')) {
			next.resolve();
			next = Promise.withResolvers();
			await Promise.race([next.promise, setTimeout(200)]);
		}
	});

	/** Retries while the service is busy, as its answer says. */
	const sayWithRetries = async (name: string): Promise<number> => {
		for (let tries = 1; ; tries++) {
			const status = await say(name);
			if (status !== 429 || tries === 5) {
				return status;
			}

			await setTimeout(1000);
		}
	};

	const over = new AbortController();
	const statuses = new Set<number>();
	const load = Array.from({length: 4}, async () => {
		while (!over.signal.aborted) {
			statuses.add(await say('loud'));
		}
	});
	while (!statuses.has(200)) {
		await setTimeout(1);
	}

	t.deepEqual(await live(), ['default', 'loud']);
	t.is(await sayWithRetries('ada'), 200);
	t.is(await sayWithRetries('ben'), 200);
	t.is(await sayWithRetries('loud'), 200);
	over.abort();
	await Promise.all(load);
	t.true([...statuses].every(status => status === 200 || status === 429), [...statuses].join());
});

test('a remote stream that was abandoned unread keeps no identity in memory', async t => {
	const {url, live} = await serve(t, ['ada'], {IDLE_SECONDS: '0.05'});
	const ada = connectIdentity({baseUrl: url, identity: 'ada'});
	t.teardown(async () => ada.dispose());
	const abandon = (): void => {
		void ada.events();
	};

	abandon();
	await ada.cycle('I am Ada.');
	while ((await live()).includes('ada')) {
		collectGarbage();
	}

	t.deepEqual(await live(), ['default']);
});
