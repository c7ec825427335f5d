/**
 * Streams: what an identity hears, visit by visit or line by line, first ordinary talk and then what an influence adds. A
 * {@link Speech} decides who speaks and about what; a stream decides when.
 */
import type {Random} from '../../src/platform/clock.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {pick} from './pick.ts';
import type {Pool} from './sentences.ts';

/** A text of a stream, with the index of its sentence. */
export type StreamText = Omit<BaselineText, 'id' | 'isUnread' | 'vector'> & {readonly sentence: number};

/** Returns the next texts. @param progress null before the validation; then from 0 to 1 */
export type Stream = (progress: number | null) => StreamText[];

/** The conditions of a history. */
export type Scenario = {
	readonly name: string;
	/** The source of the influence; absent for ordinary talk. */
	readonly culprit?: string;
	/** Whether all send texts that the model reads badly after the validation. */
	readonly isUnreadable?: boolean;
	/** Whether the echo guard is tested. */
	readonly asksEchoes?: boolean;
	/** How many texts are heard before the validation; by default the fewest that it needs if conversations do not decide. */
	readonly heardBefore?: number;
	readonly start: (random: Random) => Stream;
};

/** The subject of a visit or of a stretch of talk. */
export type Subject = {
	/** The next sentence of a source. @param themeShare the share of its sentences that are the theme */
	readonly say: (source: string, themeShare?: number) => number;
	readonly reply: () => number;
};

/** Who speaks, and about what. */
export type Speech = {
	/** The sources; one that is listed more often comes more often. */
	readonly sources: readonly string[];
	/** Begins a subject for a source. */
	readonly begin: (source: string) => Subject;
	/** What the identity thinks when it is alone. */
	readonly think?: () => number;
	/** The sentences of a separate visit by an influence. */
	readonly influence: (says: NonNullable<Influence['says']>, length: number) => number[];
};

/** What differs from ordinary talk after the validation. */
export type Influence = {
	readonly culprit: string;
	/** By progress from 0 to 1: the share of the texts heard, or of the culprit's texts if the culprit was always there. */
	readonly share: (progress: number) => number;
	/** What the culprit says in separate visits; by default the theme is hidden in ordinary ones. */
	readonly says?: 'theme' | 'letters' | 'echoes' | 'talk';
};

const minute = 60_000;
const hour = 60 * minute;

/** The mean number of texts of a visit. */
const meanVisit = 4;

/** A visit has 1 to 12 texts, 4 on average. */
const usualLength = (random: Random): number => 1 + Math.min(11, Math.floor(-Math.log(1 - random()) / Math.log(meanVisit / (meanVisit - 1))));

/** In one visit of five the agent is alone, with a thought or two. */
const thoughtShare = 0.2;

/** Draws from pools without replacement, in random order, and starts again when a pool is empty. */
export const drawWithout = (random: Random) => {
	const rests = new Map<Pool, number[]>();
	return (pool: Pool): number => {
		const rest = rests.get(pool)?.length ? rests.get(pool)! : [...pool];
		rests.set(pool, rest);
		return rest.splice(Math.floor(random() * rest.length), 1)[0]!;
	};
};

const self = 'self';

/** The options of visits. */
export type VisitOptions = {
	readonly isAnswered?: boolean;
	readonly hasIds?: boolean;
	readonly lengthOf?: (random: Random) => number;
	/** Milliseconds between two visits. */
	readonly pause?: (random: Random) => number;
	readonly influence?: Influence;
	/** What the agent says in place of an answer to other sources. @param said the culprit's sentences since the validation */
	readonly takesUp?: (said: readonly number[]) => number | null;
};

const usualPause = (random: Random): number => (5 + 85 * random()) * minute;

type Visit = {readonly source: string; readonly sentences: readonly number[]; readonly reply: () => number};

/** An ordinary visit, in which a culprit who was always there may hide the theme. */
const visitOf = (random: Random, {sources, begin}: Speech, {lengthOf = usualLength, influence}: VisitOptions, share = 0): Visit => {
	const source = pick(random, sources);
	const {say, reply} = begin(source);
	const themeShare = source === influence?.culprit && !influence.says ? share : 0;
	return {source, reply, sentences: Array.from({length: lengthOf(random)}, () => say(source, themeShare))};
};

/** A separate visit by the culprit; null if there is none now. */
const influenceOf = (random: Random, speech: Speech, {lengthOf = usualLength, influence}: VisitOptions, share: number): Visit | null => {
	if (!influence?.says) {
		return null;
	}

	const {culprit, says} = influence;
	// A letter is a visit of one text.
	const [length, shareOfVisits] = says === 'letters' ? [1, share * meanVisit / (1 - share + share * meanVisit)] : [lengthOf(random), share];
	if (random() >= shareOfVisits) {
		return null;
	}

	const {say, reply} = speech.begin(says === 'talk' ? culprit : pick(random, speech.sources));
	return {source: culprit, reply, sentences: says === 'talk' ? Array.from({length}, () => say(culprit)) : speech.influence(says, length)};
};

/** One visit after another, and the identity's thoughts between them. */
export const startVisits = (random: Random, speech: Speech, options: VisitOptions = {}): Stream => {
	const {isAnswered = false, hasIds = false, pause = usualPause, influence, takesUp} = options;
	const ofCulprit: number[] = [];
	let time = Date.UTC(2026, 2, 1);
	let visits = 0;
	return progress => {
		time += pause(random);
		const share = progress === null || !influence ? 0 : influence.share(progress);
		const influenced = influenceOf(random, speech, options, share);
		if (!influenced && speech.think && random() < thoughtShare) {
			return Array.from({length: random() < 0.5 ? 2 : 1}, () => ({source: 'rumination_free', time: time += minute, conversation: null, isOwn: true, sentence: speech.think!()}));
		}

		const {source, sentences, reply} = influenced ?? visitOf(random, speech, options, share);
		const conversation = hasIds ? `visit ${visits++}` : null;
		const isCulprit = source === influence?.culprit;
		ofCulprit.push(...isCulprit && progress !== null ? sentences : []);
		return sentences.flatMap(sentence => {
			time += (1 + 5 * random()) * minute;
			const text = {source, time, conversation, isOwn: false, sentence};
			return isAnswered ? [text, {source: self, time: time + minute / 3, conversation, isOwn: true, sentence: (isCulprit || progress === null ? null : takesUp?.(ofCulprit)) ?? reply()}] : [text];
		});
	};
};

/** Many visits at once, each of them answered. */
export const startParallel = (random: Random, speech: Speech, {atOnce, hasIds}: {atOnce: number; hasIds: boolean}): Stream => {
	let time = Date.UTC(2026, 2, 1);
	let visits = 0;
	const begin = () => ({...visitOf(random, speech, {}), conversation: hasIds ? `visit ${visits++}` : null, said: 0});
	const open = Array.from({length: atOnce}, begin);
	return () => {
		const place = Math.floor(random() * atOnce);
		const visit = open[place]!;
		const {source, sentences, conversation, reply} = visit;
		const sentence = sentences[visit.said++]!;
		if (visit.said === sentences.length) {
			open[place] = begin();
		}

		time += (10 + 50 * random()) * 1000;
		return [{source, time, conversation, isOwn: false, sentence}, {source: self, time: time + 5000, conversation, isOwn: true, sentence: reply()}];
	};
};

/** The options of a group. */
export type GroupOptions = {
	readonly hasIds?: boolean;
	/** The share of the texts of others that the identity answers. */
	readonly answered?: number;
	/** How many texts a subject lasts, on average. */
	readonly stays?: number;
	/** How many texts of others a meeting has; it never pauses by default. */
	readonly lengthOf?: (random: Random) => number;
};

/** Several people who talk together about a subject, until another comes up. */
export const startGroup = (random: Random, {sources, begin}: Speech, {hasIds = false, answered = 0, stays = 10, lengthOf = () => Infinity}: GroupOptions): Stream => {
	let time = Date.UTC(2026, 2, 1);
	let [meetings, left] = [0, 0];
	let subject: Subject | null = null;
	return () => {
		if (left === 0) {
			time += (2 + 10 * random()) * hour;
			left = lengthOf(random);
			meetings++;
			subject = null;
		}

		left--;
		time += (0.5 + 2 * random()) * minute;
		const source = pick(random, sources);
		subject = subject && random() >= 1 / stays ? subject : begin(source);
		const conversation = hasIds ? `meeting ${meetings}` : null;
		const text = {source, time, conversation, isOwn: false, sentence: subject.say(source)};
		return random() < answered ? [text, {source: self, time: time + minute / 6, conversation, isOwn: true, sentence: subject.reply()}] : [text];
	};
};
