/**
 * A history since its validation as drift and its chart follow it, text by text. What is kept of it is plain data, from which a
 * later question continues.
 */
import type {BaselineText, Chance} from '../journal/validation.ts';
import type {JournalEntry, StoredCycle} from '../journal/journal.ts';
import type {Rows, StateTensor} from '../kernel/state-tensor.ts';
import {maxTexts, toBaselineText} from './drift/baseline.ts';
import {noteMoment, type ChartMoment} from './drift/chart.ts';
import {examine, twinTalkFor, type Examined} from './drift/examine.ts';
import {Life, startLife, type LifeState} from './drift/life.ts';
import {chanceOf, prepareOrdinary, unknownOrdinary, type Ordinary, type OrdinaryTalk} from './drift/ordinary.ts';
import {startSums, WeightedSums, type SumsState} from './drift/weighted-sums.ts';
import {maxOwn, type OwnOutput} from './echo-guard.ts';
import type {Instrument, InstrumentStart} from './instrument.ts';
import {saidAtOf, voices, type Voice} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type CollectedStretch, type Edge, type Stretch} from './stretch.ts';
import {startProducts, unrollFrom, type Factors, type Products} from './unroll.ts';

/** A text of the agent, and its record. */
export type OwnPlace = Pick<StoredCycle, 'id' | 'timestamp'> & {readonly seq: number};

/** What is kept of the texts, in their order. Plain data. */
type Kept = {
	/** What a watch compares texts with: the newest that it said itself, oldest first. */
	readonly own: OwnOutput[];
	/** The newest own texts, by id, where it is known what is ordinary of them; each vector as wide as its measure. */
	readonly said: Map<string, OwnPlace & {readonly vector: Float32Array}>;
	/** The chart of what was heard after each of the newest conversations, oldest first. */
	readonly trail: ChartMoment[];
	/** What was heard of each source, unfaded; and the difference that the state has, by the ledger. */
	talked: SumsState;
	excess: SumsState;
	products: Products;
	/** When the first text was said, where it was imported; ISO 8601, UTC. Null for one that was said as its cycle ran. */
	importedFrom: string | null;
	isHashed: boolean;
	/** How far the twins are after all texts that p holds for, which stays as it is; of the voices that had so many. */
	twins: Partial<Record<Voice, Float64Array>>;
};

/** A history that was followed up to a record. Plain data. */
export type Followed = {
	readonly chance: Chance;
	readonly ordinary: Ordinary;
	readonly life: LifeState;
	readonly kept: Kept;
	readonly stretch: {readonly begins: BeginningKind; readonly from: Edge; readonly to: Edge; readonly cycles: number};
};

/** How many of the newest own texts are kept. */
const maxSaid = 1000;

/** How many moments of the chart are kept. */
export const maxTrail = 2000;

const noVector = new Float32Array();

/** A history that is followed since a moment. */
export class Following {
	readonly life: Life;
	/** What is kept of it. */
	readonly state: LifeState;
	/** Null where too little says what is ordinary. */
	readonly chance: Chance | null;
	readonly ordinary: Ordinary;
	readonly kept: Kept;
	readonly #talk: OrdinaryTalk | null;
	readonly #stretch: CollectedStretch<null>;
	#texts = 0;
	/** Without a validation: the newest texts, of which a baseline could be made; without their vectors. */
	#newest: BaselineText[] = [];

	/** @param goesOn what was followed up to where the records begin; null where it begins with them */
	constructor(start: InstrumentStart, talk: OrdinaryTalk | null, goesOn: Followed | null) {
		this.#talk = talk;
		this.chance = goesOn ? goesOn.chance : talk && chanceOf(talk);
		this.ordinary = goesOn?.ordinary ?? (this.chance ? prepareOrdinary(talk!.texts, this.chance) : unknownOrdinary);
		this.state = goesOn?.life ?? startLife(this.ordinary);
		this.life = new Life(this.ordinary, this.state);
		this.kept = goesOn?.kept ?? {
			own: ownOf(talk), said: new Map(), trail: [], ...startWeights(start.start.state.rows), importedFrom: null, isHashed: false, twins: {},
		};
		let isRestored = goesOn === null;
		this.#stretch = collectStretch(start, ({rows}, isAnew) => {
			if (isAnew && isRestored) {
				this.#beginAgain(rows);
			}

			const unroll = unrollFrom(start.rules.kernel, rows, this.kept.products);
			return (cycle, _, seq) => this.#take(cycle, seq, unroll(cycle));
		});
		if (goesOn) {
			this.#texts = goesOn.stretch.cycles;
			this.#stretch.takeDigest(goesOn.stretch, () => Array<null>(this.#texts).fill(null));
			isRestored = true;
		}
	}

	/** Takes the next records. */
	take(entries: readonly JournalEntry[]): void {
		this.#stretch.take(entries);
	}

	collected(): Stretch<null> {
		return this.#stretch.collected();
	}

	get newest(): readonly BaselineText[] {
		return this.#newest.slice(-maxTexts);
	}

	/** All that it holds beside what it was asked. */
	get data(): readonly unknown[] {
		return [this.ordinary, this.state, this.kept, this.#newest];
	}

	/** What was heard of each source, unfaded. */
	get talked(): WeightedSums {
		return this.#sumsOf(this.kept.talked);
	}

	/** The difference that the state has, by the ledger. */
	get excess(): WeightedSums {
		return this.#sumsOf(this.kept.excess);
	}

	/** Compares a voice with its twins. */
	examine(voice: Voice): Examined {
		const [{texts}, chance, followed] = [this.#talk!, this.chance!, this.life.voice(voice)!];
		const examined = examine(followed, twinTalkFor(followed, texts, chance), Math.min(this.life.texts, chance.horizon));
		this.kept.twins = this.#isWhole ? {...this.kept.twins, [voice]: examined.distances} : this.kept.twins;
		return examined;
	}

	/** How far the twins of a voice are; null where they have to be drawn again. */
	twinsOf(voice: Voice): Float64Array | null {
		return this.#isWhole ? this.kept.twins[voice] ?? null : null;
	}

	/** What a later one continues from; null where too little says what is ordinary. */
	followed(): Followed | null {
		const {chance, ordinary, life, kept} = this;
		if (!chance) {
			return null;
		}

		for (const voice of this.#isWhole ? voices.filter(one => life.voice(one) && !this.twinsOf(one)) : []) {
			this.examine(voice);
		}

		const {begins, from, to, cycles} = this.collected();
		return {chance, ordinary, life: this.state, kept, stretch: {begins, from: toEdge(from), to: toEdge(to), cycles: cycles.length}};
	}

	/** Whether the twins stay as they are: p holds for no more texts. */
	get #isWhole(): boolean {
		return this.chance !== null && this.life.texts >= this.chance.horizon;
	}

	#sumsOf(sums: SumsState): WeightedSums {
		return new WeightedSums(this.ordinary.heard?.calibration.measure.width ?? 0, sums);
	}

	#beginAgain(rows: Rows): void {
		Object.assign(this.kept, {...startWeights(rows), importedFrom: null} satisfies Partial<Kept>);
		this.life.reset();
		[this.#newest, this.#texts] = [[], 0];
	}

	#take(cycle: StoredCycle, seq: number, {kept: left, text: weight}: Factors): null {
		const {ordinary: {heard}, kept, life} = this;
		kept.importedFrom = this.#texts === 0 && cycle.origin === 'import' ? saidAtOf(cycle) : kept.importedFrom;
		this.#texts++;
		kept.isHashed ||= cycle.isHashed;
		const text = toBaselineText(cycle);
		this.excess.fade(left);
		if (heard && !text.isOwn) {
			this.talked.add(text.source, 1, text.vector, {mean: heard.calibration.mean});
			this.excess.add('', weight, text.vector, {mean: heard.mean});
		}

		this.#remember(cycle, seq, text);
		this.#newest = this.#talk ? this.#newest : takeNewest(this.#newest, text);
		life.take(text);
		const chart = life.voice('heard')?.chart;
		if (chart) {
			noteMoment(kept.trail, chart, text.time, maxTrail);
		}

		return null;
	}

	#remember(cycle: StoredCycle, seq: number, {isOwn, vector}: BaselineText): void {
		const {kept: {own, said}, ordinary: {saidBefore}} = this;
		const [id, timestamp] = [cycle.id, saidAtOf(cycle)];
		if (isOwn) {
			own.push({id, timestamp, vector});
			own.splice(0, own.length - maxOwn);
		}

		if (isOwn && saidBefore) {
			said.set(id, {id, timestamp, seq, vector: vector.slice(0, saidBefore.measure.width)});
			said.delete(said.size > maxSaid ? said.keys().next().value! : '');
		}
	}
}

const startWeights = (rows: Rows) => ({talked: startSums(), excess: startSums(), products: startProducts(rows)});

const toEdge = (state: StateTensor): Edge => ({...toPastState(state), thirdness: state.row('thirdness')});

/** What an identity said itself of what is ordinary: the newest, oldest first. */
const ownOf = (talk: OrdinaryTalk | null): OwnOutput[] => (talk?.texts ?? []).flatMap(
	({id, isOwn, time, vector}) => isOwn ? [{id, timestamp: new Date(time).toISOString(), vector}] : [],
).slice(-maxOwn);

/** Keeps what a baseline would, and up to as much again. */
const takeNewest = (newest: BaselineText[], text: BaselineText): BaselineText[] => {
	newest.push({...text, vector: noVector});
	return newest.length < 2 * maxTexts ? newest : newest.slice(-maxTexts);
};

/** What a history is followed with. @property goesOn what was followed up to where its records begin; null where it begins */
export type FollowQuestion = {readonly ordinary: OrdinaryTalk; readonly goesOn: Followed | null};

/** Follows the life since a validation. It answers null for a baseline that says too little. */
export const runFollow: Instrument<FollowQuestion, Followed | null> = (start, {ordinary, goesOn}) => {
	const following = new Following(start, ordinary, goesOn);
	return {
		take: entries => following.take(entries),
		answer: () => following.followed(),
	};
};
