/**
 * Drift and sources as they are answered: how far it moved, what chance alone would do, and whose
 * texts made the difference (`docs/spec/instruments.md#4-validate-twins-drift`).
 *
 * They name influence, never intent. What is not known is null, and a note says why.
 */
import type {PastState} from './stretch.ts';

/** What was validated: who the identity should be, and the texts that say what is ordinary. */
export type DriftValidation = {
	readonly id: string;
	readonly timestamp: string;
	/** Why it was validated, in the words of who did it. */
	readonly note: string;
	/** The state that was validated. */
	readonly stateId: number;
	/** How many texts the baseline has. */
	readonly texts: number;
	/** How many visits they came in. */
	readonly visits: number;
};

/** A direction on which the state differs from its twins by more than chance. */
export type DriftDirection = {
	/** `<category>.<name>` */
	readonly key: string;
	readonly polePositive: string;
	readonly poleNegative: string;
	/** Thirdness on it. */
	readonly value: number;
	/** The twins' mean. */
	readonly expected: number;
	/** The difference in standard deviations of the twins. */
	readonly z: number;
	/** How likely chance alone makes as much of a difference, 0 … 1. */
	readonly p: number;
};

/** The part of one source in the texts, in the present, and in its difference from ordinary talk. */
export type DriftSource = {
	readonly source: string;
	readonly texts: number;
	/** Of all texts, 0 … 1. */
	readonly textShare: number;
	/** Of the weight that all texts have in the present, 0 … 1. */
	readonly weightShare: number;
	/** Of the difference from the twins' mean, of 1; below 0 they went against it. Null without a baseline. */
	readonly unusualShare: number | null;
	/** Only where it is no source, but the sum of those that are not named: how many they are. */
	readonly others?: number;
};

/** One state on the way, beside the twins after as many cycles. */
export type DriftPoint = PastState & {
	/** The angle from the first state. */
	readonly netMrad: number;
	/** The 5 % quantile of the twins' angles; null without a baseline, as the fields below. */
	readonly netLowMrad: number | null;
	readonly netMedianMrad: number | null;
	/** The 95 % quantile. */
	readonly netHighMrad: number | null;
	/** How far it lies from the mean of the twins. */
	readonly excessMrad: number | null;
	/** The 5 % quantile of the twins, each from the mean of the others. */
	readonly excessLowMrad: number | null;
	readonly excessMedianMrad: number | null;
	readonly excessHighMrad: number | null;
};

/** One reading of the chart. */
export type ChartReading = {
	/** Over how many visits it looks back. */
	readonly span: number;
	readonly reading: number;
	/** A reading above it is an alarm. */
	readonly limit: number;
};

/** The part of one source in the chart's present reading. At most 100 are named. */
export type ChartBlame = {
	readonly source: string;
	/** Of 1; below 0 its visits went against it. */
	readonly share: number;
	/** How many texts its visits have. */
	readonly texts: number;
	/** Ids of the cycles of its texts, newest first: at most 100, and at most 2000 of all sources. */
	readonly ids: readonly string[];
	/** Only where it is no source, but the sum of those that are not named: how many they are. */
	readonly others?: number;
};

/** The chart of visits since the validation. */
export type VisitChart = {
	/** Whether the baseline has texts enough for limits. */
	readonly calibrated: boolean;
	/** How many visits have ended since the validation. The last one may go on, and is not among them. */
	readonly visits: number;
	/** By span; none before the first visit has ended. */
	readonly readings: readonly ChartReading[];
	/** After how many visits of ordinary talk an alarm comes by chance, on average. */
	readonly averageRunLength: number;
	/** Whether a reading is above its limit. */
	readonly alarm: boolean;
	/** The sources behind the reading that is nearest to its limit, the largest first. */
	readonly blame: readonly ChartBlame[];
	readonly note: string | null;
};

/** How far the identity moved, and whether chance explains it. */
export type Drift = {
	/** The state that the answer is of. */
	readonly stateId: number;
	/** The state that it is measured from. */
	readonly since: PastState;
	/** Null where none was made. */
	readonly validation: DriftValidation | null;
	/** How many cycles lie between the two states. */
	readonly cycles: number;
	/** The angle between the two states, on thirdness. */
	readonly netMrad: number;
	/** The median angle of twins, which heard ordinary talk in as many cycles. Null without a baseline, as the fields below. */
	readonly expectedMrad: number | null;
	/** How far the state lies from the mean of the twins. */
	readonly excessMrad: number | null;
	/** How far the median twin lies from the mean of the others. */
	readonly typicalMrad: number | null;
	/** How likely ordinary talk leads as far from the mean of the twins, 0 … 1. */
	readonly p: number | null;
	/** Empty without a baseline, and where none stands out. */
	readonly standOut: readonly DriftDirection[];
	/** The largest part of the difference first; without a baseline the largest weight. */
	readonly sources: readonly DriftSource[];
	/** p of the state without the texts of the first source, against twins of that length. Null without a baseline, and where that source said all. */
	readonly pWithoutTopSource: number | null;
	/** The way from the first state to the last: at most 25 states. */
	readonly path: readonly DriftPoint[];
	/** Null without a validation. */
	readonly chart: VisitChart | null;
	/** The same in a sentence. */
	readonly sentence: string;
	/** What a reader must know beside the numbers. */
	readonly note: string | null;
};

/** One source, and whether it is as it was. */
export type SourceReport = DriftSource & {
	readonly visits: number;
	/** How alike its texts are, beyond what is common to all: the mean product of two of them over the variance. Null without a baseline, and with one text. */
	readonly coherence: number | null;
	/** How likely its visits differ as much by chance from those of the baseline, 0 … 1. Null with fewer than 4 visits on either side. */
	readonly changedP: number | null;
	/** How many of its texts were nearly the identity's own words, since the start. Null where that is not watched. */
	readonly echoes: number | null;
};

/** Whose texts the present is made of. */
export type SourcesReport = {
	/** The state that the answer is of. */
	readonly stateId: number;
	/** The state that it is measured from. */
	readonly since: PastState;
	readonly sources: readonly SourceReport[];
	/** The part of the difference at which a source is noticed, 0 … 1. */
	readonly budget: number;
	readonly note: string | null;
};
