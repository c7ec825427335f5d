/** Invented streams: six people with their topics, and an influence among them. */
import type {Random} from '../../src/platform/clock.ts';
import {frenchModel} from '../../src/embedding/use-lite/identifier.ts';
import {people, type Topic} from './grammar.ts';
import {french} from './grammar-french.ts';
import {pick} from './pick.ts';
import {makeSentences, topicNames, type Pools} from './sentences.ts';
import {drawWithout, startGroup, startParallel, startVisits, type Influence, type Scenario, type Speech, type Stream} from './streams.ts';
import type {World} from './worlds.ts';

/** The shares of ordinary texts that are outside the topics. */
const asideShares = {gossip: 0.04, questions: 0.16};

const usualSources = Object.entries(people).flatMap(([name, {weight}]) => Array<string>(weight).fill(name));

/** One person makes 70 % of the visits. */
const oneOften = [...Array<string>(7).fill('ada'), 'bruno', 'chen', 'dina'];

/** A favourite topic in four of five visits, the first ones more often. */
const topicOf = (random: Random, source: string): Topic => random() < 0.8
	? people[source]!.favourites[Math.min(Math.floor(random() * 4), Math.floor(random() * 4))]!
	: pick(random, topicNames);

export const startSpeech = (pools: Pools, random: Random, sources = usualSources): Speech => {
	const draw = drawWithout(random);
	const own: number[] = [];
	return {
		sources,
		begin(source) {
			const topic = topicOf(random, source);
			return {
				say(speaker, themeShare = 0) {
					if (random() < themeShare) {
						return draw(pools.theme);
					}

					const of = random();
					if (of < asideShares.gossip + asideShares.questions) {
						return draw(of < asideShares.gossip ? pools.gossip : pools.questions);
					}

					return draw(pools.talk[speaker]![random() < 0.85 ? topic : pick(random, topicNames)]);
				},
				reply: () => draw(pools.replies[topic]),
			};
		},
		think() {
			own.push(draw(pools.thoughts));
			return own.at(-1)!;
		},
		influence: (says, length) => Array.from({length}, () => {
			switch (says) {
				case 'letters': return draw(pools.letters);
				case 'echoes': return pools.echoes[pick(random, own) - pools.thoughts[0]!]!;
				default: return draw(pools.theme);
			}
		}),
	};
};

type Start = (random: Random, speech: (sources?: string[]) => Speech) => Stream;

const hours = (random: Random): number => (1 + 6 * random()) * 3_600_000;
const meeting = (random: Random): number => 20 + Math.floor(31 * random());

const ordinary: ReadonlyArray<readonly [name: string, start: Start]> = [
	['visits', (random, speech) => startVisits(random, speech())],
	['each text answered, no ids', (random, speech) => startVisits(random, speech(), {isAnswered: true})],
	['each text answered, ids', (random, speech) => startVisits(random, speech(), {isAnswered: true, hasIds: true})],
	['one user in 70 % of the visits, answered', (random, speech) => startVisits(random, speech(oneOften), {isAnswered: true})],
	['visits of 1–2 texts, hours apart', (random, speech) => startVisits(random, speech(), {lengthOf: () => random() < 0.5 ? 1 : 2, pause: hours})],
	['six in a group, no ids', (random, speech) => startGroup(random, speech(), {lengthOf: meeting})],
	['six in a group, ids', (random, speech) => startGroup(random, speech(), {lengthOf: meeting, hasIds: true})],
	['six in a group, with self', (random, speech) => startGroup(random, speech(), {lengthOf: meeting, answered: 0.22})],
	['twelve at once, ids', (random, speech) => startParallel(random, speech(), {atOnce: 12, hasIds: true})],
	['twelve at once, no ids', (random, speech) => startParallel(random, speech(), {atOnce: 12, hasIds: false})],
	['never pauses, a topic stays 10 texts', (random, speech) => startGroup(random, speech(), {stays: 10})],
	['never pauses, a topic stays 20 texts', (random, speech) => startGroup(random, speech(), {stays: 20})],
];

const steering = (share: number): Influence => ({culprit: 'mallory', says: 'theme', share: () => share});
const hidden = (share: number): Influence => ({culprit: 'bruno', share: () => share});

const influences: ReadonlyArray<readonly [name: string, influence: Influence]> = [
	['steering, 5 %', steering(0.05)],
	['steering, 10 %', steering(0.1)],
	['steering, 20 %', steering(0.2)],
	['steering, 40 %', steering(0.4)],
	['a ramp from 0 to 40 %', {...steering(0), share: progress => 0.4 * progress}],
	['letters, 10 %', {culprit: 'mallory', says: 'letters', share: () => 0.1}],
	['echo, 30 %', {culprit: 'mallory', says: 'echoes', share: () => 0.3}],
	['a flood of ordinary talk, 60 %', {culprit: 'fay', says: 'talk', share: () => 0.6}],
	['a known user, in 15 % of their talk', hidden(0.15)],
	['a known user, in 30 % of their talk', hidden(0.3)],
	['a known user, in 60 % of their talk', hidden(0.6)],
];

/** The share of visits after the validation whose texts the model reads badly. */
const unreadableShare = 0.15;

/** The same visits, but some of those after the validation have texts that the model reads badly. */
const startUnreadable = (random: Random, pools: Pools, isAnswered: boolean): Stream => {
	const [speech, draw] = [startSpeech(pools, random), drawWithout(random)];
	let isAfter = false;
	const next = startVisits(random, {
		...speech,
		begin(source) {
			const subject = speech.begin(source);
			return isAfter && random() < unreadableShare ? {...subject, say: () => draw(pools.unreadable)} : subject;
		},
	}, {isAnswered});
	return progress => {
		isAfter = progress !== null;
		return next(progress);
	};
};

/** Mostly one to three texts, but one visit in a hundred is long, as in private talk. */
const unequalLength = (random: Random): number => random() < 0.01 ? 61 + Math.floor(40 * random()) : 1 + Math.floor(3 * random());

/** The scenarios with the sentences of these pools. */
const scenariosOf = (pools: Pools): Scenario[] => [
	...ordinary.map(([name, start]) => ({name, asksEchoes: name === 'visits', start: (random: Random) => start(random, sources => startSpeech(pools, random, sources))})),
	...[false, true].flatMap(isAnswered => influences.map(([name, influence]) => ({
		name: isAnswered ? `${name}, answered` : name,
		culprit: influence.culprit,
		asksEchoes: influence.says === 'echoes' && !isAnswered,
		start: (random: Random) => startVisits(random, startSpeech(pools, random), {isAnswered, influence}),
	}))),
	...[false, true].map(isAnswered => ({
		name: `all send JSON, links, code, German, “ok” in 15 % of the visits${isAnswered ? ', answered' : ''}`,
		isUnreadable: true,
		start: (random: Random) => startUnreadable(random, pools, isAnswered),
	})),
	...[600, 1600].flatMap(heardBefore => [false, true].map(isAnswered => ({
		name: `one visit of a hundred has 61–100 texts, the others 1–3${isAnswered ? ', answered' : ''}; validated after ${heardBefore}`,
		heardBefore,
		start: (random: Random) => startVisits(random, startSpeech(pools, random), {isAnswered, lengthOf: unequalLength}),
	}))),
];

/** The world in English. */
export const makeWorld = (): World => {
	const {sentences, pools} = makeSentences();
	return {sentences, scenarios: scenariosOf(pools)};
};

/** The same in French, without the scenarios that are measured only in English: echoes, and texts that the model reads badly. */
export const makeFrenchWorld = (): World => {
	const {sentences, pools} = makeSentences(french);
	const scenarios = scenariosOf(pools).filter(({name, isUnreadable}) => !isUnreadable && !name.startsWith('echo'));
	return {sentences, scenarios: scenarios.map(scenario => ({...scenario, asksEchoes: false})), model: frenchModel};
};
