/**
 * Tests whether the agent speaks more like a source than it did (`docs/spec/instruments.md#6-sources`). It compares what the agent
 * says in conversations without that source, projected on the direction that sets the source apart from the others. It tests each
 * time the number of those conversations has doubled, and corrects p for all tests and all sources, as `changes.ts` does.
 */
import type {BaselineText} from '../../journal/validation.ts';
import {mulberry32} from '../../platform/clock.ts';
import {product} from '../../semiosis/covariance.ts';
import {spreadOf} from '../../semiosis/scale.ts';
import {isOf, maxSources} from '../source-of.ts';
import {everP, firstSmall, lookAfter} from './changes.ts';
import {dealEnough, minDealt, testAlong, type TalkAlong, type TalkSum} from './deal.ts';
import {whiten, type Measure} from './measure.ts';
import {joinedSource, startSums, WeightedSums, type SumsState} from './weighted-sums.ts';

/** Fewer texts say too little about what sets a source apart. */
export const minHeard = 20;

/** If the agent said one sentence in all conversations without a source, they differ by rounding alone, and an effect has no unit. */
const leastDeviation = 1e-9;

/** The number of newest conversations with own texts that are kept. */
const maxKept = 256;

/** The number of conversations among which the texts that show the uptake most are sought. */
const maxStrongest = 20;

/** What the agent said in a conversation, and who else spoke there. Texts that the model read badly are left out. */
type OwnTalk = TalkSum & {readonly ids: readonly string[]; readonly sources: readonly string[]};

/** How the agent spoke in the baseline. Plain data. */
export type SaidBefore = {
	readonly measure: Measure;
	readonly mean: Float64Array;
	/** From the drawn conversations of the baseline. */
	readonly talk: readonly OwnTalk[];
	/** The sources with at least {@link minHeard} texts there. */
	readonly sources: readonly string[];
};

export type SourceUptake = {
	/** The probability that chance ever brings the agent as near to any source; null before the first test. It never rises. */
	readonly p: number | null;
	/** The p of the last test alone, for one look and one source. */
	readonly now: number | null;
	/** How much more like the source the agent speaks, in standard deviations of ordinary conversations; from the last test. */
	readonly effect: number | null;
	/** The time of the source's first text since the validation, in milliseconds since the epoch. Null before its conversation ended. */
	readonly since: number | null;
};

/** A source whose way of speaking the agent was found to take up. */
export type TakenUp = {readonly source: string; readonly p: number; readonly effect: number; readonly since: number};

/** `first`: the number of own-text conversations that ended before its first; `without`: those since in which it said nothing. */
type Followed = SourceUptake & {readonly first: number; readonly without: number};

/** Plain data. */
export type UptakeState = {
	/** The sums of each source's texts. */
	readonly heard: SumsState;
	/** The newest own talk; `spoken` counts all there was. */
	readonly said: OwnTalk[];
	spoken: number;
	readonly sources: Map<string, Followed>;
};

export const startUptake = (): UptakeState => ({heard: startSums(), said: [], spoken: 0, sources: new Map()});

const nothing: SourceUptake = {p: null, now: null, effect: null, since: null};

/** @param drawn Conversations of the baseline. */
export const saidBefore = (measure: Measure, mean: Float64Array, drawn: ReadonlyArray<readonly BaselineText[]>): SaidBefore => ({
	measure, mean, talk: drawn.flatMap(texts => ownTalkOf({measure, mean}, texts)),
	sources: [...Map.groupBy(heardIn(drawn.flat()), ({source}) => source)].flatMap(([source, {length}]) => length < minHeard ? [] : [source]),
});

const heardIn = (texts: readonly BaselineText[]) => texts.filter(text => isOf('heard', text) && !text.isUnread);

const ownTalkOf = ({measure, mean}: Pick<SaidBefore, 'measure' | 'mean'>, texts: readonly BaselineText[]): OwnTalk[] => {
	const own = texts.filter(text => isOf('said', text) && !text.isUnread);
	const sum = new WeightedSums(measure.width);
	for (const {vector} of own) {
		sum.add(joinedSource, 1, vector, {mean});
	}

	const sources = [...new Set(texts.filter(text => isOf('heard', text)).map(({source}) => source))];
	return own.length === 0 ? [] : [{ids: own.map(({id}) => id), sources, texts: own.length, sum: whiten(measure, sum.total())}];
};

export class Uptakes {
	readonly #before: SaidBefore | null;
	readonly #seed: number;
	readonly #state: UptakeState;
	readonly #heard: WeightedSums;

	/** @param before Null if the agent says too little; then nothing is followed. */
	constructor(before: SaidBefore | null, seed: number, state = startUptake()) {
		this.#before = before;
		this.#seed = seed;
		this.#state = state;
		this.#heard = new WeightedSums(before?.measure.width ?? 0, state.heard);
	}

	/** Takes an ended conversation. @returns the sources that are found to be taken up for the first time */
	take(texts: readonly BaselineText[]): TakenUp[] {
		const before = this.#before;
		if (!before) {
			return [];
		}

		this.#hear(heardIn(texts));
		const [own] = ownTalkOf(before, texts);
		if (!own) {
			return [];
		}

		const {said, sources} = this.#state;
		this.#state.spoken++;
		said.push(own);
		said.splice(0, said.length - maxKept);
		return [...sources].flatMap(([source, followed]) => own.sources.includes(source) ? [] : this.#look(before, source, followed));
	}

	of(source: string): SourceUptake {
		const {p, now, effect, since} = this.#state.sources.get(source) ?? nothing;
		return {p, now, effect, since};
	}

	/**
	 * The own texts of the conversations that show the uptake most, the strongest first.
	 *
	 * @returns also the projection of a vector on the direction that sets the source apart; null if that direction is unknown
	 */
	strongest(source: string): {readonly ids: readonly string[]; readonly project: (vector: Float32Array) => number} | null {
		const direction = this.#before && this.#directionOf(this.#before.measure, source);
		if (!direction) {
			return null;
		}

		const {measure, mean} = this.#before!;
		const strength = new Map(this.#elsewhere(source).map(talk => [talk, product(talk.sum, direction) / talk.texts]));
		const ids = [...strength].toSorted(([, a], [, b]) => b - a).slice(0, maxStrongest).flatMap(([talk]) => talk.ids);
		return {ids, project: vector => product(whiten(measure, vector, mean), direction)};
	}

	#hear(texts: readonly BaselineText[]): void {
		const {sources, spoken} = this.#state;
		for (const {source, vector, time} of texts) {
			this.#heard.add(source, 1, vector);
			if (!sources.has(source)) {
				sources.set(source, {...nothing, since: time, first: spoken, without: 0});
			}
		}

		// The sums have joined sources that said little.
		for (const source of sources.size > 4 * maxSources ? sources.keys() : []) {
			if (!this.#heard.has(source)) {
				sources.delete(source);
			}
		}
	}

	#look(before: SaidBefore, source: string, followed: Followed): TakenUp[] {
		const without = followed.without + 1;
		const look = lookAfter(without);
		const tested = look === null ? null : this.#test(before, source, without);
		const p = tested === null ? followed.p : Math.min(followed.p ?? 1, everP([...Array<number>(look!).fill(1), tested.now], tested.among)!);
		const {now, effect} = tested ?? followed;
		this.#state.sources.set(source, {...followed, p, now, effect, without});
		return firstSmall(followed.p, p) ? [{source, p: p!, effect: effect!, since: followed.since!}] : [];
	}

	/** @returns `among`, the number of sources that could be tested */
	#test(before: SaidBefore, source: string, without: number): {now: number; effect: number; among: number} | null {
		const heard = this.#heard.parts().filter(part => part.added >= minHeard && part.source !== joinedSource).map(part => part.source);
		const talkBefore = before.talk.filter(({sources}) => !sources.includes(source));
		const direction = heard.includes(source) && talkBefore.length >= minDealt ? this.#directionOf(before.measure, source) : null;
		if (!direction) {
			return null;
		}

		const toAlong = ({texts, sum}: TalkSum): TalkAlong => ({texts, along: product(sum, direction)});
		const [ordinary, elsewhere] = [talkBefore.map(toAlong), this.#elsewhere(source).map(toAlong)];
		const {deviation} = spreadOf(ordinary.map(({texts, along}) => along / texts));
		if (deviation < leastDeviation) {
			return null;
		}

		const random = mulberry32(Math.imul(this.#seed, 0x9E_37_79_B1) ^ without);
		const {statistic, p} = dealEnough(deals => testAlong(ordinary, elsewhere, random, deals));
		return {now: p, effect: statistic / deviation, among: new Set([...before.sources, ...heard]).size};
	}

	/** The kept conversations without a source since its first one. */
	#elsewhere(source: string): OwnTalk[] {
		const {said, spoken, sources} = this.#state;
		const {first} = sources.get(source)!;
		return said.slice(Math.max(0, said.length - (spoken - first))).filter(talk => !talk.sources.includes(source));
	}

	/** The whitened direction that sets a source apart from the others; null if no other was heard. */
	#directionOf(measure: Measure, source: string): Float64Array | null {
		const parts = this.#heard.parts();
		const own = parts.find(part => part.source === source);
		const texts = parts.reduce((sum, {added}) => sum + added, 0) - (own?.added ?? 0);
		if (!own || texts === 0) {
			return null;
		}

		const all = this.#heard.total();
		return whiten(measure, own.row.map((value, i) => value / own.added - (all[i]! - value) / texts));
	}
}
