/** An encoder that remembers the texts it embedded last: the daemon's themes, for one, come again and again. */
import {LRUCache} from 'lru-cache';
import {embedWithReport, type Embedding, type Encoder} from './encoder.ts';

/** What is kept of a text and its vector takes as much as this on average, at most: a thousand texts may be a gigabyte. */
const bytesEach = 2 ** 15;

/** A caller owns the vector it gets. Of `count` texts, those that were asked for least recently are forgotten first, sooner where they are long; 0 remembers none. */
export const withCache = (encoder: Encoder, count: number): Encoder => {
	if (count === 0) {
		return encoder;
	}

	const embeddings = new LRUCache<string, Embedding>({
		max: count,
		maxSize: count * bytesEach,
		// At most two bytes for each character.
		sizeCalculation: ({vector}, text) => vector.byteLength + 2 * text.length,
	});
	const embed = async (text: string, signal?: AbortSignal): Promise<Embedding> => {
		signal?.throwIfAborted();
		const known = embeddings.get(text);
		if (known) {
			return {...known, vector: known.vector.slice()};
		}

		const embedding = await embedWithReport(encoder, text, signal);
		embeddings.set(text, {...embedding, vector: embedding.vector.slice()});
		return embedding;
	};

	return {
		passport: encoder.passport,
		languages: encoder.languages,
		embed: async (text, signal) => (await embed(text, signal)).vector,
		embedWithReport: embed,
		async dispose() {
			await encoder.dispose();
			// Afterwards everything is refused, what was known too.
			embeddings.clear();
		},
	};
};
