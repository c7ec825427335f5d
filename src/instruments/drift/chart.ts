/**
 * The conversation chart: whether what is said lately differs from the baseline by more than chance
 * (`docs/spec/instruments.md#5-conversation-chart-the-alarm-with-a-stated-rate`). It follows moving means
 * of ended conversations, and reads how long they are in the measure of ordinary talk.
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
import {joinedSource, startSums, WeightedSums, type SumsState} from './weighted-sums.ts';

/** Over how many conversations each moving mean goes. */
export const spans = [8, 32];

/** How many ordinary conversations pass between two false alarms, on the mean: 9 of 10 baselines keep it. */
export const statedRunLength = 1000;

/** What a chart goes by, fixed until the next validation. */
export type Calibration = {
	readonly measure: Measure;
	/** The mean of what is ordinary. */
	readonly mean: Float64Array;
	/** The cosine above which texts of one conversation repeat each other. */
	readonly repeating: number;
	/** The reading that ordinary conversations have on the mean. */
	readonly usual: number;
	/** The reading that each moving mean stays under, in the order of its span. */
	readonly charts: ReadonlyArray<{readonly span: number; readonly limit: number}>;
};

/** A text at which something began, or seems to. */
export type ChartSince = Pick<BaselineText, 'id' | 'source' | 'time'>;

/** The place of the reading that is nearest to its limit, or farthest above it. */
export const nearestLimit = (readings: readonly ChartReading[]): number => {
	const ratios = readings.map(({reading, limit}) => reading / limit);
	return ratios.indexOf(Math.max(...ratios));
};

/** The chart after a conversation. Plain data. */
export type ChartMoment = {
	/** When the text that ended it was said; milliseconds since the epoch. */
	readonly time: number;
	readonly readings: readonly ChartReading[];
};

/** After how many of the newest conversations a watch shows the chart. */
export const maxWatched = 32;

/** Notes what the conversations that have ended since made of a chart. @param most how many of the newest moments are kept at least */
export const noteMoment = (
	trail: ChartMoment[], {conversations, readings}: Pick<Chart, 'conversations' | 'readings'>, time: number, most: number,
): void => {
	if (conversations > 0 && readings !== trail.at(-1)?.readings) {
		trail.push({time, readings});
		if (trail.length > 2 * most) {
			trail.splice(0, most);
		}
	}
};

/** How many ids of a source are kept. */
const maxIds = 100;

/** What a chart keeps. Plain data. */
export type ChartState = {
	/** How many conversations it has followed. */
	conversations: number;
	readings: readonly ChartReading[];
	/** The moving means, in the order of the spans. */
	readonly means: readonly SumsState[];
	/** The parts of them that the model read badly. */
	readonly unread: readonly SumsState[];
	/** Since when each mean is longer than usual. */
	readonly since: Array<ChartSince | null>;
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
 * How far talk beside the chart lies from what is ordinary, beside as many ordinary conversations: 1 is usual.
 * @param conversations each with a text
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
	 * Follows an ended conversation.
	 *
	 * @param texts of the voice that is followed, at least one
	 * @param talk the same, summed up
	 * @param unread those that the model read badly, summed up
	 * @param counted how much each counts, where some repeat others
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
			// The change is where the mean was last as long as it usually is (Nishina 1992).
			this.#state.since[i] = reading <= this.#calibration.usual ? null : this.#state.since[i] ?? {id, source, time};
			return {span, limit, reading};
		});
	}

	/** As it is answered: the reading that is nearest to its limit, and what made it. */
	describe(): ConversationChart {
		const {conversations, readings} = this;
		const place = nearestLimit(readings);
		const since = this.since(place);
		return {
			conversations, readings, averageRunLength: statedRunLength, alarm: this.isAlarm,
			since: since && {id: since.id, source: since.source, timestamp: new Date(since.time).toISOString()},
			blame: conversations === 0 ? [] : describeBlame(this.blame(place)), unreadShare: this.unreadShare(place), moved: this.moved(place),
		};
	}

	/** Since when a mean is longer than usual: an estimate of when the talk changed. @param chart the place of its span */
	since(chart: number): ChartSince | null {
		return this.#state.since[chart]!;
	}

	/** How much of a reading texts made that the model read badly. @param chart the place of its span */
	unreadShare(chart: number): number {
		const total = this.#means[chart]!.total();
		const squares = product(total, total);
		// It is all of it where the rest went against it.
		return squares === 0 ? 0 : Math.min(1, product(this.#unread[chart]!.total(), total) / squares);
	}

	/**
	 * Who made a reading, the largest share first; the shares sum to 1. Nobody where the model read too much of it badly.
	 * @param chart the place of its span
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

	/** How many sources moved as a reading says. @param chart the place of its span */
	moved(chart: number): MovedAlike {
		const mean = this.#means[chart]!;
		const total = mean.total();
		return countAlike(mean.parts().map(({sources, weight, row}) => ({sources, weight, part: product(row, total)})));
	}

	#remember(texts: readonly Pick<BaselineText, 'id' | 'source'>[]): void {
		const {talk} = this.#state;
		for (const {id, source} of texts) {
			const known = talk.get(source);
			talk.set(source, {texts: (known?.texts ?? 0) + 1, ids: [id, ...known?.ids ?? []].slice(0, maxIds)});
		}

		// The means forget sources that are light.
		for (const source of talk.size > 4 * maxSources ? talk.keys() : []) {
			if (!this.#means.some(mean => mean.has(source))) {
				talk.delete(source);
			}
		}
	}
}

/** How many ids all sources have together: an answer with many sources stays small. */
const maxIdsOfAll = 2000;

const describeBlame = (blame: readonly ChartBlame[]): ConversationChart['blame'] => {
	const named = blame.filter(({source}) => source !== joinedSource).slice(0, maxSources);
	const others = blame.filter(one => !named.includes(one));
	const add = (what: 'share' | 'texts') => others.reduce((total, one) => total + one[what], 0);
	return [
		...named.map(one => ({...one, ids: one.ids.slice(0, maxIdsOfAll / named.length)})),
		...(others.length === 0 ? [] : [{source: 'others', others: others.length, share: add('share'), texts: add('texts'), ids: []}]),
	];
};
