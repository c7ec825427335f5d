/** Loads the configured directions: the store's, the user's own catalogue, or the built-in one. */
import type {Encoder} from '../../embedding/encoder.ts';
import {ConfigurationError, reasonOf, StoreError} from '../../errors.ts';
import type {Direction} from '../../semiosis/profile.ts';
import {toUnitLength} from '../../tensor/normalise.ts';
import {width} from '../../tensor/dimensions.ts';
import {builtInCatalogue, readCatalogue} from './catalogue.ts';
import {loadDirections, type LoadedDirections} from './vectors.ts';
import type {Store, StoredDirection} from '../../store/store.ts';

type Options = {
	/** `auto` takes the first source that has directions, in this order. */
	source: 'auto' | 'store' | 'file' | 'built-in';
	store: Store;
	/** The user's own catalogue. */
	file: string | undefined;
	/** Folder of the vectors that had to be made. */
	folder: string;
	signal: AbortSignal;
};

/** @throws {StoreError} or {ConfigurationError} if the configured source fails or is missing: another source would change what is measured. */
export const loadPreferredDirections = async (encoder: Encoder, {source, store, file, folder, signal}: Options): Promise<LoadedDirections> => {
	if (source === 'auto' || source === 'store') {
		const stored = await storedDirections(store, signal);
		if (stored.length > 0) {
			return fromStore(stored, encoder);
		}

		if (source === 'store') {
			throw new StoreError(`${store.place} has no directions. Import them with “processual import directions FILE”, or set DIRECTIONS to another source.`);
		}
	}

	if (source === 'file' && file === undefined) {
		throw new ConfigurationError('DIRECTIONS is “file”, but DIRECTIONS_FILE is not set. Set it to a catalogue.');
	}

	const {entries, warnings} = await readCatalogue(source === 'built-in' || file === undefined ? builtInCatalogue : file);
	const {directions, warnings: more} = await loadDirections(entries, encoder, {folder, signal});
	return {directions, warnings: [...warnings, ...more]};
};

const storedDirections = async (store: Store, signal: AbortSignal): Promise<StoredDirection[]> => {
	try {
		return await store.directions(signal);
	} catch (error) {
		throw new StoreError(`${reasonOf(error)} Or set DIRECTIONS to another source, such as built-in.`, {cause: error});
	}
};

/** Skips a direction with an unusable vector, with a warning. */
const fromStore = (stored: readonly StoredDirection[], encoder: Encoder): LoadedDirections => {
	const directions: Direction[] = [];
	const warnings: string[] = [];
	for (const {category, name, polePositive, poleNegative, model, vector} of stored) {
		if (model !== null && model !== encoder.passport.model) {
			warnings.push(`The stored direction ${category}.${name} is skipped: its vector is of the embedding model “${model}”.`);
		} else if (vector.length !== width || !vector.every(Number.isFinite) || !vector.some(Boolean)) {
			warnings.push(`The stored direction ${category}.${name} is skipped: its vector is not ${width} finite floats, or is zero.`);
		} else {
			directions.push({category, name, polePositive, poleNegative, vector: toUnitLength(vector)});
		}
	}

	return {directions, warnings};
};
