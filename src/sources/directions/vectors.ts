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

/** An entry, the digest of its sentences, and what is made of them. */
type Made = {readonly entry: CatalogueEntry; readonly key: string; vector?: Float32Array | undefined; reading?: MadeReading | undefined};

/** Takes the vectors in these files, and the readings that were made from these examples. A later file has priority. */
const takeKept = async (
	all: readonly Made[], files: readonly string[], examples: string, modelWidth: number, warn: Warn,
): Promise<void> => {
	for (const place of files) {
		const file = await readVectors(place, warn);
		if (!file) {
			continue;
		}

		for (const made of all) {
			const [text, stored] = [file.vectors[made.key], file.examples === examples ? file.readings[made.key] : undefined];
			made.vector = (text === undefined ? text : textToVector(text, modelWidth)) ?? made.vector;
			made.reading = (stored && decodeReading(stored, modelWidth)) ?? made.reading;
		}
	}
};

/** Makes the readings of the tone and of the directions, which must all have vectors. */
const makeReadings = async (
	tone: Made, directions: readonly Made[], embedAll: ReturnType<typeof embedOnce>, modelWidth: number,
): Promise<void> => {
	const embedded = async ({entry, vector}: Made): Promise<ReadDirection> =>
		({vector: vector!, positive: await embedAll(entry.positive), negative: await embedAll(entry.negative)});
	const toneRead = await embedded(tone);
	const allRead = await Array.fromAsync(directions, embedded);
	const {read, readTone} = createReader(toneRead.vector, allRead, modelWidth);
	tone.reading = readTone(toneRead) ?? tone.reading;
	for (const [i, direction] of directions.entries()) {
		direction.reading = read(allRead[i]!) ?? direction.reading;
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
	const all = [...entries, toneEntry].map((entry): Made => ({entry, key: digest([entry.positive, entry.negative])}));
	const examples = digest(all.map(({key}) => key));
	const shipped = path.join(shippedVectors, fileName({...passport, model: englishModelOf(passport.model)}));
	const cached = folder === undefined ? null : path.join(folder, fileName(passport));
	await takeKept(all, [shipped, ...(cached === null ? [] : [cached])], examples, modelWidth, warn);

	const embedAll = embedOnce(encoder, signal);
	const missing = all.filter(({vector}) => !vector);
	for (const [done, made] of missing.entries()) {
		const {entry} = made;
		const [positive, negative] = [await embedAll(entry.positive), await embedAll(entry.negative)];
		try {
			made.vector = contrast(positive, negative);
		} catch (error) {
			warn(`The direction ${entry.category}.${entry.name} is skipped: its poles do not differ (${reasonOf(error)}).`);
		}

		onProgress?.(done + 1, missing.length);
	}

	const [tone, usable] = [all.at(-1)!, all.slice(0, -1).filter(({vector}) => vector)];
	const areReadingsMissing = tone.vector !== undefined && usable.some(({reading}) => !reading);
	if (areReadingsMissing) {
		await makeReadings(tone, usable, embedAll, modelWidth);
	}

	if (cached !== null && (missing.length > 0 || areReadingsMissing)) {
		writeVectors(cached, {
			model: passport.model,
			vectors: Object.fromEntries(all.flatMap(({key, vector}) => vector ? [[key, vectorToText(vector, modelWidth)]] : [])),
			examples,
			readings: Object.fromEntries(all.flatMap(({key, reading}) => reading ? [[key, encodeReading(reading, modelWidth)]] : [])),
		}, warn);
	}

	const toneDirection = tone.reading ? toDirection(tone, null) : null;
	return usable.map(made => toDirection(made, toneDirection));
};

const toDirection = ({entry, vector, reading}: Made, tone: Direction | null): Direction => {
	const {scale, ...others} = reading ?? {};
	return {
		name: entry.name,
		category: entry.category,
		polePositive: entry.pole_positive,
		poleNegative: entry.pole_negative,
		vector: vector!,
		...(scale && {scale, reading: {...others as MadeReading, tone}}),
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
