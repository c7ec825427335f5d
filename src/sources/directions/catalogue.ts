/**
 * The catalogue: named directions with two poles, each with example sentences. People edit its
 * file, so an unusable entry is skipped with a warning, and the others are used.
 */
import {readFile} from 'node:fs/promises';
import {Type, type Static} from '../../platform/typebox.ts';
import {describeFaults, parseJsonFile} from '../../platform/describe-faults.ts';
import {ConfigurationError, reasonOf, type Warn, warnToConsole, withErrors} from '../../platform/errors.ts';
import {locatePackageFile, packageFile} from '../../platform/package-file.ts';
import type {Language} from '../../platform/phrase.ts';

const Sentences = Type.Array(Type.String({minLength: 1}), {minItems: 4});

const EntrySchema = Type.Object({
	category: Type.String({minLength: 1}),
	name: Type.String({minLength: 1}),
	pole_positive: Type.String({minLength: 1}),
	pole_negative: Type.String({minLength: 1}),
	positive: Sentences,
	negative: Sentences,
});

/** An entry of the catalogue: the poles in words, and at least four examples of each. */
export type CatalogueEntry = {
	category: string;
	name: string;
	pole_positive: string;
	pole_negative: string;
	positive: string[];
	negative: string[];
};

/** The catalogue that comes with the package. */
export const builtInCatalogue: URL = locatePackageFile('data/directions.json');

/**
 * Reads a catalogue file: `{"directions": [entry, …]}`. `warn`, by default `console.warn`, is called for each skipped entry.
 * `language` only affects the poles of the built-in catalogue.
 *
 * @throws {ConfigurationError} if the file cannot be read, is not JSON or has no list of directions.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadDirections, loadCatalogue} from 'processual-state/sources';
 *
 * export const identity = createIdentity({
 * 	directions: async boot => loadDirections(await loadCatalogue('directions.json', boot), boot),
 * });
 * ```
 */
export const loadCatalogue = async (
	file: string | URL, {warn = warnToConsole, language = 'en'}: {warn?: Warn; language?: Language} = {},
): Promise<CatalogueEntry[]> => {
	const isBuiltIn = file === builtInCatalogue;
	const place = isBuiltIn ? packageFile('data/directions.json') : file;
	const content = await withErrors(async () => parseJsonFile(await readFile(place)), cause => new ConfigurationError(
		`The catalogue of directions ${String(file)} cannot be read (${reasonOf(cause)}). Give a JSON file of the form {"directions": […]}.`,
		{cause},
	));
	const list = (content as {directions?: unknown} | null)?.directions;
	if (!Array.isArray(list)) {
		throw new ConfigurationError('The catalogue of directions has no list “directions”. Give a JSON file of the form {"directions": […]}.');
	}

	// A test checks the built-in catalogue. Checking its 2,100 sentences would take a fiftieth of each start.
	const entries = isBuiltIn ? list as CatalogueEntry[] : checkEntries(list, warn);
	return isBuiltIn && language === 'fr' ? nameInFrench(entries) : entries;
};

/** Names the poles in French. The sentences stay English: a model that reads French through English words measures the same. */
const nameInFrench = async (entries: readonly CatalogueEntry[]): Promise<CatalogueEntry[]> => {
	const lines = (await readFile(packageFile('data/french/poles.tsv'), 'utf8')).trim().split('\n');
	const poles = new Map(lines.map(line => {
		const [key, positive, negative] = line.split('\t') as [string, string, string];
		return [key, {positive, negative}];
	}));
	return entries.map(entry => {
		const {positive, negative} = poles.get(`${entry.category}.${entry.name}`)!;
		return {...entry, pole_positive: positive, pole_negative: negative};
	});
};

const checkEntries = (list: unknown[], warn: Warn): CatalogueEntry[] => {
	const entries: CatalogueEntry[] = [];
	const seen = new Set<string>();
	for (const [index, raw] of list.entries()) {
		const name = (raw as {name?: unknown} | null)?.name;
		const label = `Direction ${index + 1}${typeof name === 'string' ? ` (${name})` : ''}`;
		const [fault] = describeFaults(EntrySchema, raw);
		if (fault !== undefined) {
			warn(`${label} is skipped: ${fault}.`);
			continue;
		}

		const entry: CatalogueEntry = raw as Static<typeof EntrySchema>;
		const key = `${entry.category}.${entry.name}`;
		if (seen.has(key)) {
			warn(`${label} is skipped: an earlier entry is ${key} too.`);
			continue;
		}

		seen.add(key);
		entries.push(entry);
	}

	return entries;
};
