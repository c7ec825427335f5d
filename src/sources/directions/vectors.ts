/**
 * The vectors and readings of directions, made with the loaded model and cached in a file.
 *
 * A vector depends on its model and its sentences. So the file is named after the model's passport
 * and its keys are digests of sentences: an edited entry gets a new vector, the others are reused.
 * A reading depends on all sentences of the catalogue, so an edited sentence changes every reading.
 */
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Type, Value, type Static} from '../../platform/typebox.ts';
import {passportOf, type Encoder, type ModelPassport} from '../../embedding/encoder.ts';
import {englishModelOf} from '../../embedding/use-lite/identifier.ts';
import {reasonOf, type Warn, warnToConsole} from '../../platform/errors.ts';
import {makeFolder, nullIfMissing} from '../../platform/files/folders.ts';
import {writeFileAtomically} from '../../platform/files/write.ts';
import {locatePackageFile} from '../../platform/package-file.ts';
import {contrast} from '../../semiosis/contrast.ts';
import type {Direction} from '../../semiosis/profile.ts';
import {width} from '../../kernel/dimensions.ts';
import type {CatalogueEntry} from './catalogue.ts';
import {
	createReader, decodeReading, encodeReading, StoredReading, textToVector, vectorToText, type MadeReading, type ReadDirection,
} from './readings.ts';
import {toneEntry} from './tone.ts';

const VectorFile = Type.Object({
	model: Type.String(),
	/** Digest of an entry's sentences → its vector: little-endian float32 in base64, as wide as the model. */
	vectors: Type.Record(Type.String(), Type.String()),
	/** Digest of all the sentences from which the readings were made. */
	examples: Type.String(),
	/** Digest of an entry's sentences → the reading of its direction. */
	readings: Type.Record(Type.String(), StoredReading),
});

type VectorFile = Static<typeof VectorFile>;

/** Options of {@link loadDirections}; a `Boot` fits. */
export type VectorOptions = {
	/** Embeds the sentences. */
	encoder: Encoder;
	/** Cache folder. @default undefined — vectors that the package lacks are made at every start */
	folder?: string | undefined;
	/** Called after each vector that had to be made. @default undefined */
	onProgress?: (done: number, total: number) => void;
	/** Ends the work. @default undefined */
	signal?: AbortSignal;
	/** Called for each direction that cannot be made, and for an unusable cache. @default console.warn */
	warn?: Warn;
};

/** The package's vectors and readings, for the bundled encoder. */
export const shippedVectors: string = fileURLToPath(locatePackageFile('data/directions-vectors/'));

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** The name of the file's format. It is part of the file's name, so another format gets another file. */
const format = 'readings';

const fileName = (passport: ModelPassport): string =>
	`${digest([format, passport.model, passport.width, passport.pooling, passport.prefix, passport.dtype])}.json`;

const digestSentences = ({positive, negative}: CatalogueEntry): string => digest([positive, negative]);

/** The vectors and readings of entries, by the digests of their sentences. */
type Made = {readonly vectors: Map<string, Float32Array>; readonly readings: Map<string, MadeReading>};

/** The vectors in these files, and the readings that were made from these examples. A later file has priority. */
const readKept = async (files: readonly string[], examples: string, modelWidth: number, warn: Warn): Promise<Made> => {
	const made: Made = {vectors: new Map(), readings: new Map()};
	for (const place of files) {
		const file = await readVectors(place, warn);
		for (const [key, text] of Object.entries(file?.vectors ?? {})) {
			keepUsable(made.vectors, key, textToVector(text, modelWidth));
		}

		for (const [key, stored] of Object.entries(file?.examples === examples ? file.readings : {})) {
			keepUsable(made.readings, key, decodeReading(stored, modelWidth));
		}
	}

	return made;
};

const keepUsable = <Value>(values: Map<string, Value>, key: string, value: Value | undefined): void => {
	if (value !== undefined) {
		values.set(key, value);
	}
};

/** Makes the readings of the tone and of the entries, which must all have vectors. */
const readEntries = async (
	entries: readonly CatalogueEntry[], {vectors, readings}: Made, embedAll: ReturnType<typeof embedOnce>, modelWidth: number,
): Promise<void> => {
	const embedded = async (entry: CatalogueEntry): Promise<ReadDirection & {key: string}> => {
		const key = digestSentences(entry);
		return {key, vector: vectors.get(key)!, positive: await embedAll(entry.positive), negative: await embedAll(entry.negative)};
	};
	const tone = await embedded(toneEntry);
	const directions = await Array.fromAsync(entries, embedded);
	const {read, readTone} = createReader(tone.vector, directions, modelWidth);
	for (const direction of [tone, ...directions]) {
		const reading = direction === tone ? readTone(direction) : read(direction);
		if (reading) {
			readings.set(direction.key, reading);
		}
	}
};

/**
 * Takes each entry's vector and reading from the package or the cache folder, or makes and caches them.
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
	const modelWidth = Math.min(passport.width, width);
	const all = [...entries, toneEntry];
	const examples = digest(all.map(entry => digestSentences(entry)));
	const shipped = path.join(shippedVectors, fileName({...passport, model: englishModelOf(passport.model)}));
	const cached = folder === undefined ? null : path.join(folder, fileName(passport));
	const places = [shipped, ...(cached === null ? [] : [cached])];
	const made = await readKept(places, examples, modelWidth, warn);
	const {vectors, readings} = made;

	const embedAll = embedOnce(encoder, signal);
	const missing = all.filter(entry => !vectors.has(digestSentences(entry)));
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
	const areReadingsMissing = vectors.has(digestSentences(toneEntry)) && usable.some(entry => !readings.has(digestSentences(entry)));
	if (areReadingsMissing) {
		await readEntries(usable, made, embedAll, modelWidth);
	}

	if (cached !== null && (missing.length > 0 || areReadingsMissing)) {
		const kept = <Value, Stored>(values: Map<string, Value>, encode: (value: Value) => Stored): Record<string, Stored> =>
			Object.fromEntries(all.map(digestSentences).filter(key => values.has(key)).map(key => [key, encode(values.get(key)!)]));
		writeVectors(cached, {
			model: passport.model,
			vectors: kept(vectors, vector => vectorToText(vector, modelWidth)),
			examples,
			readings: kept(readings, reading => encodeReading(reading, modelWidth)),
		}, warn);
	}

	const tone = readings.has(digestSentences(toneEntry)) ? toDirection(toneEntry, made, null) : null;
	return usable.map(entry => toDirection(entry, made, tone));
};

const toDirection = (entry: CatalogueEntry, {vectors, readings}: Made, tone: Direction | null): Direction => {
	const {scale, ...reading} = readings.get(digestSentences(entry)) ?? {};
	return {
		name: entry.name,
		category: entry.category,
		polePositive: entry.pole_positive,
		poleNegative: entry.pole_negative,
		vector: vectors.get(digestSentences(entry))!,
		...(scale && {scale, reading: {...reading as MadeReading, tone}}),
	};
};

/** Embeds lists of texts; a repeated text is embedded once. */
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

const readVectors = async (file: string, warn: Warn): Promise<VectorFile | null> => {
	try {
		const text = await readFile(file, 'utf8').catch(nullIfMissing);
		return text === null ? null : Value.Parse(VectorFile, JSON.parse(text));
	} catch (error) {
		warn(`The cached vectors ${path.basename(file)} cannot be read (${reasonOf(error)}); they will be computed again.`);
		return null;
	}
};

const writeVectors = (file: string, content: VectorFile, warn: Warn): void => {
	try {
		makeFolder(path.dirname(file));
		writeFileAtomically(file, JSON.stringify(content));
	} catch (error) {
		warn(`The directions' vectors cannot be cached (${reasonOf(error)}); the next start computes them again.`);
	}
};
