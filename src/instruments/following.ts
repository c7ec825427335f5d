/**
 * Follows a history since its validation, text by text, for questions about drift and for the watch. Its state is plain data, from
 * which a later question resumes.
 */
import type {BaselineText, Chance} from '../journal/validation.ts';
import type {JournalEntry, StoredCycle} from '../journal/journal.ts';
import type {Rows, StateTensor} from '../kernel/state-tensor.ts';
import {maxTexts, toBaselineText} from './drift/baseline.ts';
import {maxWatched, noteMoment, type ChartMoment} from './drift/chart.ts';
import {examine, twinTalkFor, type Examined} from './drift/examine.ts';
import {Monitor, startMonitor, type MonitorState} from './drift/monitor.ts';
import {chanceOf, prepareOrdinary, unknownOrdinary, type Ordinary, type OrdinaryTalk} from './drift/ordinary.ts';
import {learnNovelty, type OrdinaryNovelty} from './drift/strangers.ts';
import {startSums, WeightedSums, type SumsState} from './drift/weighted-sums.ts';
import {withOwnBuffers} from '../platform/own-buffers.ts';
import {maxOwn, type OwnOutput} from './echo-guard.ts';
import type {Instrument, InstrumentStart} from './instrument.ts';
import {saidAtOf, voices, type Voice} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type Edge, type Stretch} from './stretch.ts';
import {startProducts, unrollFrom, type Factors, type Products} from './unroll.ts';

/** One of the agent's texts, and the number of its record. */
export type OwnPlace = Pick<StoredCycle, 'id' | 'timestamp'> & {readonly seq: number};

/** The state beside the monitor's. Plain data. */
type Kept = {
	/** The newest own texts, oldest first. The watch compares others' texts with them. */
	readonly own: OwnOutput[];
	/** The newest own texts by id, if the baseline covers them; each vector is as wide as the measure. */
	readonly said: Map<string, OwnPlace & {readonly vector: Float32Array}>;
	/** The chart of the voice `heard` after each of the newest conversations, oldest first. */
	readonly trail: ChartMoment[];
	/** The unfaded sums of each source that was heard; `excess` is the difference from the ordinary in the state, by the ledger. */
	talked: SumsState;
	excess: SumsState;
	products: Products;
	/** The time of the first text if it was imported; ISO 8601, UTC. Null if it was said as its cycle ran. */
	importedFrom: string | null;
	isHashed: boolean;
	/** The final distances of the twins, for voices that have reached the horizon of p. */
	twins: Partial<Record<Voice, Float64Array>>;
};

/** A history followed up to a record. Plain data, which is stored: its keys cannot change without a new form. */
export type Followed = {
	readonly chance: Chance;
	readonly ordinary: Ordinary;
	readonly life: MonitorState;
	readonly kept: Kept;
	readonly stretch: {readonly begins: BeginningKind; readonly from: Edge; readonly to: Edge; readonly cycles: number};
};

/** The number of newest own texts in `said`. */
const maxSaid = 1000;

/** The number of moments of the chart that are kept. */
export const maxTrail = 2000;

const noVector = new Float32Array();

/** Follows a history from a given state onwards. */
export class Following {
	readonly monitor: Monitor;
	/** The monitor's. */
	readonly state: MonitorState;
	/** Null without a sufficient baseline. */
	readonly chance: Chance | null;
	readonly ordinary: Ordinary;
	readonly kept: Kept;
	readonly #talk: OrdinaryTalk | null;
	readonly #stretch: ReturnType<typeof collectStretch<null>>;
	#texts = 0;
	/** Without a validation, the newest texts, from which a baseline could be made; without their vectors. */
	#newest: BaselineText[] = [];

	/** @param resumed The earlier run to continue; null to start with these records. */
	constructor(start: InstrumentStart, talk: OrdinaryTalk | null, resumed: Followed | null) {
		this.#talk = talk;
		this.chance = resumed ? resumed.chance : talk && chanceOf(talk);
		this.ordinary = resumed?.ordinary ?? (this.chance ? prepareOrdinary(talk!.texts, this.chance) : unknownOrdinary);
		this.state = resumed?.life ?? startMonitor(this.ordinary);
		this.monitor = new Monitor(this.ordinary, this.state);
		this.kept = resumed?.kept ?? {
			own: ownOf(talk), said: new Map(), trail: [], ...startWeights(start.start.state.rows), importedFrom: null, isHashed: false, twins: {},
		};
		let isRestored = resumed === null;
		this.#stretch = collectStretch(start, ({rows}, isNewStretch) => {
			if (isNewStretch && isRestored) {
				this.#beginAgain(rows);
			}

			const unroll = unrollFrom(rows, this.kept.products);
			return (cycle, seq) => this.#take(cycle, seq, unroll(cycle));
		});
		if (resumed) {
			this.#texts = resumed.stretch.cycles;
			this.#stretch.takeDigest(resumed.stretch, () => Array<null>(this.#texts).fill(null));
			isRestored = true;
		}
	}

	take(entries: readonly JournalEntry[]): void {
		this.#stretch.take(entries);
	}

	collected(): Stretch<null> {
		return this.#stretch.collected();
	}

	get newest(): readonly BaselineText[] {
		return this.#newest.slice(-maxTexts);
	}

	/** The unfaded sums of each source that was heard. */
	get talked(): WeightedSums {
		return this.#sumsOf(this.kept.talked);
	}

	/** The difference from the ordinary in the state, by the ledger. */
	get excess(): WeightedSums {
		return this.#sumsOf(this.kept.excess);
	}

	/** Compares a voice with its twins. */
	examine(voice: Voice): Examined {
		const {chance, monitor} = this;
		const followed = monitor.voice(voice)!;
		const sources = voice === 'heard' ? monitor.talk.sources : undefined;
		const talk = twinTalkFor(followed, this.#talk!.texts, chance!);
		const examined = examine(followed, talk, Math.min(monitor.texts, chance!.horizon), sources);
		this.kept.twins = this.#isWhole ? {...this.kept.twins, [voice]: examined.distances} : this.kept.twins;
		return examined;
	}

	/** The distances of a voice's twins; null if they have to be drawn again. */
	twinsOf(voice: Voice): Float64Array | null {
		return this.#isWhole ? this.kept.twins[voice] ?? null : null;
	}

	/** The state from which a later run resumes; null without a sufficient baseline. */
	followed(): Followed | null {
		const {chance, ordinary, monitor, kept} = this;
		if (!chance) {
			return null;
		}

		for (const voice of this.#isWhole ? voices.filter(one => monitor.voice(one) && !this.twinsOf(one)) : []) {
			this.examine(voice);
		}

		const {begins, from, to, cycles} = this.collected();
		return {chance, ordinary, life: this.state, kept, stretch: {begins, from: toEdge(from), to: toEdge(to), cycles: cycles.length}};
	}

	/** Whether the horizon of p is reached, after which the twins do not change. */
	get #isWhole(): boolean {
		return this.chance !== null && this.monitor.texts >= this.chance.horizon;
	}

	#sumsOf(sums: SumsState): WeightedSums {
		return new WeightedSums(this.ordinary.heard?.calibration.measure.width ?? 0, sums);
	}

	#beginAgain(rows: Rows): void {
		Object.assign(this.kept, {...startWeights(rows), importedFrom: null} satisfies Partial<Kept>);
		this.monitor.reset();
		[this.#newest, this.#texts] = [[], 0];
	}

	#take(cycle: StoredCycle, seq: number, {kept: left, text: weight}: Factors): null {
		const {ordinary: {heard}, kept, monitor} = this;
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
		monitor.take(text);
		noteMoment(kept.trail, monitor.voice('heard')?.chart, text.time, maxTrail);
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

/** The newest own texts of the baseline, oldest first. */
const ownOf = (talk: OrdinaryTalk | null): OwnOutput[] => (talk?.texts ?? []).flatMap(
	({id, isOwn, time, vector}) => isOwn ? [{id, timestamp: new Date(time).toISOString(), vector}] : [],
).slice(-maxOwn);

/** Keeps at least as many texts as the largest baseline, and fewer than twice that. */
const takeNewest = (newest: BaselineText[], text: BaselineText): BaselineText[] => {
	newest.push({...text, vector: noVector});
	return newest.length < 2 * maxTexts ? newest : newest.slice(-maxTexts);
};

/** @property resumed The earlier run to continue; null to start with the records. */
export type FollowQuestion = {readonly ordinary: OrdinaryTalk; readonly resumed: Followed | null};

/** Follows the history since a validation. The answer is null if the baseline is too small. */
export const runFollow: Instrument<FollowQuestion, Followed | null> = (start, {ordinary, resumed}) => {
	const following = new Following(start, ordinary, resumed);
	return {
		take: entries => following.take(entries),
		answer: () => following.followed(),
	};
};

/** @property asksStrangers Whether the novelty of ordinary texts is wanted too. */
export type WatchQuestion = FollowQuestion & {readonly asksStrangers: boolean};

export type WatchStart = Readonly<Pick<Following['kept'], 'own' | 'trail'>> & {
	/** Null if the baseline is too small. */
	readonly monitor: Readonly<Pick<Following, 'ordinary' | 'state'>> | null;
	/** Null if not asked for, or if the baseline is too small. */
	readonly novelty: OrdinaryNovelty | null;
};

/** Run it over the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = (start, {ordinary: talk, resumed, asksStrangers}) => {
	const following = new Following(start, talk, resumed);
	const {chance, ordinary, state, kept: {own, trail}} = following;
	return {
		take: entries => following.take(entries),
		// What was restored from a file has views of the whole file, and the watch stays in memory.
		answer: () => withOwnBuffers({
			monitor: chance && {ordinary, state},
			own,
			trail: trail.slice(-maxWatched),
			novelty: asksStrangers && chance ? learnNovelty(talk.texts, ordinary.usesIds, start.rules.kernel) : null,
		}),
	};
};
