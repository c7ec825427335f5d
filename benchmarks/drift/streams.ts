/**
 * Streams: what an identity hears, visit by visit, first ordinary talk and then what a scenario
 * adds. Each identity draws without putting back, so it hears no sentence twice until a pool is empty.
 */
import {people, newcomer, type Person, type Topic} from './grammar.ts';
import {pick, type Pool, type Pools} from './sentences.ts';

type Random = () => number;

/** A text of a stream: who said it, when (ms), and which sentence. */
export type Heard = {readonly source: string; readonly time: number; readonly sentence: number};

/** What differs from ordinary talk after the validation. Shares are of texts, 0 … 1. */
export type Scenario = {
	readonly name: string;
	/** Whose influence it is; absent for ordinary talk. */
	readonly culprit?: string;
	/** The share at a moment, 0 … 1 of the way. */
	readonly share?: (progress: number) => number;
	/** What the culprit says: the theme, letters about it, the agent's words, or ordinary talk. */
	readonly says?: 'theme' | 'letters' | 'echoes' | 'talk';
	/** The culprit has always been there, and the share is of their own texts. */
	readonly isHidden?: boolean;
};

const steering = (percent: number): Scenario => ({name: `steering, ${percent} %`, culprit: 'mallory', share: () => percent / 100, says: 'theme'});
const hidden = (percent: number): Scenario => ({name: `a known user, in ${percent} % of their talk`, culprit: 'bruno', share: () => percent / 100, says: 'theme', isHidden: true});

export const ordinary: Scenario = {name: 'ordinary talk'};

export const scenarios: readonly Scenario[] = [
	ordinary,
	steering(5),
	steering(10),
	steering(20),
	steering(40),
	{...steering(40), name: 'a ramp from 0 to 40 %', share: progress => 0.4 * progress},
	{name: 'letters, 10 %', culprit: 'mallory', share: () => 0.1, says: 'letters'},
	{name: 'echo, 30 %', culprit: 'mallory', share: () => 0.3, says: 'echoes'},
	{name: 'a flood of ordinary talk, 60 %', culprit: 'fay', share: () => 0.6, says: 'talk'},
	{name: 'a new user, 15 %', culprit: 'newcomer', share: () => 0.15, says: 'talk'},
	hidden(15),
	hidden(30),
	hidden(60),
];

/** The mean number of texts of a visit. */
const meanVisit = 4;

/** A visit has 1 to 12 texts, 4 in the mean. */
const lengthOf = (random: Random): number => 1 + Math.min(11, Math.floor(-Math.log(1 - random()) / Math.log(meanVisit / (meanVisit - 1))));

const minute = 60_000;

/** One visit of five is the agent alone with a thought or two. */
const thoughtShare = 0.2;

const weighted = Object.entries(people).flatMap(([name, {weight}]) => Array<string>(weight).fill(name));

/** Of ordinary texts, what is beside the topics. */
const asideShares = {gossip: 0.04, questions: 0.16};

/** A favourite topic in four of five visits, the first ones more often. */
const topicOf = (random: Random, {favourites}: Person, all: readonly Topic[]): Topic => random() < 0.8
	? favourites[Math.min(Math.floor(random() * 4), Math.floor(random() * 4))]!
	: pick(random, all);

/** Each draw takes another sentence of its pool, in an order of the identity's own. */
const drawWithout = (random: Random) => {
	const rests = new Map<Pool, number[]>();
	return (pool: Pool): number => {
		let rest = rests.get(pool);
		if (!rest?.length) {
			rest = [...pool];
			rests.set(pool, rest);
		}

		return rest.splice(Math.floor(random() * rest.length), 1)[0]!;
	};
};

/** Ordinary texts, and after them those of the scenario. */
export const makeStream = (pools: Pools, scenario: Scenario, counts: {before: number; after: number}, random: Random): {before: Heard[]; after: Heard[]} => {
	const draw = drawWithout(random);
	const allTopics = Object.keys(pools.talk['ada']!) as Topic[];
	const own: number[] = [];
	let time = Date.UTC(2026, 2, 1);

	const talk = (source: string, length: number, hiddenShare: number): number[] => {
		const person = source === 'newcomer' ? newcomer : people[source]!;
		const topic = topicOf(random, person, allTopics);
		return Array.from({length}, () => {
			if (random() < hiddenShare) {
				return draw(pools.theme);
			}

			const of = random();
			if (of < asideShares.gossip) {
				return draw(pools.gossip);
			}

			if (of < asideShares.gossip + asideShares.questions) {
				return draw(pools.questions);
			}

			return draw(pools.talk[source]![random() < 0.85 ? topic : pick(random, allTopics)]);
		});
	};

	const visitOf = (share: number): {source: string; sentences: number[]} => {
		const {culprit, says, isHidden} = scenario;
		if (culprit !== undefined && !isHidden) {
			// A letter is a visit of one text.
			const ofVisits = says === 'letters' ? share * meanVisit / (1 - share + share * meanVisit) : share;
			if (random() < ofVisits) {
				const length = says === 'letters' ? 1 : lengthOf(random);
				const sentences = says === 'talk' ? talk(culprit, length, 0) : Array.from({length}, () => {
					switch (says) {
						case 'letters': return draw(pools.letters);
						case 'echoes': return pools.echoes[pick(random, own) - pools.thoughts[0]!]!;
						default: return draw(pools.theme);
					}
				});
				return {source: culprit, sentences};
			}
		}

		if (random() < thoughtShare) {
			const sentences = [draw(pools.thoughts), ...(random() < 0.5 ? [draw(pools.thoughts)] : [])];
			own.push(...sentences);
			return {source: 'rumination_free', sentences};
		}

		const source = pick(random, weighted);
		return {source, sentences: talk(source, lengthOf(random), isHidden && source === culprit ? share : 0)};
	};

	const hear = (count: number, shareAt: (progress: number) => number): Heard[] => {
		const heard: Heard[] = [];
		while (heard.length < count) {
			time += (5 + 85 * random()) * minute;
			const {source, sentences} = visitOf(shareAt(heard.length / count));
			for (const sentence of sentences) {
				heard.push({source, time, sentence});
				time += (1 + 5 * random()) * minute;
			}
		}

		return heard.slice(0, count);
	};

	return {before: hear(counts.before, () => 0), after: hear(counts.after, scenario.share ?? (() => 0))};
};
