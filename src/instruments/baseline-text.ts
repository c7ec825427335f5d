/** A cycle's text as a baseline keeps it. */
import type {BaselineText, StoredCycle} from '../journal/journal.ts';
import {sourceOf} from './source-of.ts';

export const toBaselineText = (cycle: StoredCycle): BaselineText =>
	({id: cycle.id, source: sourceOf(cycle), time: Date.parse(cycle.timestamp), vector: cycle.vector, proposals: cycle.proposals});
