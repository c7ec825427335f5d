/** An encoder that remembers the texts it embedded last: the daemon's themes, for one, come again and again. */
import {LRUCache} from 'lru-cache';
import type {Encoder} from './encoder.ts';

/** What is kept of a text and its vector takes as much as this on average, at most: a thousand texts may be a gigabyte. */
const bytesEach = 2 ** 15;

/** A caller owns the vector it gets. Of `count` texts, those that were asked for least recently are forgotten first, sooner where they are long; 0 remembers none. */
export const remembering = (encoder: Encoder, count: number): Encoder => {
	if (count === 0) {
		return encoder;
	}

	const vectors = new LRUCache<string, Float32Array>({
		max: count,
		maxSize: count * bytesEach,
		// At most two bytes for each character.
		sizeCalculation: (vector, text) => vector.byteLength + 2 * text.length,
	});
	return {
		passport: encoder.passport,
		async embed(text, signal) {
			signal?.throwIfAborted();
			const known = vectors.get(text);
			if (known) {
				return known.slice();
			}

			const vector = await encoder.embed(text, signal);
			vectors.set(text, vector.slice());
			return vector;
		},
		async dispose() {
			await encoder.dispose();
			// Afterwards everything is refused, what was known too.
			vectors.clear();
		},
	};
};
