/** Calibrates the visit chart by a baseline (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`). */
import type {Random} from '../platform/clock.ts';
import {isEnough, type Baseline} from './baseline.ts';
import {whitenVisit, type Calibration} from './chart.ts';
import {findLimits} from './limits.ts';
import {visitsOf} from './visits.ts';
import {makeWhitener, type Project} from './whitener.ts';

/** How a chart is calibrated. */
export type CalibrationOptions = {
	/** How many ordinary visits pass between two false alarms, on the mean. @default 1000 */
	readonly averageRunLength?: number;
	/** Over how many visits each moving mean goes. @default [8, 32] */
	readonly spans?: readonly number[];
	/** How much of Σ_a is the same in all dimensions. @default 0.2 */
	readonly shrinkage?: number;
	readonly random: Random;
	/** How vectors are multiplied with the whitener's rows; exactly by default. */
	readonly project?: Project;
};

/**
 * Every second visit says what is ordinary. The others are new to that measure, as future visits
 * are, and say how far ordinary visits lie from it.
 *
 * @returns null for a baseline that says too little
 */
export const calibrate = (baseline: Baseline, {averageRunLength = 1000, spans = [8, 32], shrinkage = 0.2, random, project}: CalibrationOptions): Calibration | null => {
	if (!isEnough(baseline)) {
		return null;
	}

	const visits = visitsOf(baseline).map(visit => visit.map(({vector}) => vector));
	const whitener = makeWhitener(visits.filter((_, i) => i % 2 === 0).flat(), shrinkage);
	const others = visits.filter((_, i) => i % 2 === 1).map(visit => whitenVisit(whitener, visit, project));
	const limits = findLimits(others, {spans, averageRunLength, random});
	return {whitener, averageRunLength, charts: spans.map((span, i) => ({span, limit: limits[i]!}))};
};
