/**
 * The catalogue: named directions with two poles, each pole shown by example sentences.
 * Its file is data that a person edits, so it is read entry by entry: one that cannot be
 * used is reported and left out, and the rest stands.
 */
import {readFile} from 'node:fs/promises';
import {Type, type Static} from 'typebox';
import {Value} from 'typebox/value';
import {ConfigurationError, reasonOf} from '../../errors.ts';

const Sentences = Type.Array(Type.String({minLength: 1}), {minItems: 4});

const CatalogueEntry = Type.Object({
	category: Type.String({minLength: 1}),
	name: Type.String({minLength: 1}),
	pole_positive: Type.String({minLength: 1}),
	pole_negative: Type.String({minLength: 1}),
	positive: Sentences,
	negative: Sentences,
});

/** A direction as the catalogue writes it: poles in words, at least four examples of each. */
export type CatalogueEntry = Static<typeof CatalogueEntry>;

/** Directions by their examples, before they have vectors. */
export type Catalogue = {
	entries: CatalogueEntry[];
	/** One sentence per entry that was left out. */
	warnings: string[];
};

/** The catalogue that comes with the package. */
export const builtInCatalogue: URL = new URL('../../../data/directions.json', import.meta.url);

/**
 * Reads a catalogue file: `{"directions": [entry, …]}`.
 *
 * @throws {ConfigurationError} when the file is missing, is not JSON or has no list of directions.
 */
export const readCatalogue = async (file: string | URL): Promise<Catalogue> => {
	let content: unknown;
	try {
		content = JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		throw new ConfigurationError(`The catalogue of directions cannot be read (${reasonOf(error)}). Give a JSON file of the form {"directions": […]}.`, {cause: error});
	}

	const list = (content as {directions?: unknown} | null)?.directions;
	if (!Array.isArray(list)) {
		throw new ConfigurationError('The catalogue of directions has no list "directions". Give a JSON file of the form {"directions": […]}.');
	}

	return checkEntries(list);
};

const checkEntries = (list: unknown[]): Catalogue => {
	const entries: CatalogueEntry[] = [];
	const warnings: string[] = [];
	const seen = new Set<string>();
	for (const [index, raw] of list.entries()) {
		const name = (raw as {name?: unknown} | null)?.name;
		const label = `Direction ${index + 1}${typeof name === 'string' ? ` (${name})` : ''}`;
		if (!Value.Check(CatalogueEntry, raw)) {
			const [error] = Value.Errors(CatalogueEntry, raw);
			warnings.push(`${label} is left out: ${error?.instancePath || 'the entry'} ${error?.message ?? 'is not valid'}.`);
			continue;
		}

		const key = `${raw.category}.${raw.name}`;
		if (seen.has(key)) {
			warnings.push(`${label} is left out: ${key} stands in the catalogue already.`);
			continue;
		}

		seen.add(key);
		entries.push(raw);
	}

	return {entries, warnings};
};
