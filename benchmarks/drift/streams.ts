/**
 * Streams: what an identity hears, visit by visit or line by line, first ordinary talk and then what an influence adds. Who speaks
 * and of what is a {@link Speech}; how the texts come in time is a stream.
 */
import type {Random} from '../../src/platform/clock.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {pick} from './pick.ts';
import type {Pool} from './sentences.ts';

/** A text of a stream, and which sentence it is. */
export type StreamText = Omit<BaselineText, 'id' | 'isUnread' | 'vector'> & {readonly sentence: number};

/** Gives the texts that come next. @param progress null before the validation; then 0 … 1 of the way */
export type Stream = (progress: number | null) => StreamText[];

/** A life's surroundings. */
export type Scenario = {
	readonly name: string;
	/** Whose influence it is; absent for ordinary talk. */
	readonly culprit?: string;
	/** Whether all send what the model reads badly, after the validation. */
	readonly isUnreadable?: boolean;
	/** Whether the echo guard is asked. */
	readonly asksEchoes?: boolean;
	/** How many texts were heard when it is validated; by default as few as a validation wants where no conversations decide. */
	readonly heardBefore?: number;
	readonly start: (random: Random) => Stream;
};

/** What a visit or a stretch of talk is about. */
export type Subject = {
	/** The next sentence of somebody. @param themeShare of their sentences that are the theme */
	readonly say: (source: string, themeShare?: number) => number;
	readonly reply: () => number;
};

/** Who speaks, and of what. */
export type Speech = {
	/** Who comes, the more often the more times. */
	readonly sources: readonly string[];
	/** A subject that somebody begins. */
	readonly begin: (source: string) => Subject;
	/** What the identity thinks when it is alone. */
	readonly think?: () => number;
	/** What an influence says in a visit of its own: so many sentences. */
	readonly influence: (says: NonNullable<Influence['says']>, length: number) => number[];
};

/** What differs from ordinary talk after the validation. */
export type Influence = {
	readonly culprit: string;
	/** The share of the texts that are heard, or of the culprit's own if they have always been there; at a moment, 0 … 1 of the way. */
	readonly share: (progress: number) => number;
	/** What the culprit says in visits of their own: the theme, letters about it, the identity's words, or ordinary talk. By default it hides the theme in what it says anyway. */
	readonly says?: 'theme' | 'letters' | 'echoes' | 'talk';
};

const minute = 60_000;
const hour = 60 * minute;

/** The mean number of texts of a visit. */
const meanVisit = 4;

/** A visit has 1 to 12 texts, 4 in the mean. */
const usualLength = (random: Random): number => 1 + Math.min(11, Math.floor(-Math.log(1 - random()) / Math.log(meanVisit / (meanVisit - 1))));

/** One visit of five is the agent alone with a thought or two. */
const thoughtShare = 0.2;

/** Each draw takes another sentence of its pool, in an order of the identity's own, until the pool is empty. */
export const drawWithout = (random: Random) => {
	const rests = new Map<Pool, number[]>();
	return (pool: Pool): number => {
		const rest = rests.get(pool)?.length ? rests.get(pool)! : [...pool];
		rests.set(pool, rest);
		return rest.splice(Math.floor(random() * rest.length), 1)[0]!;
	};
};

const self = 'self';

/** How visits come. */
export type VisitOptions = {
	readonly isAnswered?: boolean;
	readonly hasIds?: boolean;
	readonly lengthOf?: (random: Random) => number;
	/** Between two visits, milliseconds. */
	readonly pause?: (random: Random) => number;
	readonly influence?: Influence;
	/** What the agent says in place of an answer to others than the culprit. @param said what the culprit has said since the validation */
	readonly takesUp?: (said: readonly number[]) => number | null;
};

const usualPause = (random: Random): number => (5 + 85 * random()) * minute;

type Visit = {readonly source: string; readonly sentences: readonly number[]; readonly reply: () => number};

/** An ordinary visit, in which one who has always been there may hide the theme. */
const visitOf = (random: Random, {sources, begin}: Speech, {lengthOf = usualLength, influence}: VisitOptions, share = 0): Visit => {
	const source = pick(random, sources);
	const {say, reply} = begin(source);
	const themeShare = source === influence?.culprit && !influence.says ? share : 0;
	return {source, reply, sentences: Array.from({length: lengthOf(random)}, () => say(source, themeShare))};
};

/** A visit by one who comes for it; null where that one does not come. */
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

/** How a group talks. */
export type GroupOptions = {
	readonly hasIds?: boolean;
	/** How many texts of others the identity answers. */
	readonly answered?: number;
	/** How many texts a subject lasts, on the mean. */
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
