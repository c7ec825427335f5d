/** Histories for the tests of the instruments: texts that are run through cycles, without a journal. */
import {minimalAuthority, type Authority} from '../../src/semiosis/fixation.ts';
import {runCycle} from '../../src/semiosis/run-cycle.ts';
import {startVigilance} from '../../src/semiosis/vigilance.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {dot} from '../../src/kernel/dot.ts';
import type {HistoryCycle} from '../../src/instruments/history.ts';
import type {UnrolledHistory, LedgerText} from '../../src/instruments/ledger.ts';
import {unrollFrom, type MeasuredCycle} from '../../src/instruments/unroll.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import {mulberry32} from '../actors/fixtures.ts';

type Options = {authority?: Authority | undefined; corroborating?: Float32Array[] | undefined};

/** Runs texts through cycles. @returns what a ledger and a history need of them */
export const runTexts = (
	kernel: Kernel, rows: Float32Array[], vectors: Float32Array[],
	{authority = minimalAuthority, corroborating}: Options = {},
) => {
	const initial = new StateTensor(0, '2026-01-01T00:00:00.000Z', rows);
	const follow = unrollFrom(rows);
	let working = {state: initial, vigilance: startVigilance(kernel, rows, rows)};
	const measured: MeasuredCycle[] = [];
	const cycles: HistoryCycle[] = [];
	const texts = vectors.map((vector, k): LedgerText => {
		const {measures, fixation, ...after} = runCycle(
			{kernel, authority, reference: initial}, working, {vector, corroborating}, initial.timestamp,
		);
		working = after;
		measured.push({vector, scores: measures.scores, proposals: fixation});
		const factors = follow(measured[k]!);
		cycles.push({factors, total: measures.total, thirdness: after.state.row('thirdness')});
		return {
			id: `${k}`, timestamp: initial.timestamp, source: `source ${k % 3}`, trigger: 'user', content: `text ${k}`, projection: 0, factors,
		};
	});
	const on = (direction: Float32Array): UnrolledHistory => ({
		rows, direction, texts: texts.map((text, k) => ({...text, projection: dot(vectors[k]!, direction)})),
	});
	return {rows, texts, direction: null, vectors, measured, cycles, on, end: working.state.row('thirdness')};
};

/** A seeded unit vector. */
export const unitVector = (seed: number, width = 1024): Float32Array => {
	const random = mulberry32(seed);
	const drawn = new Float32Array(1024);
	for (let i = 0; i < width; i++) {
		drawn[i] = random() - 0.5;
	}

	return normalise(drawn);
};
