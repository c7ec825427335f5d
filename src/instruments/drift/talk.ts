/** What each source said in a conversation. */
import type {BaselineText} from '../../journal/journal.ts';
import type {TalkSum} from './deal.ts';
import {whiten, type Measure} from './measure.ts';
import {WeightedSums} from './weighted-sums.ts';

/** The talk of one source in a conversation. */
export type SourceTalk = TalkSum & {readonly source: string};

/** Sums up the whitened differences of texts from a mean, by who said them. */
export const sumBySource = (
	measure: Measure, mean: Float64Array, texts: ReadonlyArray<Pick<BaselineText, 'source' | 'vector'>>,
): SourceTalk[] => {
	const sums = new WeightedSums(measure.width);
	for (const {source, vector} of texts) {
		sums.add(source, 1, vector, mean);
	}

	return sums.parts().map(({source, added, row}) => ({source, texts: added, sum: whiten(measure, row)}));
};
