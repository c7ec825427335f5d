/**
 * The sentences whose embeddings start the reference of a person with a declared profile and no
 * messages (`docs/spec/numerics.md#reference-from-a-declared-profile`).
 */
import {dimensions} from '../kernel/dimensions.ts';
import {dimensionOf} from './profile.ts';
import type {DeclaredProfile} from './reference.ts';

/** More traits in a sentence would weaken each of them in its embedding. */
const maxTraits = 3;

/** The sentence of a dimension without a declared trait. */
const neutralSentence = 'I am a person like any other.';

/**
 * Writes one sentence per dimension, in order. It names the traits with the highest values that the
 * profile declares for the dimension's categories, highest first, equal ones in the file's order.
 *
 * Denied traits (values below 0) are not named, because embeddings hardly represent negation. With
 * the bundled encoder and the built-in catalogue, a sentence that denies a trait lies on the
 * trait's side of the neutral sentence for about two names in three. The adjustment along the
 * directions covers denied traits.
 */
export const traitSentences = (profile: DeclaredProfile): string[] => {
	// Not a constant of the module: making it takes 20 ms at every start.
	const list = new Intl.ListFormat('en', {type: 'conjunction'});
	return dimensions.map(dimension => {
		const traits = profile
			.filter(([category]) => dimensionOf(category) === dimension)
			.flatMap(([, values]) => values.flatMap(([name, value]) => value !== null && value > 0 ? [{name, value}] : []))
			.toSorted((a, b) => b.value - a.value)
			.map(({name}) => name.replaceAll('_', ' '));
		const strongest = [...new Set(traits)].slice(0, maxTraits);
		return strongest.length > 0 ? `What I have most of is ${list.format(strongest)}.` : neutralSentence;
	});
};
