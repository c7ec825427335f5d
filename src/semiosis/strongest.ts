/** The strongest projections of a profile: what a translation tells, and what its faithfulness is judged by. */
import type {Profile, ProfileEntry} from './profile.ts';

export type Projection = ProfileEntry & {
	/** `<category>.<name>`, as on the wire. */
	key: string;
};

/**
 * Twenty: the number that faithfulness compares. More would be asked of a text than one of a few
 * sentences can tell, and the weakest of a hundred directions are noise.
 */
const strongestCount = 20;

/** Up to {@link strongestCount} projections by absolute value, ties by key, whatever order the profile has. */
export const strongest = (profile: Profile): Projection[] =>
	Object.entries(profile)
		.flatMap(([category, entries]) => Object.entries(entries).map(([name, entry]) => ({...entry, key: `${category}.${name}`})))
		.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.key < b.key ? -1 : 1))
		.slice(0, strongestCount);
