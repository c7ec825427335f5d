import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {SimulatedClock} from 'xstate';
import {DueRunner, nextCycle} from '../../src/host/due-runner.ts';
import {DueTimes} from '../../src/host/due-times.ts';
import {BusyError} from '../../src/platform/errors.ts';

test('without room, an identity that is due is tried once at each check', async t => {
	const clock = new SimulatedClock();
	const queue = new DueTimes({elapsed: () => clock.now()});
	const names = Array.from({length: 40}, (_, i) => `loop-${i}`);
	for (const name of names) {
		queue.add(name, 0);
	}

	const tried: string[] = [];
	const runner = new DueRunner({
		...nextCycle, queue, maxLive: 40, timers: clock, warn() {},
		async open(name) {
			tried.push(name);
			await nextTurn();
			throw new BusyError('No place is free.', 1);
		},
	});
	t.teardown(async () => runner.close());
	runner.wake();
	for (const expected of [16, 32, 48]) {
		for (let turn = 0; turn < 100; turn++) {
			await nextTurn();
		}

		t.is(tried.length, expected);
		clock.increment(1000);
	}

	t.deepEqual(tried.slice(0, 40), names, 'in turn');
});
