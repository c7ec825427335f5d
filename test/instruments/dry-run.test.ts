/** Dry runs agree with golden numbers. */
import test from 'ava';
import {runDry} from '../../src/instruments/dry-run.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {affectedDimensions} from '../../src/semiosis/dissonance.ts';
import {minimalAuthority, type Authority} from '../../src/semiosis/fixation.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

type DryRun = {
	rows: VectorSpec[]; text: VectorSpec; directions: VectorSpec[];
	authority?: {articles: Array<{vector: VectorSpec; critical: boolean}>; anchors: VectorSpec[]};
};

const authorityFrom = (authority: DryRun['authority']): Authority => authority
	? {
		articles: authority.articles.map(({vector, critical}) => ({vector: vectorFrom(vector), critical})),
		anchors: authority.anchors.map(vectorFrom),
	}
	: minimalAuthority;

for (const name of ['wasm', 'js'] as const) {
	for (const golden of casesOf<DryRun>('dry_run')) {
		test(`${name}: ${golden.id}, ${golden.note}`, t => {
			const initial = new StateTensor(0, timestamp, golden.input.rows.map(vectorFrom));
			const rules = {kernel: selectKernel(name), authority: authorityFrom(golden.input.authority), reference: initial, initial};
			const directions = golden.input.directions.map(
				(vector, i) => ({name: `d${i}`, category: 'golden', polePositive: '', poleNegative: '', vector: vectorFrom(vector)}),
			);
			const {step: {measures}, turnMrad, moves} = runDry(
				rules, startReplay(rules), {vector: vectorFrom(golden.input.text)}, timestamp, directions,
			);
			const changes = new Map(moves.map(({key, change}) => [key, change]));
			matchesCase(t, golden, {
				scores: measures.scores,
				total: measures.total,
				is_choc: measures.choc,
				affected: affectedDimensions(measures.scores),
				delta_magnitude: measures.deltaMagnitude,
				contributions: measures.contributions,
				turn_mrad: turnMrad,
				moves: directions.map(({name: direction}) => changes.get(`golden.${direction}`)),
			});
		});
	}
}
