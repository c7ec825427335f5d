/** Ledger, history and difference of an identity's records, with sources, resets and compaction. */
import test from 'ava';
import {describeDifference, toQuestion} from '../../src/instruments/describe-difference.ts';
import {describeLedger} from '../../src/instruments/describe-ledger.ts';
import {dot, turnMrad} from '../../src/kernel/dot.ts';
import type {Instrument} from '../../src/instruments/instrument.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import {completeHistory, runHistory, type SketchedHistory} from '../../src/instruments/history.ts';
import {runLedger} from '../../src/instruments/run-ledger.ts';
import type {JournalEntry, StoredRecord} from '../../src/journal/journal.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {nameMoment} from '../../src/platform/clock.ts';
import {pattern} from '../helpers/pattern.ts';

const kernel = selectKernel();
const direction = vectorOf('a direction');

type Input = string | {content: string; trigger?: string; metadata?: Record<string, unknown>} | 'reset';

/** Runs texts through an identity, a minute apart. */
const runTexts = async (...texts: Input[]) => {
	const journal = new FakeJournal();
	const {identity, clock} = await startIdentity({journal});
	for (const text of texts) {
		clock.increment(60_000);
		await (text === 'reset' ? identity.reset() : identity.cycle(text));
	}

	const entries = await journal.read(1, 1000);
	const {initial, reference} = journal.genesis!;
	await identity.dispose();
	const rules = {kernel, authority: minimalAuthority, initial, reference};
	const ask = <Question, Answer>(
		instrument: Instrument<Question, Answer>, question: Question, records = entries,
		start = {rules, seq: 0, start: startReplay(rules)},
	): Answer => {
		const running = instrument(start, question);
		// In pages, as a journal is read.
		running.take(records.slice(0, 2));
		running.take(records.slice(2));
		return running.answer();
	};
	/** The state after some of the records. */
	const stateAfter = (seq: number) => {
		const record = entries[seq - 1]?.record as Extract<StoredRecord, {kind: 'cycle'}> | undefined;
		return record ? new StateTensor(record.stateId, record.timestamp, initial.rows.with(2, record.thirdness)) : initial;
	};
	return {entries, rules, ask, stateAfter};
};

/** Completes a history without digests, which reads no record. */
const whole = async (history: SketchedHistory) => completeHistory(history, null, async seq => {
	throw new RangeError(`record ${seq} is read`);
});

const byAda = (content: string) => ({content, metadata: {source: 'Ada'}});

test('a ledger by source has one entry per source, and the parts of its entries sum to the projection', async t => {
	const {ask, entries, stateAfter} = await runTexts(byAda('one'), 'two', byAda('three'), {content: 'four', trigger: 'veille'});
	const {entries: parts, ...ledger} = describeLedger(
		ask(runLedger, {by: ['source'], limit: 20, direction}), {by: 'source', direction: 'relational.trust'},
	);
	t.deepEqual(
		parts.map(({kind, key, texts}) => [kind, key, texts]).toSorted(),
		[['beginning', 'beginning', 0], ['push', 'push', 0], ['texts', 'Ada', 2], ['texts', 'user', 1], ['texts', 'veille', 1]],
	);
	t.like(
		ledger,
		{
			stateId: 4, by: 'source', direction: 'relational.trust', cycles: 4, note: null,
			from: {stateId: 0, timestamp: stateAfter(0).timestamp},
		},
	);
	t.true(Math.abs(parts.reduce((sum, {share}) => sum + share, 0) - 1) < 1e-12);
	t.true(Math.abs(parts.reduce((sum, {part}) => sum + part!, 0) - dot(stateAfter(entries.length).row('thirdness'), direction)) < 1e-7);
});

test('a ledger by text lists the largest texts, and the others as one entry', async t => {
	const {ask} = await runTexts('one', 'two', byAda('three'), 'four');
	const result = ask(runLedger, {by: ['text'], limit: 2, direction: vectorOf('three')});
	const {entries} = describeLedger(result, {by: 'text', direction: null});
	t.like(entries[2], {kind: 'text', key: '3', texts: 1, source: 'Ada', trigger: 'user', content: 'three'});
	t.like(entries.at(-1), {kind: 'others', key: 'others', texts: 2});
	t.is(entries.length, 5);
});

test('the entries of a ledger without a direction have no parts', async t => {
	const {ask} = await runTexts('one', 'two');
	const {value, entries} = describeLedger(ask(runLedger, {by: ['trigger'], limit: 20, direction: null}), {by: 'trigger', direction: null});
	t.is(value, null);
	t.deepEqual(entries.map(({key, part}) => [key, part]), [['beginning', null], ['push', null], ['user', null]]);
});

test('a ledger cuts texts to 1,000 characters', async t => {
	const {ask} = await runTexts('x'.repeat(5000));
	const {entries} = describeLedger(ask(runLedger, {by: ['text'], limit: 1, direction: null}), {by: 'text', direction: null});
	t.is(entries.at(-1)!.content, `${'x'.repeat(1000)}…`);
});

test('a ledger begins at the newest reset, and its note says so', async t => {
	const {ask, entries} = await runTexts('one', 'two', 'reset', 'three');
	const ledger = describeLedger(ask(runLedger, {by: ['text'], limit: 20, direction}), {by: 'text', direction: 'relational.trust'});
	t.like(ledger, {cycles: 1, from: {stateId: 0, timestamp: entries[2]!.record.timestamp}, note: 'The identity was reset on '
		+ `${nameMoment(entries[2]!.record.timestamp)}, 1 cycle ago: the ledger begins there.`});
	t.deepEqual(ledger.entries.map(({key}) => key), ['beginning', 'push', entries[3]!.record.id]);
	t.true(Math.abs(ledger.entries.reduce((sum, {part}) => sum + part!, 0) - ledger.value!) < 1e-7);
});

test('compacted records are one entry of the ledger, called before', async t => {
	const {ask, entries, stateAfter} = await runTexts('one', 'two', 'three', 'four');
	const {stateId, timestamp, rows} = stateAfter(2);
	const snapshot: JournalEntry = {
		seq: 2,
		record: {kind: 'snapshot', id: '2', timestamp, first: 1, checkpoint: null, state: {stateId, timestamp, thirdness: rows[2]!}},
	};
	const ledger = describeLedger(
		ask(runLedger, {by: ['text'], limit: 20, direction}, [snapshot, ...entries.slice(2)]), {by: 'text', direction: null},
	);
	t.like(ledger, {cycles: 2, from: {stateId: 2, timestamp}, note: 'Records up to state 2 are compacted: what they left of '
		+ 'the state is one entry, before.'});
	t.deepEqual(ledger.entries.map(({kind, key}) => [kind, key]).slice(0, 2), [['before', 'before'], ['push', 'push']]);
	t.true(Math.abs(ledger.entries.reduce((sum, {part}) => sum + part!, 0) - ledger.value!) < 1e-7);
});

test('a ledger since a moment begins with the state of that moment', async t => {
	const {ask, entries, rules, stateAfter} = await runTexts('one', 'two', 'three');
	const start = {rules, seq: 1, start: startReplay(rules, stateAfter(1))};
	const ledger = describeLedger(
		ask(runLedger, {by: ['text'], limit: 20, direction}, entries.slice(1), start), {by: 'text', direction: null},
	);
	t.like(ledger, {cycles: 2, from: {stateId: 1}, note: null});
	t.is(ledger.entries[0]!.key, 'before');
	t.true(Math.abs(ledger.entries.reduce((sum, {part}) => sum + part!, 0) - ledger.value!) < 1e-7);
});

test('a ledger of hashed records has triggers as sources, and no contents', async t => {
	const {ask, entries} = await runTexts(byAda('one'), byAda('two'));
	const hashed = entries.map(
		({seq, record}) => ({seq, record: {...record, isHashed: true, metadata: 'a3f0', content: 'b271'} as StoredRecord}),
	);
	const ledger = describeLedger(ask(runLedger, {by: ['source'], limit: 20, direction: null}, hashed), {by: 'source', direction: null});
	t.deepEqual(ledger.entries.map(({key}) => key), ['beginning', 'push', 'user']);
	t.regex(ledger.note!, /keeps hashes/);
	t.is(
		describeLedger(ask(runLedger, {by: ['text'], limit: 20, direction: null}, hashed), {by: 'text', direction: null}).entries[2]!.content,
		null,
	);
});

test('a history has the first state, then the state after each text with its measures', async t => {
	const {ask, stateAfter} = await runTexts(byAda('one'), 'two', 'three');
	const {from, to, cycles, points} = await whole(ask(runHistory, {points: 200, direction: null}));
	t.like({from, to, cycles}, {from: {stateId: 0}, to: {stateId: 3}, cycles: 3});
	t.deepEqual(
		points.map(({stateId, source, content}) => [stateId, source, content]),
		[[0, null, null], [1, 'Ada', 'one'], [2, 'user', 'two'], [3, 'user', 'three']],
	);
	t.like(points[0], {netMrad: 0, pathMrad: 0, beginningLeft: 1, push: 0, dissonance: null, dissonancePercentile: null});
	t.is(points[3]!.netMrad, turnMrad(stateAfter(0).row('thirdness'), stateAfter(3).row('thirdness')));
	t.true(points[3]!.pathMrad > 2.5 && points[3]!.netMrad < points[3]!.pathMrad);
	t.deepEqual((await whole(ask(runHistory, {points: 2, direction: null}))).points.map(({stateId}) => stateId), [0, 3]);
});

test('a history along a direction has its value and z at each state', async t => {
	const {ask, stateAfter} = await runTexts('one', 'two');
	const calm = {key: 'affective.calm', vector: vectorOf('one'), scale: {mean: 0.01, deviation: 0.02}};
	const history = await whole(ask(runHistory, {points: 200, direction: calm}));
	t.is(history.direction, 'affective.calm');
	const values = [0, 1, 2].map(id => dot(stateAfter(id).row('thirdness'), calm.vector));
	t.deepEqual(history.points.map(({value}) => value), values);
	t.deepEqual(history.points.map(({z}) => z), values.map(value => (value - 0.01) / 0.02));
	t.true(values[1]! > values[0]!);
	t.deepEqual((await whole(ask(runHistory, {points: 200, direction: {...calm, scale: null}}))).points.map(({z}) => z), [null, null, null]);
});

test('a difference names the texts and sources that made it', async t => {
	const {ask, rules, stateAfter} = await runTexts(byAda('one'), 'two', byAda('three'));
	const [from, to] = [stateAfter(0), stateAfter(3)];
	const calm = {
		category: 'affective', name: 'calm', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('one'),
		scale: {examples: 50, mean: 0, deviation: 0.0001, sample: []},
	};
	const difference = describeDifference(rules.kernel, from, to, [calm], ask(runLedger, toQuestion({state: from}, {state: to})));
	t.like(
		difference,
		{cycles: 3, from: {stateId: 0}, to: {stateId: 3}, note: null, angleMrad: turnMrad(from.row('thirdness'), to.row('thirdness'))},
	);
	t.deepEqual(difference.texts.map(({content}) => content).toSorted(), ['one', 'three', 'two']);
	t.deepEqual(difference.sources.map(({source, texts}) => [source, texts]), [['Ada', 2], ['user', 1]]);
	t.true(Math.abs(difference.directions[0]!.from - dot(from.row('thirdness'), calm.vector)) < 1e-7);
	t.regex(difference.words.join('\n'), pattern(
		/^3 texts turned it by \d\.\d mrad \(0\.\d°\)\.\nIt is now more calm \(\d+\.\d\); .*\n/,
		/Of that turn, \d+ % is the rule’s own push, \d+ % the fading of what was there, and \d+ % what was said: “Ada” \d+ % \(2 /,
		/texts\), “user” \d+ % \(1 text\)\.$/,
	));
	// The rest is the fading of the first state.
	const sum = difference.pushShare + difference.texts.reduce((total, {share}) => total + share, 0);
	t.true(Math.abs(sum - 1) < 0.01, `${sum}`);
});

test('a difference across a reset does not say that the texts after it made it', async t => {
	const {ask, rules, stateAfter, entries} = await runTexts('one', 'two', 'reset', 'three');
	const initial = stateAfter(0);
	const wordsOf = (from: StateTensor, to: StateTensor, records: readonly JournalEntry[]): string => {
		const start = {rules, seq: 2, start: startReplay(rules, from)};
		const ledger = ask(runLedger, toQuestion({state: from}, {state: to}), [...records], start);
		return describeDifference(rules.kernel, from, to, [], ledger).words.join(' ');
	};
	const across = /^It turned by \d\.\d mrad \(0\.\d°\)\. The directions have no scale[^.]*\.$/v;
	t.regex(wordsOf(stateAfter(2), initial, entries.slice(2, 3)), across);
	t.regex(wordsOf(stateAfter(2), stateAfter(4), entries.slice(2)), across);
	t.regex(wordsOf(initial, stateAfter(4), entries.slice(2)), /^1 text turned it by .* Of that turn, /v);
});
