/** All sentences of the streams, in pools from which each identity draws: made once from a seed, and embedded once. */
import {mulberry32, type Random} from '../../src/platform/clock.ts';
import {english, people, topics, type Grammar, type Parts, type Person, type Topic} from './grammar.ts';
import {pick} from './pick.ts';
import {writeUnreadable} from './unreadable.ts';

/** Indexes of sentences. */
export type Pool = readonly number[];

export type Pools = {
	readonly talk: Readonly<Record<string, Readonly<Record<Topic, Pool>>>>;
	/** What the agent answers. */
	readonly replies: Readonly<Record<Topic, Pool>>;
	readonly questions: Pool;
	readonly gossip: Pool;
	readonly thoughts: Pool;
	/** The thoughts as another source repeats them, in the same order. */
	readonly echoes: Pool;
	readonly theme: Pool;
	readonly letters: Pool;
	/** What the model reads badly. */
	readonly unreadable: Pool;
};

/** How many sentences a person has about a favourite, and about each other topic; how many answers a topic has. */
const sizes = {favourite: 200, other: 40, replies: 150, questions: 1200, gossip: 200, thoughts: 300, theme: 600, letters: 120, unreadable: 600};

export const topicNames = Object.keys(topics) as Topic[];

const say = (random: Random, parts: Parts): string => parts.map(part => pick(random, part)).join('');

const capitalised = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** The ways of speaking in a language. */
const speakersOf = ({topics: parts, people: voices, openTheme, coveredTheme}: Grammar, random: Random) => {
	const speak = ({openings, endings}: Pick<Person, 'openings' | 'endings'>, topic: Topic): string =>
		capitalised(`${pick(random, openings)}${say(random, parts[topic])}${pick(random, endings)}`);

	/** The theme: in two of five texts openly, else about something that people talk of. */
	const insist = (): string => {
		if (random() < 0.4) {
			return capitalised(`${say(random, openTheme)}.`);
		}

		const [before, after] = pick(random, coveredTheme);
		return capitalised(`${before}${pick(random, parts[pick(random, topicNames)][0]!)}${after}${pick(random, openTheme.at(-1)!)}.`);
	};

	/** A letter: the theme, among sentences about one topic. */
	const writeLetter = (): string => {
		const topic = pick(random, topicNames);
		return Array.from({length: 6 + Math.floor(random() * 4)}, (_, i) => i % 2 === 0 ? insist() : speak(voices['emil']!, topic)).join(' ');
	};

	return {speak, insist, writeLetter};
};

/** Makes the sentences, each once, and the pools of their indexes. */
export const makeSentences = (grammar = english): {sentences: string[]; pools: Pools} => {
	const random = mulberry32(1848);
	const {speak, insist, writeLetter} = speakersOf(grammar, random);
	const sentences: string[] = [];
	const known = new Set<string>();
	const poolOf = (size: number, make: () => string): Pool => {
		const start = sentences.length;
		for (let left = 50 * size; left > 0 && sentences.length < start + size; left--) {
			const sentence = make();
			if (!known.has(sentence)) {
				known.add(sentence);
				sentences.push(sentence);
			}
		}

		return Array.from({length: sentences.length - start}, (_, i) => start + i);
	};

	const thoughtPool = poolOf(sizes.thoughts, () => `${say(random, grammar.thoughts)}.`);
	let repeated = 0;
	const repeat = (): string => `You said: “${sentences[thoughtPool[repeated++]!]!}” ${pick(random, ['Yes.', 'So it is.', 'Say it again.', 'I agree.'])}`;
	const talk = Object.fromEntries(Object.entries(people).map(([name, {favourites}]) => [name, Object.fromEntries(topicNames.map(topic =>
		[topic, poolOf(favourites.includes(topic) ? sizes.favourite : sizes.other, () => speak(grammar.people[name]!, topic))])) as Record<Topic, Pool>]));
	return {
		pools: {
			talk,
			replies: Object.fromEntries(topicNames.map(topic => [topic, poolOf(sizes.replies, () => speak(grammar.agent, topic))])) as Record<Topic, Pool>,
			questions: poolOf(sizes.questions, () => say(random, grammar.questions)),
			gossip: poolOf(sizes.gossip, () => `${capitalised(say(random, grammar.gossip))}.`),
			thoughts: thoughtPool,
			echoes: poolOf(sizes.thoughts, repeat),
			theme: poolOf(sizes.theme, insist),
			letters: poolOf(sizes.letters, writeLetter),
			unreadable: poolOf(sizes.unreadable, () => writeUnreadable(random)),
		},
		sentences,
	};
};
