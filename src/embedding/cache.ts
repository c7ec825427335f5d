/** An LRU cache in front of an encoder: the daemon's themes, for example, are embedded repeatedly. */
import {LRUCache} from 'lru-cache';
import {width} from '../kernel/dimensions.ts';
import {embedWithReport, encoderBy, passportOf, type Embedding, type Encoder, type LoadedEncoder, type TextTurn} from './encoder.ts';

/** The maximum average size of an entry. Without a bound, a thousand texts could take a gigabyte. */
const maxAverageBytes = 2 ** 15;

/**
 * Caches the embeddings of the `count` most recently used texts, fewer when they are long. A
 * caller owns the vector it gets. With a `count` of 0, returns the encoder itself.
 */
export function withCache(encoder: LoadedEncoder, count: number): LoadedEncoder;
export function withCache(encoder: Encoder, count: number): Encoder;
export function withCache(encoder: Encoder, count: number): Encoder {
	if (count === 0) {
		return encoder;
	}

	const embeddings = new LRUCache<string, Embedding>({
		max: count,
		maxSize: count * maxAverageBytes,
		// A character takes at most two bytes.
		sizeCalculation: ({vector}, text) => vector.byteLength + 2 * text.length,
	});
	const embed = async (text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> => {
		signal?.throwIfAborted();
		const known = embeddings.get(text);
		if (known) {
			const vector = new Float32Array(width);
			vector.set(known.vector);
			return {...known, vector};
		}

		const embedding = await embedWithReport(encoder, text, signal, turn);
		// Fitting only added zeros to the model's floats, so they need not be stored.
		embeddings.set(text, {...embedding, vector: embedding.vector.slice(0, passportOf(encoder).width)});
		return embedding;
	};

	return Object.assign(encoderBy(embed, () => ({passport: passportOf(encoder), languages: encoder.languages})), {
		forget() {
			encoder.forget?.();
			embeddings.clear();
		},
		async dispose() {
			await encoder.dispose?.();
			// A disposed encoder refuses cached texts too.
			embeddings.clear();
		},
	});
}
