/** The search for loops whose node is gone. */
import test from 'ava';
import {SimulatedClock} from 'xstate';
import {Sweeper} from '../../../src/host/postgres/sweeper.ts';
import {settle} from '../../actors/fixtures.ts';

test('loops that cannot go on keep no others waiting, and are tried again after a minute', async t => {
	const clock = new SimulatedClock();
	const tried: string[] = [];
	const sweeper = new Sweeper({
		// A page of one.
		findLoops: async leftAlone => ['broken', 'whole'].filter(name => !leftAlone.includes(name)).slice(0, 1),
		async takeUp(name) {
			tried.push(name);
			if (name === 'broken') {
				throw new Error('of another model');
			}
		},
		random: () => 0,
		time: {now: () => clock.now(), elapsed: () => clock.now()},
		timers: clock,
		warn() {},
	});
	sweeper.sweep();
	await settle();
	clock.increment(2000);
	await settle();
	t.deepEqual(tried, ['broken', 'whole']);
	clock.increment(60_000);
	await settle();
	t.is(tried.at(-1), 'broken');
	await sweeper.close();
});
