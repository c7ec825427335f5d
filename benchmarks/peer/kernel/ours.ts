/** Our kernels through their port: rows are values, and each cycle returns a new one. */
import type {KernelName} from '../../../src/kernel/kernel.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {minimalAuthority} from '../../../src/semiosis/fixation.ts';
import {runCycle, type WorkingState} from '../../../src/semiosis/run-cycle.ts';
import {startVigilance} from '../../../src/semiosis/vigilance.ts';
import type {Work} from './lines.ts';
import {best, limit, pull, type Scene} from './scene.ts';

export const throughPort = (which: KernelName, {start, reference, inputs, directions, many}: Scene): Work => {
	const kernel = selectKernel(which);

	const cycles = (count: number) => {
		let {rows} = start;
		let drift = 0;
		for (let i = 1; ; i++) {
			const e = inputs[(i - 1) % inputs.length]!;
			const {cosines} = kernel.compare(rows, e);
			const {gaps, thirdness} = kernel.move(rows, e, pull, limit);
			const next = rows.with(2, thirdness);
			const {distances, perCycle} = kernel.drift(next, reference.rows, rows);
			drift += perCycle;
			rows = next;
			if (i === count) {
				return {thirdness, cosines, gaps: Object.values(gaps), distances, drift};
			}
		}
	};

	const withRules = (count: number): void => {
		const rules = {kernel, authority: minimalAuthority, reference};
		let working: WorkingState = {state: start, vigilance: startVigilance(kernel, start.rows, reference.rows)};
		for (let i = 0; i < count; i++) {
			working = runCycle(rules, working, {vector: inputs[i % inputs.length]!}, '');
		}
	};

	const profile = () => kernel.project([start.rows, reference.rows], directions);

	const nearest = (e: Float32Array) => kernel.nearest(e, many, best);

	return {
		runs: {
			cycle: cycles,
			rules: withRules,
			profile(count) {
				for (let i = 0; i < count; i++) {
					profile();
				}
			},
			nearest(count) {
				for (let i = 0; i < count; i++) {
					nearest(inputs[i % inputs.length]!);
				}
			},
		},
		results() {
			const found = nearest(inputs[0]!);
			return {...cycles(100), profile: profile().flat(), places: found.map(({place}) => place), near: found.map(({cosine}) => cosine)};
		},
	};
};
