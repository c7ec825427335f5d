/**
 * The conversation chart shows whether recent talk differs from the baseline by more than chance
 * (`docs/spec/instruments.md#5-conversation-chart-the-alarm-with-a-stated-rate`). It is an EWMA chart: it keeps moving means of ended
 * conversations, and reads their squared lengths in the measure of ordinary talk.
 */
import type {ChartBlame, ChartReading, ConversationChart, MovedAlike} from '../../generated/types.ts';
import type {BaselineText} from '../../journal/validation.ts';
import {maxSources} from '../source-of.ts';
import {distanceOf, type Measure} from './measure.ts';
import {product} from '../../semiosis/covariance.ts';
import {countAlike} from './findings.ts';
import {newestWeight, observationOf, ordinaryLength, weightInObservation} from './observation.ts';
import {maxUnreadShare} from './baseline.ts';
import type {SourceTalk} from './deal.ts';
import {joinedSource, maxCounted, startSums, WeightedSums, type SumsState} from './weighted-sums.ts';

/** The number of conversations that each moving mean spans. */
export const spans = [8, 32];

/** The average run length, in ordinary conversations between two false alarms. Nine of ten baselines reach it. */
export const statedRunLength = 1000;

/** The parameters of a chart, fixed until the next validation. */
export type Calibration = {
	readonly measure: Measure;
	/** The mean of ordinary texts. */
	readonly mean: Float64Array;
	/** The cosine above which texts of one conversation repeat each other. */
	readonly repeating: number;
	/** The mean reading of ordinary conversations. */
	readonly usual: number;
	/** The limit of each moving mean's reading, in the order of {@link spans}. */
	readonly charts: ReadonlyArray<{readonly span: number; readonly limit: number}>;
};

/** The index of the reading with the largest ratio to its limit. */
export const nearestLimit = (readings: readonly ChartReading[]): number => {
	const ratios = readings.map(({reading, limit}) => reading / limit);
	return ratios.indexOf(Math.max(...ratios));
};

/** The chart after a conversation. Plain data. */
export type ChartMoment = {
	/** The time of the text that ended it; milliseconds since the epoch. */
	readonly time: number;
	readonly readings: readonly ChartReading[];
};

/** The number of newest moments of the chart that a watch shows. */
export const maxWatched = 32;

/** Appends the chart to a trail if a conversation ended since. @param most The trail keeps at least that many of the newest moments. */
export const noteMoment = (
	trail: ChartMoment[], chart: Pick<Chart, 'conversations' | 'readings'> | undefined, time: number, most: number,
): void => {
	if (chart && chart.conversations > 0 && chart.readings !== trail.at(-1)?.readings) {
		trail.push({time, readings: chart.readings});
		if (trail.length > 2 * most) {
			trail.splice(0, most);
		}
	}
};

/** The number of a source's newest text ids that are kept. */
const maxIds = 100;

/** The most ids that all sources have together, so that an answer with many sources stays small. */
const maxIdsOfAll = 2000;

/** Plain data. */
export type ChartState = {
	/** The number of conversations so far. */
	conversations: number;
	readings: readonly ChartReading[];
	/** The moving means, in the order of the spans. */
	readonly means: readonly SumsState[];
	/** The parts of the means that come from texts the model read badly. */
	readonly unread: readonly SumsState[];
	/** The text at which each mean's reading last rose above the usual one, where the change seems to begin; null while it is usual. */
	readonly since: Array<Pick<BaselineText, 'id' | 'source' | 'time'> | null>;
	readonly talk: Map<string, {readonly texts: number; readonly ids: readonly string[]}>;
};

export const startChart = ({charts}: Calibration): ChartState => ({
	conversations: 0,
	readings: charts.map(chart => ({...chart, reading: 0})),
	means: charts.map(startSums),
	unread: charts.map(startSums),
	since: charts.map(() => null),
	talk: new Map(),
});

/**
 * The squared distance of talk that the chart has not taken from ordinary talk, relative to as many ordinary conversations:
 * 1 is usual. @param conversations Each with at least one text.
 */
export const readTalk = (conversations: ReadonlyArray<readonly BaselineText[]>, {measure, mean, usual}: Calibration): number => {
	const sum = new Float64Array(measure.width);
	for (const texts of conversations) {
		for (const [i, value] of observationOf(texts.map(({vector}) => vector), mean).entries()) {
			sum[i]! += value;
		}
	}

	return distanceOf(measure, sum) ** 2 / (conversations.length * usual);
};

const countTexts = (sources: Iterable<{readonly texts: number}>): number => Array.from(sources).reduce((sum, {texts}) => sum + texts, 0);

export class Chart {
	readonly #calibration: Calibration;
	readonly #state: ChartState;
	readonly #means: readonly WeightedSums[];
	readonly #unread: readonly WeightedSums[];

	constructor(calibration: Calibration, state = startChart(calibration)) {
		this.#calibration = calibration;
		this.#state = state;
		const follow = (all: readonly SumsState[]) => all.map(sums => new WeightedSums(calibration.measure.width, sums));
		[this.#means, this.#unread] = [follow(state.means), follow(state.unread)];
	}

	get conversations(): number {
		return this.#state.conversations;
	}

	get readings(): readonly ChartReading[] {
		return this.#state.readings;
	}

	get isAlarm(): boolean {
		return this.readings.some(({reading, limit}) => reading > limit);
	}

	/**
	 * Adds an ended conversation.
	 *
	 * @param texts The texts of the chart's voice, at least one.
	 * @param talk Their sums by source.
	 * @param unread The sums of those that the model read badly.
	 * @param counted How much each text counts, from `countedShare`: under 1 if some repeat others.
	 */
	add(
		texts: readonly Pick<BaselineText, 'id' | 'source' | 'time'>[], talk: readonly SourceTalk[],
		{unread = [], counted = 1}: {unread?: readonly SourceTalk[]; counted?: number} = {},
	): void {
		this.#state.conversations++;
		this.#remember(texts);
		const {id, source, time} = texts[0]!;
		const length = weightInObservation(texts.length, counted);
		this.#state.readings = this.#calibration.charts.map(({span, limit}, i) => {
			const mean = this.#means[i]!;
			const weight = newestWeight(span);
			for (const [sums, said] of [[mean, talk], [this.#unread[i]!, unread]] as const) {
				sums.fade(1 - weight);
				for (const one of said) {
					sums.add(one.source, weight * length * one.texts, one.sum.map(value => value / one.texts));
				}
			}

			const total = mean.total();
			const reading = product(total, total) / ordinaryLength(span, this.conversations);
			// The change is estimated at the point where the reading was last at its usual value (Nishina 1992).
			this.#state.since[i] = reading <= this.#calibration.usual ? null : this.#state.since[i] ?? {id, source, time};
			return {span, limit, reading};
		});
	}

	/** The chart in the form of an answer. Change, blame and shares are those of the reading nearest to its limit. */
	describe(): ConversationChart {
		const {conversations, readings} = this;
		const place = nearestLimit(readings);
		const since = this.#state.since[place]!;
		return {
			conversations, readings, averageRunLength: statedRunLength, alarm: this.isAlarm,
			since: since && {id: since.id, source: since.source, timestamp: new Date(since.time).toISOString()},
			blame: conversations === 0 ? [] : this.#describeBlame(place), unreadShare: this.unreadShare(place), moved: this.moved(place),
		};
	}

	/** The share of a reading that comes from texts the model read badly, at most 1. @param chart The index of the span. */
	unreadShare(chart: number): number {
		const total = this.#means[chart]!.total();
		const squares = product(total, total);
		// The quotient is over 1 if the other texts point the other way.
		return squares === 0 ? 0 : Math.min(1, product(this.#unread[chart]!.total(), total) / squares);
	}

	/**
	 * The share of each source in a reading, the largest first; the shares sum to 1. Empty if the model read too much of it badly.
	 * @param chart The index of the span.
	 */
	blame(chart: number): ChartBlame[] {
		if (this.unreadShare(chart) > maxUnreadShare) {
			return [];
		}

		const mean = this.#means[chart]!;
		const total = mean.total();
		const squares = product(total, total);
		return mean.parts().map(
			({source, row}) => ({source, share: product(row, total) / squares, ...this.#state.talk.get(source) ?? {texts: 0, ids: []}}),
		)
			.toSorted((a, b) => b.share - a.share);
	}

	/** The number of sources that moved in the direction of a reading. @param chart The index of the span. */
	moved(chart: number): MovedAlike {
		const mean = this.#means[chart]!;
		const total = mean.total();
		return countAlike(mean.parts().map(({source, weight, row}) => ({source, weight, part: product(row, total)})), this.#state.talk.size);
	}

	#describeBlame(chart: number): ConversationChart['blame'] {
		const {talk} = this.#state;
		const blame = this.blame(chart);
		const named = blame.filter(({source}) => source !== joinedSource).slice(0, maxSources);
		const others = blame.filter(one => !named.includes(one));
		return [
			...named.map(one => ({...one, ids: one.ids.slice(0, maxIdsOfAll / named.length)})),
			...(others.length === 0 ? [] : [{
				source: 'others', others: talk.size - named.length, share: others.reduce((sum, {share}) => sum + share, 0),
				texts: countTexts(talk.values()) - countTexts(named), ids: [],
			}]),
		];
	}

	#remember(texts: readonly Pick<BaselineText, 'id' | 'source'>[]): void {
		const {talk} = this.#state;
		for (const {id, source} of texts) {
			const known = talk.get(source);
			talk.set(source, {texts: (known?.texts ?? 0) + 1, ids: [id, ...known?.ids ?? []].slice(0, maxIds)});
		}

		// The means have joined the lightest sources. Of these the number of texts is enough.
		for (const [source, {texts: count}] of talk.size > 4 * maxSources ? talk : []) {
			if (talk.size > maxCounted) {
				talk.delete(source);
			} else if (!this.#means.some(mean => mean.has(source))) {
				talk.set(source, {texts: count, ids: []});
			}
		}
	}
}
