import test from 'ava';
import {selectKernel} from '../../src/kernel/select.ts';
import {checkDrift, describePath, startVigilance, unchangedReport} from '../../src/semiosis/vigilance.ts';
import type {Rows} from '../../src/kernel/state-tensor.ts';
import {unit} from '../golden/read.ts';

const kernel = selectKernel('js');

const axis = (i: number): Float32Array => {
	const row = new Float32Array(1024);
	row[i] = 1;
	return row;
};

const home: Rows = Array.from({length: 8}, (_, d) => axis(d));

/** The home rows, some of them turned by an angle. */
const turned = (angles: Record<number, number>): Rows => home.map((row, d) => {
	const angle = angles[d] ?? 0;
	return angle === 0 ? row : unit(Float64Array.from(row, (value, i) => i === 100 + d ? Math.sin(angle) : value * Math.cos(angle)));
});

test('the first check counts no drift', t => {
	const {report} = startVigilance(kernel, turned({0: 1}), home);
	t.is(report.cumulativeDrift, 0);
	t.is(report.perCycle, 0);
});

test('two drifting dimensions are ok, three are a warning that names them, farthest first', t => {
	t.like(startVigilance(kernel, turned({0: 1, 1: 1}), home).report, {level: 'ok', message: null});
	const {level, message, top} = startVigilance(kernel, turned({0: 1, 3: 1.2, 7: 0.8}), home).report;
	t.is(level, 'warning');
	t.deepEqual(top, ['dispositions', 'firstness', 'valeurs']);
	t.is(message, '3 dimensions lie more than 5.00 % from the reference: dispositions, firstness, valeurs.');
});

test('the drift adds up in any direction, and passes the thresholds of warning and critical', t => {
	let vigilance = startVigilance(kernel, home, home);
	const levels: string[] = [];
	for (let i = 0; i < 13; i++) {
		// Back and forth: 0.005 of one row is 0.00177 of the whole.
		vigilance = checkDrift(kernel, vigilance, turned({2: i % 2 === 0 ? 0.005 : 0}), home);
		levels.push(vigilance.report.level);
	}

	t.deepEqual(levels, [...Array.from({length: 5}, () => 'ok'), ...Array.from({length: 6}, () => 'warning'), 'critical', 'critical']);
	t.regex(vigilance.report.message!, /drifted 2\.30 % in all, over the critical 2\.00 %/);
});

test('one large step is a warning, until a report without movement', t => {
	const vigilance = checkDrift(kernel, startVigilance(kernel, home, home), turned({2: 0.02}), home);
	t.is(vigilance.report.level, 'warning');
	t.regex(vigilance.report.message!, /One cycle moved the state by 0\.71 %/);
	t.like(unchangedReport(vigilance), {level: 'ok', message: null, cumulativeDrift: vigilance.report.cumulativeDrift});
});

test('the distance from a zero reference is 1', t => {
	const {distances} = startVigilance(kernel, home, home.map(() => new Float32Array(1024))).report;
	t.deepEqual([...distances], Array.from({length: 8}, () => 1));
});

test('a path that leads back has its full length, and a net distance of 0', t => {
	let check = startVigilance(kernel, home, home);
	for (const angle of [0.3, 0, 0.3, 0]) {
		check = checkDrift(kernel, check, turned({2: angle}), home);
	}

	t.is(describePath(kernel, check, home, 4), 'Path travelled 42.3 % in 4 cycles; net distance 0.0 %.');
	check = checkDrift(kernel, check, turned({2: 0.3}), home);
	t.is(describePath(kernel, check, home, 1005), 'Path travelled 52.8 % in 1,005 cycles; net distance 10.6 %.');
	t.is(describePath(kernel, startVigilance(kernel, home, home, 0.001), home, 1), 'Path travelled 0.1 % in 1 cycle; net distance 0.0 %.');
});
