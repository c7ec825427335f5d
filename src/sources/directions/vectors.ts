/**
 * The vectors and scales of directions, made with the loaded model and cached in a file.
 *
 * A vector depends on its model and its sentences. So the file is named after the model's passport
 * and its keys are digests of sentences: an edited entry gets a new vector, the others are reused.
 * A scale depends on all sentences of the catalogue, so an edited sentence changes every scale.
 */
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Type, Value, type Static} from '../../platform/typebox.ts';
import {passportOf, type Encoder, type ModelPassport} from '../../embedding/encoder.ts';
import {reasonOf, type Warn, warnToConsole} from '../../platform/errors.ts';
import {makeFolder} from '../../platform/files/folders.ts';
import {writeFileAtomically} from '../../platform/files/write.ts';
import {locatePackageFile} from '../../platform/package-file.ts';
import {contrast} from '../../semiosis/contrast.ts';
import type {Direction} from '../../semiosis/profile.ts';
import type {Scale} from '../../semiosis/scale.ts';
import {width} from '../../kernel/dimensions.ts';
import type {CatalogueEntry} from './catalogue.ts';
import {decodeScale, encodeScale, scaleOn, StoredScale} from './scales.ts';

const VectorFile = Type.Object({
	model: Type.String(),
	/** Digest of an entry's sentences → its vector: little-endian float32 in base64, as wide as the model. */
	vectors: Type.Record(Type.String(), Type.String()),
	/** Digest of all sentences, which the scales are of. */
	examples: Type.String(),
	/** Digest of an entry's sentences → the scale of its direction. */
	scales: Type.Record(Type.String(), StoredScale),
});

type VectorFile = Static<typeof VectorFile>;

/** What vectors are made with: the boot fits. */
export type VectorOptions = {
	/** Embeds the sentences. */
	encoder: Encoder;
	/** Cache folder. @default undefined — vectors are made at every start */
	folder?: string | undefined;
	/** Called after each vector that had to be made. @default undefined */
	onProgress?: (done: number, total: number) => void;
	/** Ends the work. @default undefined */
	signal?: AbortSignal;
	/** Called with each direction that cannot be made, and with a cache that cannot be used. @default console.warn */
	warn?: Warn;
};

/** The package's vectors and scales, for the bundled encoder. */
export const shippedVectors: string = fileURLToPath(locatePackageFile('data/directions-vectors/'));

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

const fileName = (passport: ModelPassport): string =>
	`${digest([passport.model, passport.width, passport.pooling, passport.prefix, passport.dtype])}.json`;

const digestSentences = ({positive, negative}: CatalogueEntry): string => digest([positive, negative]);

/** The vectors in these files, and the scales of these examples; of a later file rather than of an earlier one. */
const readKept = async (files: readonly string[], examples: string, modelWidth: number, warn: Warn) => {
	const vectors = new Map<string, Float32Array>();
	const scales = new Map<string, Scale>();
	for (const place of files) {
		const file = await readVectors(place, warn);
		for (const [key, text] of Object.entries(file?.vectors ?? {})) {
			const vector = decode(text, modelWidth);
			if (vector) {
				vectors.set(key, vector);
			}
		}

		for (const [key, stored] of Object.entries(file?.examples === examples ? file.scales : {})) {
			const scale = decodeScale(stored);
			if (scale) {
				scales.set(key, scale);
			}
		}
	}

	return {vectors, scales};
};

/**
 * Takes each entry's vector and scale from the package or the cache folder, or makes and caches them.
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 * import {loadDirections, loadCatalogue} from 'processual-state/sources';
 *
 * await using identity = await openIdentity({
 * 	directions: async boot => loadDirections(await loadCatalogue('directions.json', boot), {...boot, folder: './directions'}),
 * });
 * ```
 */
export const loadDirections = async (
	entries: readonly CatalogueEntry[],
	{encoder, folder, onProgress, signal, warn = warnToConsole}: VectorOptions,
): Promise<Direction[]> => {
	const passport = passportOf(encoder);
	const name = fileName(passport);
	const modelWidth = Math.min(passport.width, width);
	const examples = digest(entries.map(entry => digestSentences(entry)));
	const places = [shippedVectors, ...(folder ? [folder] : [])].map(place => path.join(place, name));
	const {vectors, scales} = await readKept(places, examples, modelWidth, warn);

	const embedAll = embedOnce(encoder, signal);
	const missing = entries.filter(entry => !vectors.has(digestSentences(entry)));
	for (const [done, entry] of missing.entries()) {
		const [positive, negative] = [await embedAll(entry.positive), await embedAll(entry.negative)];
		try {
			vectors.set(digestSentences(entry), contrast(positive, negative));
		} catch (error) {
			warn(`The direction ${entry.category}.${entry.name} is skipped: its poles do not differ (${reasonOf(error)}).`);
		}

		onProgress?.(done + 1, missing.length);
	}

	const usable = entries.filter(entry => vectors.has(digestSentences(entry)));
	const areScalesMissing = usable.some(entry => !scales.has(digestSentences(entry)));
	if (areScalesMissing) {
		const sentences: Float32Array[] = [];
		for (const {positive, negative} of entries) {
			sentences.push(...await embedAll(positive), ...await embedAll(negative));
		}

		for (const entry of usable) {
			const scale = scaleOn(vectors.get(digestSentences(entry))!, sentences, modelWidth);
			if (scale) {
				scales.set(digestSentences(entry), scale);
			}
		}
	}

	if (folder && (missing.length > 0 || areScalesMissing)) {
		const cached = <Value, Stored>(made: Map<string, Value>, encodeValue: (value: Value) => Stored): Record<string, Stored> =>
			Object.fromEntries(usable.flatMap((entry): Array<[string, Stored]> => {
				const key = digestSentences(entry);
				const value = made.get(key);
				return value === undefined ? [] : [[key, encodeValue(value)]];
			}));
		writeVectors(path.join(folder, name), {
			model: passport.model,
			vectors: cached(vectors, vector => encode(vector, modelWidth)),
			examples,
			scales: cached(scales, encodeScale),
		}, warn);
	}

	return usable.map(entry => {
		const scale = scales.get(digestSentences(entry));
		return {
			name: entry.name,
			category: entry.category,
			polePositive: entry.pole_positive,
			poleNegative: entry.pole_negative,
			vector: vectors.get(digestSentences(entry))!,
			...(scale && {scale}),
		};
	});
};

/** Embeds lists of texts; a text that comes again is embedded once. */
const embedOnce = (encoder: Encoder, signal?: AbortSignal) => {
	const vectors = new Map<string, Promise<Float32Array>>();
	return async (texts: readonly string[]): Promise<Float32Array[]> => {
		signal?.throwIfAborted();
		return Promise.all(texts.map(async text => {
			const vector = vectors.get(text) ?? encoder.embed(text, signal);
			vectors.set(text, vector);
			return vector;
		}));
	};
};

/** A padded vector is zero past the model's width, so only that much is stored. */
const encode = (vector: Float32Array, modelWidth: number): string =>
	Buffer.from(vector.buffer, vector.byteOffset, modelWidth * 4).toString('base64');

/** Undefined if it is not a vector of the model; it is then made again. */
const decode = (text: string, modelWidth: number): Float32Array | undefined => {
	const bytes = Buffer.from(text, 'base64');
	if (bytes.length !== modelWidth * 4) {
		return undefined;
	}

	const vector = new Float32Array(width);
	new Uint8Array(vector.buffer).set(bytes);
	return vector.every(Number.isFinite) ? vector : undefined;
};

const readVectors = async (file: string, warn: Warn): Promise<VectorFile | undefined> => {
	try {
		return Value.Parse(VectorFile, JSON.parse(await readFile(file, 'utf8')));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
			warn(`The cached vectors ${path.basename(file)} cannot be read (${reasonOf(error)}); they are made again.`);
		}

		return undefined;
	}
};

const writeVectors = (file: string, content: VectorFile, warn: Warn): void => {
	try {
		makeFolder(path.dirname(file));
		writeFileAtomically(file, JSON.stringify(content));
	} catch (error) {
		warn(`The directions' vectors cannot be cached (${reasonOf(error)}); the next start makes them again.`);
	}
};
