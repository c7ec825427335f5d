/** A question to the past ends when its client leaves. */
import test from 'ava';
import {SimulatedClock} from 'xstate';
import {Questions} from '../../src/instruments/past/questions.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {serve} from './service.ts';

/** A service whose journal gives no records until it is told. */
const start = async (t: Parameters<typeof serve>[0], timers = new SimulatedClock()) => {
	const journal = new FakeJournal();
	const {promise: readable, resolve: release} = Promise.withResolvers<void>();
	const {promise: reading, resolve: begin} = Promise.withResolvers<void>();
	const read = journal.read.bind(journal);
	let reads = 0;
	journal.read = async (from, count) => {
		if (++reads === 2) {
			begin();
		}

		await readable;
		return read(from, count);
	};

	const questions = new Questions({maxRunning: 2, maxSeconds: 60, timers});
	t.teardown(() => {
		questions.close();
	});
	const {identity} = await startIdentity({journal, questions});
	t.teardown(async () => identity.dispose());
	await identity.cycle('The sea is quiet today.');
	return {...await serve(t, identity), reading, release};
};

test('two drifts whose clients left block no question of others', async t => {
	const {ask, url, reading, release} = await start(t);
	const left = new AbortController();
	const gone = [0, 1].map(async since => fetch(`${url}/drift?since=${since}`, {signal: left.signal}));
	await reading;
	left.abort();
	await Promise.all(gone.map(async one => t.throwsAsync(one, {name: 'AbortError'})));
	const next = ask('GET', '/ledger');
	release();
	t.is((await next).status, 200);
	t.is((await ask('GET', '/drift?since=0')).status, 200);
});

test('a question that takes too long is answered 503, with what to do', async t => {
	const clock = new SimulatedClock();
	const {ask, reading} = await start(t, clock);
	const both = [ask('GET', '/history'), ask('GET', '/ledger')];
	await reading;
	clock.increment(60_000);
	for (const {status, body} of await Promise.all(both)) {
		t.is(status, 503);
		t.like(body, {code: 'unavailable', retryable: false});
		t.regex((body as {detail: string}).detail, /more than 60 seconds\. Ask about a shorter stretch \(since, from\)/);
	}
});
