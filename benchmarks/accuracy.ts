/**
 * The worst error of each kernel against the golden float64 numbers, and the tolerance.
 *
 * Not measured: decisions within float32's rounding of a threshold, and the state held in
 * float64, which the service never does.
 */
import {selectKernel} from '../src/kernel/select.ts';
import {measureDissonance} from '../src/semiosis/dissonance.ts';
import {applyFixation, fixate, minimalAuthority} from '../src/semiosis/fixation.ts';
import {runCycle, type WorkingState} from '../src/semiosis/run-cycle.ts';
import {startVigilance} from '../src/semiosis/vigilance.ts';
import {StateTensor} from '../src/kernel/state-tensor.ts';
import type {CycleCase, Trajectory} from '../test/golden/cases.ts';
import {expected, read, stateNamed, unit, vector, worst} from '../test/golden/read.ts';
import {trajectoryInputs} from '../test/golden/trajectory-inputs.ts';

const {cases} = read<{cases: CycleCase[]}>('cycles.json');
const trajectory = read<Trajectory>('trajectory.json');

const relative = (value: number, golden: number): number => golden === 0 ? Math.abs(value) : Math.abs(value / golden - 1);

const errorsOf = (name: 'wasm' | 'js') => {
	const kernel = selectKernel(name);
	const errors = {'score': 0, 'total': 0, 'delta_magnitude (relative)': 0, 'thirdness, one cycle': 0, 'thirdness after 500 cycles': 0, 'cumulative drift over 500 cycles (relative)': 0};
	const note = (what: keyof typeof errors, error: number) => {
		errors[what] = Math.max(errors[what], error);
	};

	for (const {state, input, normalise_input: normalise, articles = [], anchors = [], corroborating = [], float32_may_flip: flips = [], expect} of cases) {
		const {rows} = stateNamed(state);
		const e = normalise ? unit(vector(input)) : vector(input);
		const {scores, total, comparison} = measureDissonance(kernel, rows, e);
		note('score', worst(scores, expect.scores));
		note('total', Math.abs(total - expect.dissonance_total));
		if (flips.includes('tenacity') || flips.includes('apriori')) {
			continue;
		}

		const authority = {articles: articles.map(({vector: index, critical}) => ({vector: vector(index), critical})), anchors: anchors.map(vector)};
		const fixation = fixate(kernel, e, comparison, authority, corroborating.map(index => index === null ? null : vector(index)));
		const applied = applyFixation(kernel, new StateTensor(0, '', rows), e, fixation, '');
		note('delta_magnitude (relative)', relative(applied.deltaMagnitude, expect.delta_magnitude));
		note('thirdness, one cycle', worst(applied.state.row('thirdness'), expected(expect.thirdness)));
	}

	const {rows} = stateNamed(trajectory.state);
	const reference = new StateTensor(-1, '', stateNamed(trajectory.x_ref).rows);
	const start = (state: StateTensor): WorkingState => ({state, vigilance: startVigilance(kernel, state.rows, reference.rows)});
	let working = start(new StateTensor(0, '', rows));
	for (const [k, e] of trajectoryInputs(rows, 500).entries()) {
		const {measures: {scores, total, deltaMagnitude}, ...next} = runCycle({kernel, authority: minimalAuthority, reference}, working, {vector: e}, '');
		// The golden drift counts from the first check, which is after the first cycle.
		working = k === 0 ? start(next.state) : next;
		note('score', worst(scores, trajectory.scores[k]!));
		note('total', Math.abs(total - trajectory.dissonance_total[k]!));
		note('delta_magnitude (relative)', relative(deltaMagnitude, trajectory.delta_magnitude[k]!));
		note('cumulative drift over 500 cycles (relative)', relative(working.vigilance.report.cumulativeDrift, trajectory.cumulative_drift[k]!));
	}

	note('thirdness after 500 cycles', worst(working.state.row('thirdness'), expected(trajectory.checkpoints[500]!)));
	return errors;
};

const tolerances: Record<string, string> = {'score': '2e-6', 'total': '2e-6', 'delta_magnitude (relative)': '1e-5', 'thirdness, one cycle': '1e-7', 'thirdness after 500 cycles': '—', 'cumulative drift over 500 cycles (relative)': '1e-4'};
const [wasm, js] = [errorsOf('wasm'), errorsOf('js')];

console.log('| worst error | wasm | js | tolerance |\n|---|---|---|---|');
for (const what of Object.keys(wasm) as Array<keyof typeof wasm>) {
	console.log(`| ${what} | ${wasm[what].toExponential(1)} | ${js[what].toExponential(1)} | ${tolerances[what]} |`);
}
