/** Live identities: each is opened at a request, and closed when it is idle or its place is needed. */
import test from 'ava';
import {SimulatedClock} from 'xstate';
import {BusyError, UnavailableError} from '../../src/platform/errors.ts';
import {LiveIdentities, type LiveIdentitiesOptions} from '../../src/host/live-identities.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';

const kernel = selectKernel();

/** Live identities in memory, with a simulated clock. */
const start = (options: Partial<LiveIdentitiesOptions> = {}) => {
	const clock = new SimulatedClock();
	const opened: string[] = [];
	const warnings: string[] = [];
	const live = new LiveIdentities({
		async open(name) {
			opened.push(name);
			return (await startIdentity({kernel})).identity;
		},
		maxLive: 3,
		idleMs: 1000,
		time: {now: () => clock.now(), elapsed: () => clock.now()},
		timers: clock,
		warn(warning) {
			warnings.push(warning);
		},
		...options,
	});
	return {live, clock, opened, warnings};
};

test('an identity is opened once, and returned without a promise from then on', async t => {
	const {live, opened} = start();
	const [first, second] = await Promise.all([live.get('ada'), live.get('ada')]);
	t.is(first, second);
	t.is(live.get('ada'), first);
	t.deepEqual(opened, ['ada']);
	t.deepEqual(live.names(), ['ada']);
	await live.dispose();
});

test('an identity that cannot be opened is tried again at the next request', async t => {
	let attempts = 0;
	const {live} = start({
		async open() {
			attempts++;
			if (attempts === 1) {
				throw new Error('no disk');
			}

			return (await startIdentity({kernel})).identity;
		},
	});
	await t.throwsAsync(async () => live.get('ada'), {message: 'no disk'});
	await t.notThrowsAsync(async () => live.get('ada'));
	await live.dispose();
});

test('an idle identity is closed after the idle time, and reopened at the next request', async t => {
	const {live, clock, opened} = start();
	const identity = await live.get('ada');
	clock.increment(900);
	t.is(live.get('ada'), identity);
	clock.increment(900);
	t.deepEqual(live.names(), ['ada']);
	clock.increment(600);
	t.deepEqual(live.names(), []);
	t.not(await live.get('ada'), identity);
	t.deepEqual(opened, ['ada', 'ada']);
	await live.dispose();
});

test('an identity that is kept, or whose events are listened to or read, is not closed', async t => {
	const {live, clock} = start({kept: 'kept', maxLive: 9});
	const names = ['kept', 'heard', 'read', 'idle'];
	const [, heard, read] = await Promise.all(names.map(async name => live.get(name))) as LocalIdentity[];
	heard!.on('*', () => {});
	const reading = new AbortController();
	const next = read!.events({signal: reading.signal}).next();
	await settle();
	clock.increment(10_000);
	t.deepEqual(live.names().toSorted(), ['heard', 'kept', 'read']);
	reading.abort();
	await t.throwsAsync(next);
	clock.increment(10_000);
	t.deepEqual(live.names().toSorted(), ['heard', 'kept']);
	await live.dispose();
});

test('an identity whose loop runs is closed between two cycles, and onEvict can see when the next is due', async t => {
	const {identity, encoder, clock: loopClock} = await startIdentity({kernel, random: () => 0});
	const evicted: Array<[string, number | null]> = [];
	const {live, clock} = start({open: async () => identity, onEvict: (name, {untilCycle}) => evicted.push([name, untilCycle()])});
	const held = encoder.hold('r0');
	await live.get('ada');
	await identity.daemon.start();
	loopClock.increment(864_000);
	clock.increment(10_000);
	t.deepEqual(live.names(), ['ada'], 'its cycle is under way');
	held.resolve();
	await settle();
	loopClock.increment(4000);
	clock.increment(10_000);
	t.deepEqual(live.names(), []);
	t.deepEqual(evicted, [['ada', 860_000]]);
	await live.dispose();
});

test('an idle identity is closed when what onEvict returns is settled', async t => {
	const written = Promise.withResolvers<void>();
	const {live, clock} = start({onEvict: () => written.promise});
	const identity = await live.get('ada');
	clock.increment(10_000);
	await settle();
	t.deepEqual([live.names(), live.placed(), identity.actor.getSnapshot().status], [[], ['ada'], 'active']);
	written.resolve();
	await settle();
	t.deepEqual([live.placed(), identity.actor.getSnapshot().status], [[], 'done']);
	await live.dispose();
});

test('an identity that waits for its model is not closed', async t => {
	const {identity, encoder} = await startIdentity({kernel});
	const {live, clock} = start({open: async () => identity});
	const held = encoder.hold('a long text');
	await live.get('ada');
	const cycle = identity.cycle('a long text');
	clock.increment(10_000);
	t.deepEqual(live.names(), ['ada']);
	held.resolve();
	await cycle;
	clock.increment(10_000);
	t.deepEqual(live.names(), []);
	await live.dispose();
});

test('at the limit, the least recently used identity is closed for another', async t => {
	const {live, clock} = start();
	for (const name of ['a', 'b', 'c']) {
		await live.get(name);
		clock.increment(1);
	}

	await live.get('a');
	await live.get('d');
	t.deepEqual(live.names().toSorted(), ['a', 'c', 'd']);
	await live.dispose();
});

test('an identity that was returned is not closed before its call is done, even under concurrent requests', async t => {
	const {live} = start({maxLive: 2});
	const say = async (name: string) => (await live.get(name)).cycle(`I am ${name}.`);
	const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c', 'b', 'd', 'e'].map(async name => say(name)));
	for (const outcome of outcomes) {
		t.true(outcome.status === 'fulfilled' || outcome.reason instanceof BusyError, String((outcome as PromiseRejectedResult).reason));
	}

	t.true(live.names().length <= 2);
	await live.dispose();
});

test('if no identity is idle, no further one is opened', async t => {
	const {live} = start({maxLive: 1});
	const identity = await live.get('a');
	const unsubscribe = identity.on('*', () => {});
	await t.throwsAsync(async () => live.get('b'), {instanceOf: BusyError, message: /^The limit of live identities \(1\) is reached/});
	unsubscribe();
	await t.notThrowsAsync(async () => live.get('b'));
	t.deepEqual(live.names(), ['b']);
	await live.dispose();
});

test('an identity that always has work is closed for another after its turn, and its accepted work is done', async t => {
	const {identity, encoder} = await startIdentity({kernel});
	let isFirst = true;
	const {live, clock} = start({
		maxLive: 1,
		async open() {
			const opened = isFirst ? identity : (await startIdentity({kernel})).identity;
			isFirst = false;
			return opened;
		},
	});
	const held = encoder.hold('It takes long.');
	await live.get('loud');
	const cycle = identity.cycle('It takes long.');
	await t.throwsAsync(async () => live.get('quiet'), {instanceOf: BusyError}, 'it has not had its turn');
	clock.increment(1000);
	const opening = live.get('quiet') as Promise<LocalIdentity>;
	await settle();
	held.resolve();
	await t.notThrowsAsync(cycle);
	await t.notThrowsAsync((await opening).cycle('At last.'));
	t.deepEqual(live.names(), ['quiet']);
	await live.dispose();
});

test('an identity whose process ends while it makes room is closed all the same', async t => {
	const {identity, encoder} = await startIdentity({kernel});
	const ending = {...identity, drain: async () => Promise.reject(new Error('The process has ended.'))};
	const {live, clock} = start({
		maxLive: 1, open: async name => name === 'loud' ? ending : (await startIdentity({kernel})).identity,
	});
	encoder.hold('It takes long.');
	await live.get('loud');
	const cycle = identity.cycle('It takes long.');
	clock.increment(1000);
	await Promise.all([t.throwsAsync(cycle), t.notThrowsAsync(async () => live.get('quiet'))]);
	t.not(identity.actor.getSnapshot().status, 'active');
	t.deepEqual(live.names(), ['quiet']);
	await live.dispose();
});

test('an identity whose events are listened to is never closed for another', async t => {
	const {live, clock} = start({maxLive: 1});
	const identity = await live.get('heard');
	identity.on('*', () => {});
	clock.increment(900);
	await t.throwsAsync(async () => live.get('other'), {instanceOf: BusyError});
	clock.increment(5000);
	await t.throwsAsync(async () => live.get('other'), {instanceOf: BusyError});
	await live.dispose();
});

test('an unread event stream does not keep an identity live', async t => {
	const {live, clock} = start();
	const identity = await live.get('ada');
	const unread = identity.events();
	clock.increment(10_000);
	t.deepEqual(live.names(), []);
	await unread.return();
	await live.dispose();
});

test('an identity that a caller disposed of is opened again', async t => {
	const {live, opened} = start();
	const identity = await live.get('ada');
	await identity.dispose();
	t.deepEqual(live.names(), []);
	await (await live.get('ada')).cycle('I am here.');
	t.deepEqual(opened, ['ada', 'ada']);
	await live.dispose();
});

test('requests wait while an identity is closed, until its callback has run', async t => {
	const {live} = start();
	const identity = await live.get('ada');
	const cycle = identity.cycle('It is accepted.');
	const steps: string[] = [];
	const closed = live.close('ada', async () => {
		steps.push('moved');
	});
	const again = (async () => {
		await live.get('ada');
		steps.push('opened');
	})();
	await Promise.all([closed, again, t.notThrowsAsync(cycle)]);
	t.deepEqual(steps, ['moved', 'opened']);
	await live.dispose();
});

test('an identity returned before it is closed can be called in the same turn of the event loop', async t => {
	const {live} = start();
	const identity = await live.get('ada');
	const closed = live.close('ada', async () => {});
	for (let i = 0; i < 100; i++) {
		await Promise.resolve();
	}

	await t.notThrowsAsync(identity.cycle('It was given.'));
	await closed;
	await live.dispose();
});

test('draining finishes accepted work, and opens nothing more', async t => {
	const {live} = start();
	const identity = await live.get('ada');
	const cycle = identity.cycle('It is accepted.');
	const opening = live.get('ben');
	await live.drain();
	await t.notThrowsAsync(cycle);
	await t.notThrowsAsync(async () => opening);
	t.throws(() => live.get('eve'), {instanceOf: UnavailableError});
	await t.throwsAsync(identity.cycle('It is late.'), {instanceOf: UnavailableError});
	await live.dispose();
	t.deepEqual(live.names(), []);
});

test('if an identity cannot be drained, a warning says so, and the others are drained', async t => {
	const drained: string[] = [];
	const {live, warnings} = start({
		async drain(identity) {
			if (identity === broken) {
				throw new Error('the disk is gone');
			}

			await settle();
			drained.push('ben');
		},
	});
	const broken = await live.get('ada');
	await live.get('ben');
	await live.drain();
	t.deepEqual(drained, ['ben']);
	t.deepEqual(warnings, ['The identity “ada” could not be drained: the disk is gone']);
	await live.dispose();
});

test('an identity that is opening while all are disposed of leaves no timer', async t => {
	const timers = new Set<unknown>();
	const {live} = start({
		timers: {
			setTimeout(_callback, milliseconds) {
				const timer = {milliseconds};
				timers.add(timer);
				return timer;
			},
			clearTimeout(timer) {
				timers.delete(timer);
			},
		},
	});
	const opening = live.get('ada');
	await live.dispose();
	await opening;
	t.is(timers.size, 0);
});

test('if an identity cannot be closed, a warning says so, and it can be reopened', async t => {
	let made = 0;
	const {live, clock, warnings} = start({
		async open() {
			const {identity} = await startIdentity({kernel});
			made++;
			return made > 1 ? identity : {...identity, async dispose() {
				await identity.dispose();
				throw new Error('the disk is gone');
			}};
		},
	});
	await live.get('ada');
	clock.increment(2000);
	await t.notThrowsAsync(async () => live.get('ada'));
	t.deepEqual(warnings, ['The identity “ada” could not be closed: the disk is gone']);
	await live.dispose();
});
