/** The reference tensor before its adjustment: of a person's words, or of sentences about what they declare (`docs/spec/numerics.md#reference-from-a-declared-profile`). */
import {dimensions} from '../tensor/dimensions.ts';
import {StateTensor, type Rows} from '../tensor/state-tensor.ts';
import {dimensionOf} from './profile.ts';
import type {DeclaredProfile} from './reference.ts';

/** The reference's id, always. */
const referenceId = -1;

/** How many traits a sentence names: with more, each of them counts for less in its embedding. */
const most = 3;

/** Of a person who declares no trait for a dimension. */
const neutral = 'I am a person like any other.';

const listed = new Intl.ListFormat('en', {type: 'conjunction'});

/**
 * One plain sentence per dimension, in order: the names of the highest values that the profile
 * declares for the dimension's categories, the highest first, in the file's order where they are equal.
 *
 * Traits that the person denies (values below 0) are not named. An embedding hardly hears a
 * negation: with the bundled encoder and the built-in catalogue, a sentence that denies a trait
 * lies on that trait's side of the neutral one for about two names in three. Those traits come in
 * with the adjustment along the directions.
 */
export const traitSentences = (profile: DeclaredProfile): string[] => dimensions.map(dimension => {
	const traits = profile
		.filter(([category]) => dimensionOf(category) === dimension)
		.flatMap(([, values]) => values.flatMap(([name, value]) => value !== null && value > 0 ? [{name, value}] : []))
		.toSorted((a, b) => b.value - a.value)
		.map(({name}) => name.replaceAll('_', ' '));
	const strongest = [...new Set(traits)].slice(0, most);
	return strongest.length > 0 ? `What I have most of is ${listed.format(strongest)}.` : neutral;
});

/** The tensor of eight embeddings of unit length, one per dimension in order. @throws {RangeError} unless there are 8 of 1024 floats. */
export const createReference = (rows: Rows, timestamp: string): StateTensor => new StateTensor(referenceId, timestamp, rows);
