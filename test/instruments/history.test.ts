/** How far thirdness went, against independent numbers; and what the history says beside it. */
import test from 'ava';
import {HistoryTrace, sampleEvenly} from '../../src/instruments/history.ts';
import {percentileAmong} from '../../src/instruments/percentile.ts';
import {composeLedger} from '../../src/instruments/ledger.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {liveThrough, unitVector} from './lives.ts';

const kernel = selectKernel();

const historyOf = ({rows, cycles}: ReturnType<typeof liveThrough>) => {
	const history = new HistoryTrace(rows);
	return [history.first, ...cycles.map(cycle => history.follow(cycle))];
};

for (const golden of casesOf<{rows: VectorSpec[]; texts: VectorSpec[]}>('displacement')) {
	test(`net and path are those of an independent program: ${golden.id}, ${golden.note}`, t => {
		const {netMrad, pathMrad} = historyOf(
			liveThrough(kernel, golden.input.rows.map(vectorFrom), golden.input.texts.map(vectorFrom)),
		).at(-1)!;
		matchesCase(t, golden, {net_mrad: netMrad, path_mrad: pathMrad, straightness: netMrad / pathMrad});
	});
}

for (const golden of casesOf<{past: number[]; value: number; least: number}>('percentile')) {
	test(`a percentile is that of an independent program: ${golden.id}, ${golden.note}`, t => {
		const {past, value, least} = golden.input;
		matchesCase(t, golden, {percentile: percentileAmong(past, value, least)});
	});
}

test('beginning and push are those of the ledger at each state', t => {
	const rows = Array.from({length: 8}, (_, d) => unitVector(d));
	const life = liveThrough(kernel, rows, Array.from({length: 60}, (_, k) => unitVector(100 + k, 512)));
	for (const [cycles, {beginningLeft, push}] of historyOf(life).entries()) {
		const {beginningLeft: left, entries} = composeLedger({...life, texts: life.texts.slice(0, cycles)}, {by: 'source', limit: 20});
		t.true(Math.abs(beginningLeft - left) < 1e-12);
		t.true(Math.abs(push - entries[1]!.weight) < 1e-12);
	}
});

test('dissonance has a percentile after fifty texts, and the first state has none', t => {
	const rows = Array.from({length: 8}, (_, d) => unitVector(d));
	const history = historyOf(liveThrough(kernel, rows, Array.from({length: 52}, (_, k) => unitVector(100 + k))));
	t.deepEqual(history.map(({dissonance}) => dissonance === null), [true, ...Array<boolean>(52).fill(false)]);
	t.deepEqual(history.map(({dissonancePercentile}) => dissonancePercentile !== null), [...Array<boolean>(51).fill(false), true, true]);
});

test('a sample has the first and the last item, and no more than it was asked for', t => {
	const items = Array.from({length: 1001}, (_, i) => i);
	t.deepEqual(sampleEvenly(items, 5), [0, 250, 500, 750, 1000]);
	t.deepEqual(sampleEvenly([1, 2, 3], 5), [1, 2, 3]);
});
