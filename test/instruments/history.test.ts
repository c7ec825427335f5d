/** The displacement of a history agrees with an independent program, and its other values with the ledger. */
import test from 'ava';
import {HistoryTrace, sampleEvenly} from '../../src/instruments/history.ts';
import {composeLedger} from '../../src/instruments/ledger.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {runTexts, unitVector} from './run-texts.ts';

const kernel = selectKernel();

const historyOf = ({rows, cycles}: ReturnType<typeof runTexts>) => {
	const history = new HistoryTrace(rows);
	return [history.first, ...cycles.map(cycle => history.follow(cycle))];
};

for (const golden of casesOf<{rows: VectorSpec[]; texts: VectorSpec[]}>('displacement')) {
	test(`net displacement and path length agree with an independent program: ${golden.id}, ${golden.note}`, t => {
		const {netMrad, pathMrad} = historyOf(
			runTexts(kernel, golden.input.rows.map(vectorFrom), golden.input.texts.map(vectorFrom)),
		).at(-1)!;
		matchesCase(t, golden, {net_mrad: netMrad, path_mrad: pathMrad, straightness: netMrad / pathMrad});
	});
}

test('at each state the history has the same beginning and push as the ledger', t => {
	const rows = Array.from({length: 8}, (_, d) => unitVector(d));
	const run = runTexts(kernel, rows, Array.from({length: 60}, (_, k) => unitVector(100 + k, 512)));
	for (const [cycles, {beginningLeft, push}] of historyOf(run).entries()) {
		const {beginningLeft: left, entries} = composeLedger({...run, texts: run.texts.slice(0, cycles)}, {by: 'source', limit: 20});
		t.true(Math.abs(beginningLeft - left) < 1e-12);
		t.true(Math.abs(push - entries[1]!.weight) < 1e-12);
	}
});

test('the first state has no dissonance, and percentiles of dissonance begin after fifty texts', t => {
	const rows = Array.from({length: 8}, (_, d) => unitVector(d));
	const history = historyOf(runTexts(kernel, rows, Array.from({length: 52}, (_, k) => unitVector(100 + k))));
	t.deepEqual(history.map(({dissonance}) => dissonance === null), [true, ...Array<boolean>(52).fill(false)]);
	t.deepEqual(history.map(({dissonancePercentile}) => dissonancePercentile !== null), [...Array<boolean>(51).fill(false), true, true]);
});

test('a sample has the first and the last item, and at most the requested number', t => {
	const items = Array.from({length: 1001}, (_, i) => i);
	t.deepEqual(sampleEvenly(items, 5), [0, 250, 500, 750, 1000]);
	t.deepEqual(sampleEvenly([1, 2, 3], 5), [1, 2, 3]);
});
