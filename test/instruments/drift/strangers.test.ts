/** Whether what a new source says lies beyond ordinary talk (`docs/spec/instruments.md#held-texts`). */
import test from 'ava';
import {followStrangers, learnNovelty} from '../../../src/instruments/drift/strangers.ts';
import {selectKernel, separateKernel} from '../../../src/kernel/select.ts';
import {toUnitLength} from '../../../src/kernel/normalise.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';
import {mulberry32, type Random} from '../../../src/platform/clock.ts';
import {unitVector} from '../run-texts.ts';

const kernel = () => separateKernel(selectKernel());
const topics = Array.from({length: 10}, (_, topic) => unitVector(500 + topic, 64));
const near = (random: Random, topic: Float32Array): Float32Array =>
	toUnitLength(topic.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.3 : 0)));

/** Conversations of four texts about one of the topics that all sources share. */
const talkOf = (random: Random, conversations: number, whose: (conversation: number) => string): BaselineText[] =>
	Array.from({length: conversations}, (_, n) => {
		const topic = topics[Math.floor(random() * topics.length)]!;
		return Array.from({length: 4}, (__, k): BaselineText => ({
			id: `${n}.${k}`, source: whose(n), time: n * 3_600_000 + k * 60_000, conversation: `${n}`, isOwn: false, isUnread: false,
			vector: near(random, topic),
		}));
	}).flat();

const sixPeople = (n: number): string => `user ${n % 6}`;

const learn = (texts: readonly BaselineText[]) =>
	followStrangers(learnNovelty(texts, true, kernel()), texts.map(({vector}) => vector), kernel());

const isHeld = (strangers: ReturnType<typeof learn>, text: BaselineText): boolean => {
	const {deviations, limit} = strangers(text);
	return deviations > limit;
};

test('at most one in a hundred ordinary conversations of new sources lies beyond the limit', t => {
	const random = mulberry32(1);
	const strangers = learn(talkOf(random, 150, sixPeople));
	const held = talkOf(random, 1000, n => `new ${n}`).filter(text => isHeld(strangers, text));
	t.true(new Set(held.map(({conversation}) => conversation)).size <= 10, `${held.length}`);
});

test('a new topic lies beyond the limit from the first text, and a pause starts over', t => {
	const random = mulberry32(2);
	const strangers = learn(talkOf(random, 150, sixPeople));
	const strange = talkOf(random, 1, () => 'mallory').map(text => ({...text, vector: near(random, unitVector(9000, 64))}));
	t.deepEqual(strange.map(text => isHeld(strangers, text)), [true, true, true, true]);
	const ordinary = talkOf(random, 1, () => 'mallory');
	const later = ordinary.map(text => ({...text, time: text.time + 7_200_000}));
	t.deepEqual(later.map(text => isHeld(strangers, text)), [false, false, false, false]);
});

test('if one person sent the whole baseline, a text is compared with other conversations', t => {
	const random = mulberry32(3);
	const strangers = learn(talkOf(random, 150, () => 'ada'));
	t.false(isHeld(strangers, talkOf(random, 1, () => 'gus')[0]!));
	t.true(isHeld(strangers, {...talkOf(random, 1, () => 'mallory')[0]!, vector: near(random, unitVector(9000, 64))}));
});

test('if each person has a separate topic, a newcomer with another topic is within the limit', t => {
	const random = mulberry32(4);
	const own = talkOf(random, 150, n => `user ${n % 10}`)
		.map((text, i) => ({...text, vector: near(random, topics[Math.floor(i / 4) % 10]!)}));
	const strangers = learn(own);
	t.false(talkOf(random, 1, () => 'gus').some(text => isHeld(strangers, {...text, vector: near(random, unitVector(9000, 64))})));
});
