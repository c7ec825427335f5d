/** The scale of a direction on the catalogue's own sentences, and its form in the cache's file. */
import {Type, type Static} from '../../platform/typebox.ts';
import {measureScale, type Scale} from '../../semiosis/scale.ts';

/** As many quantiles as a percentile has steps; more sentences are not kept one by one. */
const maxSample = 100;

export const StoredScale = Type.Object({
	examples: Type.Integer({minimum: 2}),
	mean: Type.Number(),
	deviation: Type.Number({exclusiveMinimum: 0}),
	/** Little-endian float32 in base64, in ascending order. */
	sample: Type.String(),
});

type StoredScale = Static<typeof StoredScale>;

/** Projects all sentences on the direction. Null where they have no spread. */
export const scaleOn = (direction: Float32Array, sentences: readonly Float32Array[], modelWidth: number): Scale | null => {
	const scale = measureScale(Float64Array.from(sentences, sentence => {
		let value = 0;
		for (let i = 0; i < modelWidth; i++) {
			value += sentence[i]! * direction[i]!;
		}

		return value;
	}));
	return scale && {...scale, sample: toQuantiles(scale.sample)};
};

const toQuantiles = (sorted: ArrayLike<number>): Float32Array => {
	const {length} = sorted;
	return length <= maxSample
		? Float32Array.from(sorted)
		: Float32Array.from({length: maxSample}, (_, i) => sorted[Math.floor((i + 0.5) * length / maxSample)]!);
};

export const encodeScale = (scale: Scale): StoredScale => ({
	...scale, sample: Buffer.from(Float32Array.from(scale.sample).buffer).toString('base64'),
});

/** Undefined if its sample is none; the scale is then made again. */
export const decodeScale = (stored: StoredScale): Scale | undefined => {
	const bytes = Uint8Array.from(Buffer.from(stored.sample, 'base64'));
	if (bytes.length !== Math.min(stored.examples, maxSample) * 4) {
		return undefined;
	}

	const sample = new Float32Array(bytes.buffer);
	return sample.every(Number.isFinite) ? {...stored, sample} : undefined;
};
