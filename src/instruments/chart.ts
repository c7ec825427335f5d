/**
 * The visit chart: whether what is said lately differs from the baseline by more than chance
 * (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`). It follows moving means
 * of visits, and reads how long they are in the measure of ordinary talk.
 */
import {meanOf} from './apart.ts';
import {moveTowards, productOf, scale, type Whitened} from './whitened.ts';
import {whiten, type Project, type Whitener} from './whitener.ts';

/** What a chart goes by, fixed until the next validation. Plain data. */
export type Calibration = {
	readonly whitener: Whitener;
	/** How many ordinary visits pass between two false alarms, on the mean. */
	readonly averageRunLength: number;
	/** Over how many visits each moving mean goes, and the reading that it stays under. */
	readonly charts: ReadonlyArray<{readonly span: number; readonly limit: number}>;
};

/** The reading of one moving mean. About 1 is ordinary; over its limit it is an alarm. */
export type Reading = {readonly span: number; readonly reading: number; readonly limit: number};

/** What a chart knows after some visits. Plain data. */
export type ChartPosition<Facts = unknown> = {
	/** How many visits it has seen. */
	readonly visits: number;
	/** The moving means, whitened, in the order of the spans. */
	readonly means: readonly Whitened[];
	readonly readings: readonly Reading[];
	/** The newest visits that have weight, oldest first: what the caller knows of each, and the visit, whitened. */
	readonly recent: ReadonlyArray<{readonly facts: Facts; readonly whitened: Whitened}>;
};

/** A visit weighs as much from this many texts on. */
export const fullVisit = 8;

/** Beyond as many spans a visit weighs less than a billionth. */
const keptSpans = 10.5;

/** The weight of the newest visit in a moving mean. */
export const newestWeight = (span: number): number => 2 / (span + 1);

/** The squared length that a moving mean of ordinary long visits has after some of them, about: what is read is the length beside it. */
export const ordinaryLength = (span: number, visits: number): number => {
	const weight = newestWeight(span);
	return weight / (2 - weight) * (1 - (1 - weight) ** (2 * visits));
};

/** A visit as one observation, whitened: the mean of its texts, shorter for a short visit, because its mean is less sure. */
export const whitenVisit = (whitener: Whitener, texts: readonly Float32Array[], project?: Project): Whitened =>
	scale(whiten(whitener, meanOf(texts), project), Math.sqrt(Math.min(texts.length, fullVisit) / fullVisit));

/** The position of a chart before its first visit. */
export const startChart = <Facts = unknown>({whitener, charts}: Calibration): ChartPosition<Facts> => ({
	visits: 0,
	means: charts.map(() => ({vector: new Float64Array(whitener.mean.length), ordinary: new Float64Array(whitener.rows.length)})),
	readings: charts.map(chart => ({...chart, reading: 0})),
	recent: [],
});

/**
 * The position after one more visit.
 *
 * @param texts the vectors of the visit, at least one
 * @param facts what {@link blameOf} gives back of it
 */
export const addVisit = <Facts>({whitener, charts}: Calibration, before: ChartPosition<Facts>, texts: readonly Float32Array[], facts: Facts, project?: Project): ChartPosition<Facts> => {
	const visits = before.visits + 1;
	const whitened = whitenVisit(whitener, texts, project);
	const means = charts.map(({span}, chart) => moveTowards(before.means[chart]!, whitened, newestWeight(span)));
	const kept = Math.ceil(keptSpans * Math.max(...charts.map(({span}) => span)));
	return {
		visits,
		means,
		readings: charts.map(({span, limit}, chart) => ({span, limit, reading: productOf(means[chart]!, means[chart]!) / ordinaryLength(span, visits)})),
		recent: [...before.recent, {facts, whitened}].slice(-kept),
	};
};

/**
 * How much of a reading each of the newest visits made. One below 0 went against it.
 *
 * @param chart the place of its span
 * @returns oldest first; the shares sum to 1
 */
export const blameOf = <Facts>({charts}: Calibration, {means, recent}: ChartPosition<Facts>, chart: number): Array<{facts: Facts; share: number}> => {
	const weight = newestWeight(charts[chart]!.span);
	const parts = recent.map(({whitened}, i) => (1 - weight) ** (recent.length - 1 - i) * productOf(whitened, means[chart]!));
	const sum = parts.reduce((total, part) => total + part, 0);
	return recent.map(({facts}, i) => ({facts, share: parts[i]! / sum}));
};
