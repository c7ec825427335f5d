/**
 * Monitors a history since its validation, text by text: moving sums of what was heard and said, weighted as the state weighs
 * them, and the conversation charts. Its state is plain data, so that one thread can begin and another continue.
 */
import type {BaselineText} from '../../journal/validation.ts';
import {followChanges, type ChangesState, type SourceChange} from './changes.ts';
import {Chart, readTalk, startChart, type ChartState} from './chart.ts';
import {Conversations, conversationsOf, startConversations, type Conversation, type ConversationsState} from './conversations.ts';
import {effectOf} from './design-effect.ts';
import {unusualP} from './findings.ts';
import {distanceOf} from './measure.ts';
import type {Ordinary, OrdinaryVoice} from './ordinary.ts';
import {addLook, isNextLook, lookAt, type Look} from './paths.ts';
import {comparedPart, usualWeight} from './observation.ts';
import {countedShare} from './repeats.ts';
import {sumBySource} from './deal.ts';
import {isOf, voices, type Voice} from '../source-of.ts';
import {startUptake, Uptakes, type TakenUp, type UptakeState} from './uptake.ts';
import {startSums, WeightedSums, type SumsState} from './weighted-sums.ts';

type VoiceState = {
	/** Y, the moving mean of the texts' differences from the ordinary mean, by source. */
	sums: SumsState;
	/** The part of Y that comes from texts the model read badly. */
	unread: SumsState;
	/** The weight of all texts, those of the other voice included. */
	all: number;
	looks: readonly Look[];
	/** The number of texts at the first look that was unusual. */
	foundAt: number | null;
	readonly chart: ChartState;
};

/** Plain data. It is stored beside the digests, as part of `Followed`. */
export type MonitorState = {
	/** The number of texts since the validation or the last reset, own ones included. */
	texts: number;
	readonly conversations: ConversationsState<BaselineText>;
	/** The number and weight of each source's texts, without vectors. */
	talk: SumsState;
	readonly voices: Partial<Record<Voice, VoiceState>>;
	readonly changes: ChangesState;
	readonly uptake: UptakeState;
};

/** An event that a text or a pause caused. */
export type Happening =
	/** This conversation raised the chart above a limit. */
	| {readonly kind: 'alarm'; readonly voice: Voice; readonly conversation: readonly BaselineText[]}
	/** A look found the drift unusual. */
	| {readonly kind: 'unusual'; readonly voice: Voice; readonly look: Look}
	/** A source talks differently than before. */
	| {readonly kind: 'changed'; readonly source: string; readonly p: number}
	/** The agent speaks more like a source in conversations without it. */
	| TakenUp & {readonly kind: 'taken up'};

export const startMonitor = (ordinary: Ordinary): MonitorState => ({
	texts: 0,
	conversations: startConversations(),
	talk: startSums(),
	voices: Object.fromEntries(voices.flatMap(voice => ordinary[voice] ? [[voice, startVoice(ordinary[voice])]] : [])),
	changes: new Map(),
	uptake: startUptake(),
});

const startVoice = ({calibration}: OrdinaryVoice): VoiceState =>
	({sums: startSums(), unread: startSums(), all: 0, looks: [], foundAt: null, chart: startChart(calibration)});

export class Monitor {
	readonly #ordinary: Ordinary;
	readonly #state: MonitorState;
	readonly #conversations: Conversations<BaselineText>;
	readonly #voices: readonly FollowedVoice[];
	readonly #changes: ReturnType<typeof followChanges>;
	/** Whether the agent speaks more like a source. */
	readonly uptake: Uptakes;

	constructor(ordinary: Ordinary, state = startMonitor(ordinary)) {
		this.#ordinary = ordinary;
		this.#state = state;
		this.#conversations = new Conversations(ordinary, state.conversations);
		this.#voices = voices.flatMap(voice => {
			const [ordinaryVoice, followed] = [ordinary[voice], state.voices[voice]];
			return ordinaryVoice && followed ? [
				{voice, ordinary: ordinaryVoice, state: followed, chart: new Chart(ordinaryVoice.calibration, followed.chart)},
			] : [];
		});
		this.#changes = followChanges(ordinary.heard?.before ?? new Map(), ordinary.seed, state.changes);
		this.uptake = new Uptakes(ordinary.saidBefore, ordinary.seed, state.uptake);
	}

	take(text: BaselineText): Happening[] {
		const {ended, conversation} = this.#conversations.take(text);
		const happenings = this.#end(ended);
		this.#state.texts++;
		this.#weigh(text, conversation);
		return [...happenings, ...lookAt(this.#state.texts) === null ? [] : this.#look(text.time)];
	}

	/** Ends the conversations that have been silent for too long. @param now Milliseconds since the epoch. */
	endSilent(now: number): Happening[] {
		return this.#end(this.#conversations.endSilent(now));
	}

	/** When the next conversation times out; milliseconds since the epoch. Null if none is open. */
	get endsAt(): number | null {
		return this.#conversations.endsAt;
	}

	/** Follows a reset: the state has heard nothing since. The charts continue. */
	reset(): void {
		this.#state.texts = 0;
		this.#state.talk = startSums();
		for (const {ordinary, state} of this.#voices) {
			const {chart: _, ...fresh} = startVoice(ordinary);
			Object.assign(state, fresh);
		}
	}

	/** The number of texts since the validation or the last reset. */
	get texts(): number {
		return this.#state.texts;
	}

	/** Whether a voice's conversations are so much longer than in the baseline that chance has clearly more effect. */
	get isLonger(): boolean {
		return this.#voices.some(followed => effectOfLengths(followed, sumsOf(followed).meanLength) > noticeable);
	}

	/** Whether a few long conversations dominate the baseline of a voice. */
	get isOfFew(): boolean {
		return this.#voices.some(({ordinary: {isOfFew}}) => isOfFew);
	}

	/** Null if the baseline has too little of this voice. */
	voice(voice: Voice): FollowedVoice | null {
		return this.#voices.find(one => one.voice === voice) ?? null;
	}

	/** The texts, conversations and weight of each source that was heard; the rows are empty. */
	get talk(): WeightedSums {
		return new WeightedSums(0, this.#state.talk);
	}

	/** Whether a source talks differently than before. */
	changeOf(source: string): SourceChange {
		return this.#changes.of(source);
	}

	/** The distance of talk that moved nothing from ordinary talk, as {@link readTalk} defines it; null if the baseline is too small. */
	readTalk(texts: readonly BaselineText[]): number | null {
		const {heard, usesIds} = this.#ordinary;
		return heard && readTalk(conversationsOf(texts, usesIds), heard.calibration);
	}

	#weigh(text: BaselineText, {texts}: Conversation<BaselineText>): void {
		const {weight} = this.#ordinary;
		const {talk} = this;
		talk.fade(1 - weight);
		if (!text.isOwn) {
			// A young state forgets more slowly than this, but a text weighs no less in it.
			const isFirst = !texts.some(other => other !== text && other.source === text.source);
			talk.add(text.source, Math.max(weight, usualWeight), [], {isFirst});
		}

		for (const followed of this.#voices) {
			const [sums, unread] = [sumsOf(followed), unreadOf(followed)];
			sums.fade(1 - weight);
			unread.fade(1 - weight);
			followed.state.all += weight * (1 - followed.state.all);
			const {mean} = followed.ordinary;
			if (isOf(followed.voice, text)) {
				sums.add(text.source, weight, text.vector, {mean, place: texts.filter(other => isOf(followed.voice, other)).length});
				if (text.isUnread) {
					unread.add('', weight, text.vector, {mean});
				}
			}
		}
	}

	#look(time: number): Happening[] {
		return this.#voices.flatMap((followed): Happening[] => {
			const {voice, ordinary: {calibration, chance}, state} = followed;
			if (!isNextLook(chance, state.looks)) {
				return [];
			}

			state.looks = addLook(chance, state.looks, {time, distance: distanceOf(calibration.measure, comparedOf(followed).sums.total())});
			const look = state.looks.at(-1)!;
			if (look.p > unusualP) {
				return [];
			}

			state.foundAt ??= this.#state.texts;
			return [{kind: 'unusual', voice, look}];
		});
	}

	#end(ended: ReadonlyArray<Conversation<BaselineText>>): Happening[] {
		return ended.flatMap(({texts}): Happening[] => [
			...this.#voices.flatMap(followed => this.#endVoice(followed, texts)),
			...this.uptake.take(texts).map(found => ({kind: 'taken up', ...found} as const)),
		]);
	}

	#endVoice({voice, ordinary: {calibration}, chart}: FollowedVoice, texts: readonly BaselineText[]): Happening[] {
		const {measure, mean, repeating} = calibration;
		const own = texts.filter(text => isOf(voice, text));
		if (own.length === 0) {
			return [];
		}

		const wasAlarm = chart.isAlarm;
		const talk = sumBySource(measure, mean, own);
		const unread = own.filter(text => text.isUnread).map(text => ({...text, source: ''}));
		chart.add(own, talk, {unread: sumBySource(measure, mean, unread), counted: countedShare(own, repeating)});
		const alarm = chart.isAlarm && !wasAlarm ? [{kind: 'alarm', voice, conversation: texts} as const] : [];
		const changed = voice === 'heard' ? this.#changes.take(talk) : [];
		return [...alarm, ...changed.map(change => ({kind: 'changed', ...change} as const))];
	}
}

/** Y, by source. */
export const sumsOf = ({ordinary, state}: FollowedVoice): WeightedSums => new WeightedSums(ordinary.calibration.measure.width, state.sums);

/** The part of Y that comes from texts the model read badly. */
const unreadOf = ({ordinary, state}: FollowedVoice): WeightedSums => new WeightedSums(
	ordinary.calibration.measure.width, state.unread,
);

/** Both sums scaled for the comparison with the twins, which hear no more of the voice than the baseline has. */
export const comparedOf = (followed: FollowedVoice): {readonly sums: WeightedSums; readonly unread: WeightedSums} => {
	const sums = sumsOf(followed);
	const factor = comparedPart(sums.weight / followed.state.all, followed.ordinary.usualShare);
	return {sums: sums.times(factor), unread: unreadOf(followed).times(factor)};
};

/** The design effect: by how much chance has more effect in conversations of a mean length than in those of the baseline. */
export const effectOfLengths = ({ordinary: {chance: {clusters}}}: FollowedVoice, mean: number): number =>
	clusters ? effectOf(mean, clusters) : 1;

/** A smaller design effect is not reported: lengths differ by chance. */
const noticeable = 1 / 0.9 ** 2;

/** One voice of a monitored history. */
export type FollowedVoice = {readonly voice: Voice; readonly ordinary: OrdinaryVoice; readonly state: VoiceState; readonly chart: Chart};
