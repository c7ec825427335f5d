/** Readings of directions: vector, scale and quality, computed from the catalogue's sentences; and their form in the cache file. */
import {normalise} from '../../kernel/normalise.ts';
import {Type, type Static} from '../../platform/typebox.ts';
import {measureQuality} from '../../semiosis/quality.ts';
import {divideByCovariance, withoutAxis, type VectorMap} from '../../semiosis/own-part.ts';
import type {DirectionReading} from '../../semiosis/profile.ts';
import {width} from '../../kernel/dimensions.ts';
import {correlate, measureScale, type Scale} from '../../semiosis/scale.ts';

/** Maximum values of a scale's sample: more are reduced to quantiles, one per percent. */
const maxSample = 100;

export const StoredReading = Type.Object({
	/** In the form of the file's vectors. */
	vector: Type.String(),
	quality: Type.Number({minimum: 0, maximum: 1}),
	valence: Type.Number(),
	examples: Type.Integer({minimum: 2}),
	mean: Type.Number(),
	deviation: Type.Number({exclusiveMinimum: 0}),
	/** Little-endian float32 in base64, in ascending order. */
	sample: Type.String(),
});

type StoredReading = Static<typeof StoredReading>;

/** A reading with its scale, but without the tone, which all readings share. */
export type MadeReading = Omit<DirectionReading, 'tone'> & {readonly scale: Scale};

export type ReadDirection = {
	readonly vector: Float32Array;
	readonly positive: readonly Float32Array[];
	readonly negative: readonly Float32Array[];
};

/**
 * Creates functions that make the readings of directions and of the tone.
 *
 * @param directions A catalogue's directions. Their sentences define the units and the covariance of ordinary sentences.
 */
export const createReader = (tone: Float32Array, directions: readonly ReadDirection[], modelWidth: number) => {
	const sentences = directions.flatMap(({positive, negative}) => [...positive, ...negative]);
	const valuesOn = (vector: Float32Array): number[] => sentences.map(sentence => {
		let value = 0;
		for (let i = 0; i < modelWidth; i++) {
			value += sentence[i]! * vector[i]!;
		}

		return value;
	});
	const divide = divideByCovariance(sentences, modelWidth);
	const withoutTone = withoutAxis(divide, tone);
	const tones = valuesOn(tone);
	/** Null if nothing is left of a direction, or its sentences have no spread. */
	const read = ({vector, positive, negative}: ReadDirection, toOwn: VectorMap): MadeReading | null => {
		const own = toOwn(vector);
		if (!own.some(Boolean)) {
			return null;
		}

		const unit = normalise(own);
		const scale = measureScale(valuesOn(unit));
		return scale && {
			vector: unit,
			quality: measureQuality(positive, negative, toOwn),
			valence: correlate(valuesOn(vector), tones) ?? 0,
			scale: {...scale, sample: toQuantiles(scale.sample)},
		};
	};

	return {
		read: (direction: ReadDirection) => read(direction, withoutTone),
		readTone: (direction: ReadDirection) => read(direction, divide),
	};
};

const toQuantiles = (sorted: ArrayLike<number>): Float32Array => {
	const {length} = sorted;
	return length <= maxSample
		? Float32Array.from(sorted)
		: Float32Array.from({length: maxSample}, (_, i) => sorted[Math.floor((i + 0.5) * length / maxSample)]!);
};

/** A padded vector is zero beyond the model's width, so only that part is stored. */
export const vectorToText = (vector: Float32Array, modelWidth = vector.length): string =>
	Buffer.from(vector.buffer, vector.byteOffset, modelWidth * 4).toString('base64');

/** Undefined if it is not a vector of the model; it is then made again. */
export const textToVector = (text: string, modelWidth: number): Float32Array | undefined => {
	const bytes = Buffer.from(text, 'base64');
	if (bytes.length !== modelWidth * 4) {
		return undefined;
	}

	const vector = new Float32Array(width);
	new Uint8Array(vector.buffer).set(bytes);
	return vector.every(Number.isFinite) ? vector : undefined;
};

export const encodeReading = ({vector, quality, valence, scale}: MadeReading, modelWidth: number): StoredReading => ({
	vector: vectorToText(vector, modelWidth), quality, valence, ...scale, sample: vectorToText(Float32Array.from(scale.sample)),
});

/** Undefined if its vector or its sample is invalid; the reading is then made again. */
export const decodeReading = (
	{vector: storedVector, quality, valence, sample: storedSample, ...scale}: StoredReading, modelWidth: number,
): MadeReading | undefined => {
	const vector = textToVector(storedVector, modelWidth);
	const bytes = Uint8Array.from(Buffer.from(storedSample, 'base64'));
	if (!vector || bytes.length !== Math.min(scale.examples, maxSample) * 4) {
		return undefined;
	}

	const sample = new Float32Array(bytes.buffer);
	return sample.every(Number.isFinite) ? {vector, quality, valence, scale: {...scale, sample}} : undefined;
};
