/** The leanings of a state, in the words of the poles: the input of every translator. */
import type {ScaledDirection} from '../generated/types.ts';
import {LanguageError} from '../platform/errors.ts';
import {maxStrongest, strongestProjections, type Profile} from '../semiosis/profile.ts';
import {declaredValueScale} from '../semiosis/reference.ts';

export type Trait = {
	/** `<category>.<name>` */
	key: string;
	/** The projection, or the z of a scaled direction. */
	value: number;
	/** The pole that the state leans to, and the other. */
	towards: string;
	awayFrom: string;
	strength: Strength;
};

/** Raw projections have all but `somewhat`; scaled directions have `strongly` or `somewhat`. */
export type Strength = 'strongly' | 'clearly' | 'slightly' | 'barely' | 'somewhat';

/** Names the strength of a projection on the scale of a declared profile, whose highest value is 10. */
const strengthOf = (value: number): Strength => {
	const size = Math.abs(value) * declaredValueScale;
	if (size >= 6) {
		return 'strongly';
	}

	if (size >= 3) {
		return 'clearly';
	}

	return size >= 1 ? 'slightly' : 'barely';
};

type Poles = {key: string; polePositive: string; poleNegative: string};

const toTrait = ({key, polePositive, poleNegative}: Poles, value: number, strength: Strength): Trait => ({
	key,
	value,
	towards: value > 0 ? polePositive : poleNegative,
	awayFrom: value > 0 ? poleNegative : polePositive,
	strength,
});

/** The traits of the directions that stand out, in the same order; at most as many as of a raw profile. */
export const scaledTraitsOf = (standOut: readonly ScaledDirection[]): Trait[] =>
	standOut.slice(0, maxStrongest).map(direction => toTrait(direction, direction.z!, direction.word === 'strong' ? 'strongly' : 'somewhat'));

/**
 * The traits of a profile's strongest projections, strongest first.
 *
 * @throws {LanguageError} if there is none: a text without traits would be invented.
 */
export const traitsOf = (profile: Profile): Trait[] => {
	const traits = strongestProjections(profile)
		.filter(({value}) => value !== 0)
		.map(projection => toTrait(projection, projection.value, strengthOf(projection.value)));
	if (traits.length === 0) {
		throw new LanguageError('There is nothing to translate: no projection of the state differs from 0. '
			+ 'Load directions; the startup log says why there are none.');
	}

	return traits;
};
