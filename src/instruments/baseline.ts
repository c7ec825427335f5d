/** The baseline: the texts that a validation calls ordinary (`docs/spec/instruments.md#4-validate-twins-drift`). */
import type {BaselineText, StoredCycle} from '../journal/journal.ts';
import {sourceOf} from './source-of.ts';
import {visitsOf} from './visits.ts';

/** A cycle's text as a baseline keeps it. */
export const toBaselineText = (cycle: StoredCycle): BaselineText =>
	({id: cycle.id, source: sourceOf(cycle), time: Date.parse(cycle.timestamp), vector: cycle.vector, proposals: cycle.proposals});

/** Texts, oldest first. Their visits follow from their sources and times. */
export type Baseline = readonly BaselineText[];

/** How many texts a validation takes, where there are as many. */
export const defaultBaseline = 600;

/** Fewer texts or visits say too little of what is ordinary. */
export const minBaseline = {texts: 400, visits: 40};

/** Whether a baseline says enough of what is ordinary. */
export const isEnough = (baseline: Baseline): boolean =>
	baseline.length >= minBaseline.texts && visitsOf(baseline).length >= minBaseline.visits;
