/** The configuration of the daemon's loop. */
import {ConfigurationError} from '../platform/errors.ts';
import {longestInterval} from '../platform/ranges.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';

/** The pace of the loop, and the probabilities of its themes, which sum to 1. */
export type LoopConfig = {
	/** Seconds between cycles, above 0 and at most 2,000,000. */
	readonly cycleIntervalSeconds: number;
	/** The share of free rumination, 0 to 1. */
	readonly probRuminationFree: number;
	/** The share of corpus themes. */
	readonly probCorpus: number;
	/** The share of unresolved themes, which are free rumination too. */
	readonly probUnresolved: number;
};

const names: Names<LoopConfig> = {cycleIntervalSeconds: true, probRuminationFree: true, probCorpus: true, probUnresolved: true};

/** Whether shares sum to 1, within 1e-9 for rounding of decimal fractions. */
export const areWhole = (shares: readonly number[]): boolean => Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) <= 1e-9;

/** @throws {ConfigurationError} for an interval or probabilities out of range */
export const requireLoop = (loop: LoopConfig): void => {
	requireKnownNames('The loop', loop, names);
	const {cycleIntervalSeconds: interval, probRuminationFree, probCorpus, probUnresolved} = loop;
	if (!(interval > 0 && interval <= longestInterval)) {
		throw new ConfigurationError(
			`loop.cycleIntervalSeconds is ${interval}; it must be over 0 and at most ${longestInterval.toLocaleString('en')}.`,
		);
	}

	const shares = [probRuminationFree, probCorpus, probUnresolved];
	if (!shares.every(share => share >= 0 && share <= 1) || !areWhole(shares)) {
		throw new ConfigurationError(
			`loop.probRuminationFree, probCorpus and probUnresolved are ${shares.join(', ')}; each must be from 0 to 1, and their sum 1.`,
		);
	}
};

/** About 100 cycles a day, half of them free rumination. */
export const defaultLoop: LoopConfig = Object.freeze({
	cycleIntervalSeconds: 864,
	probRuminationFree: 0.5,
	probCorpus: 0.3,
	probUnresolved: 0.2,
});
