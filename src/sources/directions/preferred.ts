/** Which directions a process projects on: the store's, a person's own catalogue, or the built-in one. */
import type {Encoder} from '../../embedding/encoder.ts';
import {ConfigurationError, reasonOf, StoreError} from '../../errors.ts';
import type {Direction} from '../../semiosis/profile.ts';
import {toUnitLength} from '../../tensor/normalise.ts';
import {width} from '../../tensor/dimensions.ts';
import {builtInCatalogue, readCatalogue} from './catalogue.ts';
import {loadDirections, type LoadedDirections} from './vectors.ts';
import type {Store, StoredDirection} from '../../store/store.ts';

type Options = {
	/** One source, or `auto`: the first that has any, in this order. */
	source: 'auto' | 'store' | 'file' | 'built-in';
	store: Store;
	/** A catalogue of the person's own. */
	file: string | undefined;
	/** Where vectors that had to be made are kept. */
	folder: string;
	signal: AbortSignal;
};

/** @throws {StoreError} or {ConfigurationError} when the source that is asked for fails or is not there: nobody wants to be measured on other axes unawares. */
export const loadPreferredDirections = async (encoder: Encoder, {source, store, file, folder, signal}: Options): Promise<LoadedDirections> => {
	if (source === 'auto' || source === 'store') {
		const stored = await storedDirections(store, signal);
		if (stored.length > 0) {
			return fromStore(stored, encoder);
		}

		if (source === 'store') {
			throw new StoreError(`${store.place} has no directions. Bring them in with “processual import directions FILE”, or choose another source (DIRECTIONS).`);
		}
	}

	if (source === 'file' && file === undefined) {
		throw new ConfigurationError('DIRECTIONS is “file”, and DIRECTIONS_FILE names none.');
	}

	const {entries, warnings} = await readCatalogue(source === 'built-in' || file === undefined ? builtInCatalogue : file);
	const {directions, warnings: more} = await loadDirections(entries, encoder, {folder, signal});
	return {directions, warnings: [...warnings, ...more]};
};

const storedDirections = async (store: Store, signal: AbortSignal): Promise<StoredDirection[]> => {
	try {
		return await store.directions(signal);
	} catch (error) {
		throw new StoreError(`${reasonOf(error)} Or choose another source of directions (DIRECTIONS=built-in).`, {cause: error});
	}
};

/** A direction whose vector cannot be used is left out and told. */
const fromStore = (stored: readonly StoredDirection[], encoder: Encoder): LoadedDirections => {
	const directions: Direction[] = [];
	const warnings: string[] = [];
	for (const {category, name, polePositive, poleNegative, model, vector} of stored) {
		if (model !== null && model !== encoder.passport.model) {
			warnings.push(`The stored direction ${category}.${name} is left out: its vector is of the embedding model “${model}”.`);
		} else if (vector.length !== width || !vector.every(Number.isFinite) || !vector.some(Boolean)) {
			warnings.push(`The stored direction ${category}.${name} is left out: its vector is not ${width} finite floats with some length.`);
		} else {
			directions.push({category, name, polePositive, poleNegative, vector: toUnitLength(vector)});
		}
	}

	return {directions, warnings};
};
