/**
 * The directions' vectors, made by contrast with the loaded model and kept in a file.
 *
 * A vector belongs to one model and to the sentences it was made of, so the file is named by
 * the model's passport and its entries by a digest of their sentences: another model starts
 * a new file, and an edited entry is made anew while the others are read.
 */
import {createHash} from 'node:crypto';
import {readFile, rename, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Type, type Static} from 'typebox';
import {Value} from 'typebox/value';
import type {Encoder, ModelPassport} from '../../embedding/encoder.ts';
import {reasonOf} from '../../errors.ts';
import {fileMode, makeFolder} from '../../files/folders.ts';
import {contrast} from '../../semiosis/contrast.ts';
import type {Direction} from '../../semiosis/profile.ts';
import {width} from '../../tensor/dimensions.ts';
import type {CatalogueEntry} from './catalogue.ts';

const VectorFile = Type.Object({
	model: Type.String(),
	/** Digest of an entry's sentences → its vector: little-endian float32 in base64, as wide as the model. */
	vectors: Type.Record(Type.String(), Type.String()),
});

type VectorFile = Static<typeof VectorFile>;

/** The directions, and what could not be made or kept. */
export type LoadedDirections = {
	directions: Direction[];
	warnings: string[];
};

/** Where vectors are kept, and who hears of their making. */
export type VectorOptions = {
	/** Where made vectors are kept; without it they are made at every start. */
	folder?: string | undefined;
	/** Called after each entry whose vector had to be made. */
	onProgress?: (done: number, total: number) => void;
	signal?: AbortSignal;
};

/** Vectors that come with the package, for the bundled encoder. */
export const shippedVectors: string = fileURLToPath(new URL('../../../data/directions-vectors/', import.meta.url));

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

const fileName = (passport: ModelPassport): string =>
	`${digest([passport.model, passport.width, passport.pooling, passport.prefix, passport.dtype])}.json`;

const sentencesOf = ({positive, negative}: CatalogueEntry): string => digest([positive, negative]);

/** Gives every entry of the catalogue its vector: from the package, from the folder, or made now and kept there. */
export const loadDirections = async (
	entries: readonly CatalogueEntry[],
	encoder: Encoder,
	{folder, onProgress, signal}: VectorOptions = {},
): Promise<LoadedDirections> => {
	const warnings: string[] = [];
	const name = fileName(encoder.passport);
	const modelWidth = Math.min(encoder.passport.width, width);
	const known = new Map<string, Float32Array>();
	for (const place of [shippedVectors, ...(folder ? [folder] : [])]) {
		const file = await readVectors(path.join(place, name), warnings);
		for (const [key, text] of Object.entries(file?.vectors ?? {})) {
			const vector = decode(text, modelWidth);
			if (vector) {
				known.set(key, vector);
			}
		}
	}

	const missing = entries.filter(entry => !known.has(sentencesOf(entry)));
	for (const [done, entry] of missing.entries()) {
		signal?.throwIfAborted();
		const [positive, negative] = [await embedAll(entry.positive, encoder, signal), await embedAll(entry.negative, encoder, signal)];
		try {
			known.set(sentencesOf(entry), contrast(positive, negative));
		} catch (error) {
			warnings.push(`The direction ${entry.category}.${entry.name} is left out: its poles cannot be told apart (${reasonOf(error)}).`);
		}

		onProgress?.(done + 1, missing.length);
	}

	const usable = entries.filter(entry => known.has(sentencesOf(entry)));
	if (folder && missing.length > 0) {
		const kept = Object.fromEntries(usable.map(entry => [sentencesOf(entry), encode(known.get(sentencesOf(entry))!, modelWidth)]));
		await writeVectors(path.join(folder, name), {model: encoder.passport.model, vectors: kept}, warnings);
	}

	return {
		directions: usable.map(entry => ({
			name: entry.name,
			category: entry.category,
			polePositive: entry.pole_positive,
			poleNegative: entry.pole_negative,
			vector: known.get(sentencesOf(entry))!,
		})),
		warnings,
	};
};

const embedAll = async (texts: readonly string[], encoder: Encoder, signal?: AbortSignal): Promise<Float32Array[]> =>
	Promise.all(texts.map(async text => encoder.embed(text, signal)));

/** A lifted vector is zero past the model's width, so only that much is kept. */
const encode = (vector: Float32Array, modelWidth: number): string =>
	Buffer.from(vector.buffer, vector.byteOffset, modelWidth * 4).toString('base64');

/** Undefined for what is no vector of the model: it is made anew. */
const decode = (text: string, modelWidth: number): Float32Array | undefined => {
	const bytes = Buffer.from(text, 'base64');
	if (bytes.length !== modelWidth * 4) {
		return undefined;
	}

	const vector = new Float32Array(width);
	new Uint8Array(vector.buffer).set(bytes);
	return vector.every(Number.isFinite) ? vector : undefined;
};

const readVectors = async (file: string, warnings: string[]): Promise<VectorFile | undefined> => {
	try {
		return Value.Parse(VectorFile, JSON.parse(await readFile(file, 'utf8')));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
			warnings.push(`The kept vectors ${path.basename(file)} cannot be read (${reasonOf(error)}); they are made anew.`);
		}

		return undefined;
	}
};

/** Written beside and renamed, so that a kill leaves the old file or the new one, never half of one. */
const writeVectors = async (file: string, content: VectorFile, warnings: string[]): Promise<void> => {
	try {
		makeFolder(path.dirname(file));
		await writeFile(`${file}.new`, JSON.stringify(content), {mode: fileMode});
		await rename(`${file}.new`, file);
	} catch (error) {
		warnings.push(`The directions' vectors cannot be kept (${reasonOf(error)}); the next start makes them again.`);
	}
};
