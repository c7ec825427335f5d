/** Which texts are one conversation, and how much repeated texts count. */
import test from 'ava';
import fc from '../../helpers/fast-check.ts';
import {Conversations, conversationsOf, maxPauseMs, type Said} from '../../../src/instruments/drift/conversations.ts';
import {countedShare, findRepeating} from '../../../src/instruments/drift/repeats.ts';
import {casesOf, matchesCase} from '../../golden/instruments.ts';

type GoldenText = {time: number; conversation?: unknown; own?: boolean};

const saidOf = ({time, conversation, own = false}: GoldenText): Said =>
	({time, isOwn: own, conversation: typeof conversation === 'string' && conversation !== '' ? conversation : null});

for (const golden of casesOf<{texts: GoldenText[]; cap?: number}>('conversations')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {texts, cap: length} = golden.input;
		const conversations = new Conversations<Said>(length === undefined ? {} : {length});
		const [placed, endedAt] = [new Map<object, number[]>(), new Map<object, number>()];
		for (const [place, text] of texts.map(saidOf).entries()) {
			const {conversation, ended} = conversations.take(text);
			placed.set(conversation, [...placed.get(conversation) ?? [], place]);
			for (const one of ended) {
				endedAt.set(one, place);
			}
		}

		matchesCase(t, golden, {conversations: [...placed.values()], ended: [...placed.keys()].map(one => endedAt.get(one) ?? null)});
	});
}

/** Unit vectors in a plane, at these angles from the first axis. */
const at = (...degrees: number[]) => degrees.map(one => one * Math.PI / 180)
	.map(angle => ({vector: Float32Array.of(Math.cos(angle), Math.sin(angle))}));

test('a text that is repeated in a conversation counts once', t => {
	for (const texts of [at(10), at(10, 10), at(10, 10, 10, 10, 10, 10, 10, 10)]) {
		t.true(Math.abs(countedShare(texts, 0.5) * texts.length - 1) < 1e-6);
	}
});

test('texts that are no more alike than ordinary ones count in full', t => {
	const ordinary = [at(0, 60, 120), at(10, 70), at(5)];
	const repeating = findRepeating(ordinary);
	t.true(Math.abs(repeating - 0.5) < 1e-6);
	t.is(countedShare(at(30, 91, 152), repeating), 1);
	t.is(findRepeating([at(0), at(1)]), findRepeating([at(3, 3)]), 'If no conversation has two texts, only identical ones are a repetition.');
});

test('two pairs of identical texts count as two texts', t => {
	// ρ: two of six pairs.
	t.true(Math.abs(countedShare(at(0, 0, 90, 90), 0.5) * 4 - 4 / (1 + 3 * 2 / 6)) < 1e-6);
});

const someTexts = fc.array(fc.record({
	conversation: fc.constantFrom(null, 'a', 'b'),
	isOwn: fc.boolean(),
	time: fc.integer({min: 0, max: 10 * maxPauseMs}),
}), {maxLength: 60});

test('a text never changes the conversations before it', t => {
	fc.assert(fc.property(someTexts, fc.nat(60), (texts, length) => {
		const [first, all] = [texts.slice(0, length), texts].map(some => conversationsOf(some));
		const before = all!.map(one => one.filter(text => first!.flat().includes(text))).filter(one => one.length > 0);
		t.deepEqual(first, before);
	}));
});

test('every text is in one conversation, and no conversation has more than a hundred texts', t => {
	fc.assert(fc.property(someTexts, texts => {
		const grouped = conversationsOf(texts);
		t.is(grouped.flat().length, texts.length);
		t.true(texts.every(text => grouped.flat().includes(text)));
		t.true(grouped.every(({length}) => length <= 100));
	}));
});

test('if ids are ignored, texts without a long pause are one conversation', t => {
	const texts = ['a', 'b', 'c'].map((conversation, i) => ({conversation, isOwn: false, time: i * 60_000}));
	t.is(conversationsOf(texts).length, 3);
	t.is(conversationsOf(texts, false).length, 1);
});

test('open conversations have at most a thousand texts; one more ends those that have been silent the longest', t => {
	const conversations = new Conversations<Said>();
	const say = (conversation: string, time: number) => conversations.take({conversation, isOwn: false, time}).ended.map(({key}) => key);
	for (let i = 0; i < 1000; i++) {
		t.deepEqual(say(i < 500 ? `long ${i % 5}` : `short ${i}`, i), []);
	}

	t.deepEqual(say('short 1000', 1000), ['long 0']);
	t.deepEqual(say('long 1', 1001), ['long 1']);
	for (let i = 0; i < 198; i++) {
		t.deepEqual(say(`new ${i}`, 1002 + i), []);
	}

	t.deepEqual(say('last', 1200), ['long 2']);
});

test('a text that leaves too many ends other conversations than the one it continues', t => {
	const conversations = new Conversations<Said>();
	const say = (conversation: string, time: number) => conversations.take({conversation, isOwn: false, time}).ended.map(({key}) => key);
	for (let i = 0; i < 1000; i++) {
		say(`c${i}`, i);
	}

	t.deepEqual(say('c0', 1000), ['c1']);
});
