/** Metrics: counts, alerts and status of the last hour. */
import test from 'ava';
import {Metrics} from '../../src/actors/metrics.ts';
import type {Level} from '../../src/semiosis/vigilance.ts';

const start = () => {
	let elapsed = 0;
	const metrics = new Metrics({now: () => 0, elapsed: () => elapsed});
	return {
		metrics,
		wait(seconds: number) {
			elapsed += seconds * 1000;
		},
		cycle(level: Level = 'ok') {
			metrics.recordCycle(level);
		},
	};
};

test('cycles are counted in total and over the last hour', t => {
	const {metrics, wait, cycle} = start();
	cycle();
	wait(3000);
	cycle();
	t.like(metrics.read(), {totalCycles: 2, cyclesLastHour: 2});
	wait(700);
	t.like(metrics.read(), {totalCycles: 2, cyclesLastHour: 1});
	wait(3600);
	t.like(metrics.read(), {totalCycles: 2, cyclesLastHour: 0});
});

const status = test.macro({
	exec(t, levels: Level[], expected: string) {
		const {metrics, cycle} = start();
		for (const level of levels) {
			cycle(level);
		}

		t.is(metrics.read().status, expected as 'healthy');
	},
	title: (_, levels: Level[], expected: string) => `the status after ${levels.join(', ') || 'no cycle'} is ${expected}`,
});

test(status, [], 'healthy');
test(status, ['ok', 'warning', 'warning'], 'healthy');
test(status, ['warning', 'warning', 'warning'], 'warning');
test(status, ['critical'], 'critical');
test(status, ['warning', 'warning', 'warning', 'critical'], 'critical');

test('alerts expire after an hour', t => {
	const {metrics, wait, cycle} = start();
	cycle('critical');
	cycle('warning');
	t.deepEqual(metrics.read().alerts, {critical: 1, warning: 1});
	wait(3602);
	t.deepEqual(metrics.read().alerts, {critical: 0, warning: 0});
	t.is(metrics.read().status, 'healthy');
});

test('a reset clears the counts and the uptime', t => {
	const {metrics, wait, cycle} = start();
	cycle('critical');
	wait(7200);
	t.is(metrics.read().uptimeHours, 2);
	metrics.reset();
	wait(1800);
	t.like(metrics.read(), {uptimeHours: 0.5, totalCycles: 0, cyclesLastHour: 0, status: 'healthy'});
});

test('many cycles a second are counted in total and over the last hour', t => {
	const {metrics, wait, cycle} = start();
	for (let second = 0; second < 4000; second++) {
		for (let i = 0; i < 50; i++) {
			cycle();
		}

		wait(1);
	}

	const {totalCycles, cyclesLastHour} = metrics.read();
	t.is(totalCycles, 200_000);
	t.is(cyclesLastHour, 180_000);
});
