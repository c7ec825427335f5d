/**
 * Vigilance: how far the state has drifted from the reference (`docs/spec/numerics.md#vigilance`).
 * A check is a pure function of the previous one.
 */
import type {Kernel} from '../kernel/kernel.ts';
import {dimensions, type Dimension} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';

/** The alert level of a drift check. */
export type Level = 'ok' | 'warning' | 'critical';

export type Thresholds = {
	/** Cumulative drift over this is a warning. */
	cumulative: number;
	/** Cumulative drift over this multiple of `cumulative` is critical. */
	criticalMultiplier: number;
	/** A step of one cycle over this is a warning. */
	perCycle: number;
	/** A dimension farther than this from the reference is drifting. */
	perDimension: number;
};

export const defaultThresholds: Thresholds = {cumulative: 0.01, criticalMultiplier: 2, perCycle: 0.002, perDimension: 0.05};

/** The result of a check. */
export type Vigilance = {
	/** The rows that were checked. The next check measures its step from them. */
	readonly rows: Rows;
	readonly report: DriftReport;
};

class Check implements Vigilance {
	readonly rows: Rows;
	readonly report: DriftReport;

	constructor(rows: Rows, report: DriftReport) {
		this.rows = rows;
		this.report = report;
	}

	/** One line instead of 8192 numbers, so that logs and inspectors stay readable. */
	toJSON(): string {
		return `vigilance ${this.report.level}, cumulative drift ${this.report.cumulativeDrift}`;
	}
}

type DriftReport = {
	level: Level;
	/** The sum of the steps since the start or a reset. */
	cumulativeDrift: number;
	/** ‖X − P‖ / ‖P‖ of this check. */
	perCycle: number;
	/** 1 − cos(X_d, R_d) per dimension. */
	distances: Float64Array;
	/** The three dimensions farthest from the reference, farthest first. */
	top: Dimension[];
	/** A sentence with the figures; null for ok. */
	message: string | null;
};

/** Checks a state without a previous check: the step is 0. @param cumulativeDrift The cumulative drift before a restart. */
export const startVigilance = (
	kernel: Kernel, state: Rows, reference: Rows, cumulativeDrift = 0, thresholds = defaultThresholds,
): Vigilance => {
	const {distances} = kernel.drift(state, reference);
	return new Check(state, assess(distances, cumulativeDrift, 0, thresholds));
};

/** Checks a state against the reference and against the state of the previous check. */
export const checkDrift = (
	kernel: Kernel, previous: Vigilance, state: Rows, reference: Rows, thresholds = defaultThresholds,
): Vigilance => {
	const {distances, perCycle} = kernel.drift(state, reference, previous.rows);
	return new Check(state, assess(distances, previous.report.cumulativeDrift + perCycle, perCycle, thresholds));
};

/** The report of another check of the same state: the step is 0, so only level and message may differ. */
export const unchangedReport = ({report}: Vigilance): DriftReport =>
	assess(report.distances, report.cumulativeDrift, 0, defaultThresholds);

/**
 * Describes the cumulative drift: the path grows with the number of texts, and only the net distance shows where they led.
 *
 * @param beginning The rows before the first step that the report counts.
 * @param cycles The number of cycles since then; null if unknown.
 */
export const describePath = (
	kernel: Kernel, {rows, report: {cumulativeDrift}}: Vigilance, beginning: Rows, cycles: number | null,
): string => {
	// Measured as a step is: relative to the length of all eight rows.
	const {perCycle: net} = kernel.drift(rows, beginning, beginning);
	const made = cycles === null ? '' : ` in ${cycles.toLocaleString('en-US')} ${cycles === 1 ? 'cycle' : 'cycles'}`;
	return `Path travelled ${tenths(cumulativeDrift)}${made}; net distance ${tenths(net)}.`;
};

const assess = (distances: Float64Array, cumulativeDrift: number, perCycle: number, thresholds: Thresholds): DriftReport => {
	const order = farthestFirst(distances);
	const top = order.slice(0, 3).map(d => dimensions[d]!);
	const drifting = order.filter(d => distances[d]! > thresholds.perDimension).map(d => dimensions[d]!);
	const [level, message] = judge(cumulativeDrift, perCycle, drifting, thresholds);
	return {level, cumulativeDrift, perCycle, distances, top, message};
};

/** The indices of the dimensions by distance, equal distances in the order of the dimensions. */
const farthestFirst = (distances: Float64Array): number[] =>
	[...distances.keys()].toSorted((one, other) => distances[other]! - distances[one]!);

const judge = (cumulative: number, perCycle: number, drifting: Dimension[], thresholds: Thresholds): [Level, string | null] => {
	const critical = thresholds.cumulative * thresholds.criticalMultiplier;
	if (cumulative > critical) {
		return ['critical', `The state has drifted ${percent(cumulative)} in all, over the critical ${percent(critical)}.`];
	}

	if (cumulative > thresholds.cumulative) {
		return ['warning', `The state has drifted ${percent(cumulative)} in all, over the warning at ${percent(thresholds.cumulative)}.`];
	}

	if (drifting.length > 2) {
		return [
			'warning',
			`${drifting.length} dimensions lie more than ${percent(thresholds.perDimension)} from the reference: ${drifting.join(', ')}.`,
		];
	}

	if (perCycle > thresholds.perCycle) {
		return ['warning', `One cycle moved the state by ${percent(perCycle)}, over the limit of ${percent(thresholds.perCycle)}.`];
	}

	return ['ok', null];
};

const tenths = (share: number): string => `${(share * 100).toFixed(1)} %`;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
