/**
 * The texts of a digest, for a replay. The digest has their proposals and sources, and the journal their vectors. So a what-if of
 * a long past reads a quarter of each record, and builds no record objects.
 */
import type {BaselineText} from '../journal/validation.ts';
import {width} from '../kernel/dimensions.ts';
import {pulls, type Digest} from './digest.ts';
import {hashFloats} from './hash.ts';
import type {ReplayText} from './replay.ts';

export type DigestedText = ReplayText & Pick<BaselineText, 'source' | 'time' | 'isOwn'>;

/**
 * The texts in order. The `timestamp` of each is that of the digest's end.
 *
 * @param vectors The vectors, as `DigestStore.vectors` reads them.
 * @returns null if the digest was made of other vectors
 */
export const textsOf = (digest: Digest, vectors: Float32Array): Iterable<DigestedText> | null => {
	const rows = Array.from({length: vectors.length / width}, (_, k) => vectors.subarray(k * width, (k + 1) * width));
	return hashFloats(rows.map(row => row.subarray(0, digest.width))) === digest.checksum ? eachText(digest, rows) : null;
};

function * eachText({sources, to: {timestamp}, columns}: Digest, vectors: readonly Float32Array[]): Generator<DigestedText> {
	const {source, time, isOwn, authorityCoefficient, authorityFrom, scienceCoefficient, scienceFrom} = columns;
	for (const [k, vector] of vectors.entries()) {
		yield {
			kind: 'cycle', timestamp, vector, source: sources[source[k]!]!, time: time[k]!, isOwn: isOwn[k] === 1,
			proposals: {
				authority: {coefficient: authorityCoefficient[k]!, from: pulls[authorityFrom[k]!]!},
				science: {coefficient: scienceCoefficient[k]!, from: pulls[scienceFrom[k]!]!},
			},
		};
	}
}
