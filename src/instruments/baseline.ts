/** The baseline: the texts that a validation calls ordinary (`docs/spec/instruments.md#4-validate-twins-drift`). */
import type {Proposals} from '../semiosis/fixation.ts';
import {visitsOf} from './visits.ts';

/** A text of a baseline: all that a replay and the charts need of it. */
export type BaselineText = {
	readonly id: string;
	/** Who said it, as `sourceOf` says. */
	readonly source: string;
	/** Milliseconds since the epoch. */
	readonly time: number;
	/** Its embedding, 1024 floats. */
	readonly vector: Float32Array;
	/** What authority and science proposed when it was said. */
	readonly proposals: Proposals;
};

/** Texts, oldest first. Their visits follow from their sources and times. */
export type Baseline = readonly BaselineText[];

/** How many texts a validation takes, where there are as many. */
export const defaultBaseline = 600;

/** Fewer texts or visits say too little of what is ordinary. */
export const minBaseline = {texts: 400, visits: 40};

/** Whether a baseline says enough of what is ordinary. */
export const isEnough = (baseline: Baseline): boolean =>
	baseline.length >= minBaseline.texts && visitsOf(baseline).length >= minBaseline.visits;
