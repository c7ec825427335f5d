/** Loads the configured directions: from the store, the user's catalogue, or the built-in one. */
import type {Language} from '../../platform/phrase.ts';
import {ConfigurationError, isOutage, reasonOf, StoreError, withErrors} from '../../platform/errors.ts';
import type {Direction} from '../../semiosis/profile.ts';
import {toUnitLength} from '../../kernel/normalise.ts';
import {width} from '../../kernel/dimensions.ts';
import type {Boot} from '../source.ts';
import {builtInCatalogue, loadCatalogue} from './catalogue.ts';
import {loadDirections} from './vectors.ts';
import type {Store, StoredDirection} from '../store/store.ts';
import {nameOf} from '../../platform/option-names.ts';

type Options = {
	/** `auto` takes the first source that has directions, in this order. */
	source: 'auto' | 'store' | 'file' | 'built-in';
	store: Store;
	/** The user's catalogue. */
	file: string | undefined;
	/** The cache folder for computed vectors. */
	folder: string;
	/** The language of the built-in poles. @default 'en' */
	language?: Language;
};

/**
 * @throws {StoreError} or {ConfigurationError} if the configured source fails or is missing: another source would
 * change what is measured.
 */
export const loadPreferredDirections = async (
	{source, store, file, folder, language = 'en'}: Options, boot: Boot,
): Promise<Direction[]> => {
	if (source === 'auto' || source === 'store') {
		const stored = await storedDirections(store, boot.signal);
		if (stored.length > 0) {
			return fromStore(stored, boot);
		}

		if (source === 'store') {
			throw new StoreError(`${store.place} has no directions. Import them with “processual import directions FILE”, `
				+ `or set ${nameOf('directions.source')} to another source.`);
		}
	}

	if (source === 'file' && file === undefined) {
		throw new ConfigurationError(`${nameOf('directions.source')} is “file”, but ${nameOf('directions.file')} is not set. `
			+ 'Set it to a catalogue.');
	}

	const entries = await loadCatalogue(source === 'built-in' || file === undefined ? builtInCatalogue : file, {...boot, language});
	return loadDirections(entries, {...boot, folder});
};

const storedDirections = async (store: Store, signal: AbortSignal): Promise<StoredDirection[]> =>
	withErrors(async () => store.directions(signal), cause => isOutage(cause) ? cause : new StoreError(
		`${reasonOf(cause)} Or set ${nameOf('directions.source')} to another source, such as built-in.`, {cause},
	));

/** Skips directions with unusable vectors, with a warning. */
const fromStore = (stored: readonly StoredDirection[], {encoder, warn}: Boot): Direction[] => {
	const directions: Direction[] = [];
	for (const {category, name, polePositive, poleNegative, model, vector} of stored) {
		if (model !== null && model !== encoder.passport.model) {
			warn(`The stored direction ${category}.${name} is skipped: its vector is of the embedding model “${model}”.`);
		} else if (vector.length !== width || !vector.every(Number.isFinite) || !vector.some(Boolean)) {
			warn(`The stored direction ${category}.${name} is skipped: its vector is not ${width} finite floats, or is zero.`);
		} else {
			directions.push({category, name, polePositive, poleNegative, vector: toUnitLength(vector)});
		}
	}

	return directions;
};
