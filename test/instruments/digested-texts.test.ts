/** A replay of the texts in a digest equals a replay of their records. */
import test from 'ava';
import type {StoredCycle} from '../../src/journal/journal.ts';
import {width} from '../../src/kernel/dimensions.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {decodeDigest, digestLength, pulls, runDigest, textsOf} from '../../src/instruments/digest.ts';
import {replay} from '../helpers/replay.ts';
import {startReplay, type ReplayText} from '../../src/instruments/replay.ts';
import {sourceOf} from '../../src/instruments/source-of.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import {minimalAuthority, proposalsOf} from '../../src/semiosis/fixation.ts';
import {asStored} from '../../src/journal/memory-journal.ts';
import {cycle, range} from '../journal/records.ts';
import {unitVector} from './run-texts.ts';

const initial = new StateTensor(0, '2026-01-01T00:00:00.000Z', Array.from({length: 8}, (_, d) => unitVector(8000 + d)));
const rules = {kernel: selectKernel(), authority: minimalAuthority, reference: initial, initial};
const random = mulberry32(5);

/** Texts with different proposals, a third of them by the identity. */
const inputs = range(1, digestLength).map(seq => ({
	...cycle(seq), metadata: {source: ['Ann', 'Bé', 'self'][seq % 3]!}, vector: unitVector(seq, 300),
	proposals: {
		authority: {coefficient: random() - 0.5, from: pulls[seq % 3]!},
		science: {coefficient: random() / 3, from: pulls[Math.floor(random() * 3)]!},
	},
}));

const recordsOf = (): StoredCycle[] => {
	const records: StoredCycle[] = [];
	replay(rules, startReplay(rules), inputs, ({state, measures, fixation}, text) => {
		records.push(asStored({
			...text, ...measures, proposals: proposalsOf(fixation), stateId: state.stateId, thirdness: state.row('thirdness').slice(),
		}) as StoredCycle);
	});
	return records;
};

const records = recordsOf();
const running = runDigest({rules, seq: 0, start: startReplay(rules)}, null);
running.take(records.map((record, i) => ({seq: i + 1, record})));
const digest = decodeDigest(running.answer()[0]!);
const vectors = Float32Array.from(inputs.flatMap(({vector}) => [...vector]));

test('without one source, a replay of digested texts reaches the same state as a replay of the records, bit for bit', t => {
	const others = [...textsOf(digest, vectors)!].filter(({source}) => source !== 'Ann');
	const expected = records.filter(record => sourceOf(record) !== 'Ann');
	t.deepEqual(others.map(({source, isOwn, time}) => [source, isOwn, time]), expected.map(record =>
		[sourceOf(record), sourceOf(record) === 'self', Date.parse(record.timestamp)]));
	const after = (texts: readonly ReplayText[]) => replay(rules, startReplay(rules), texts).state.row('thirdness');
	t.deepEqual(after(others), after(expected));
});

test('textsOf returns null if the vectors are not those of the digest', t => {
	const changed = vectors.slice();
	changed[width] = -changed[width]!;
	t.is(textsOf(digest, changed), null);
	t.is(textsOf(digest, vectors.subarray(width)), null);
});
