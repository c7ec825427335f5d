/** A profile's strongest projections in the words of their poles: the input of every translator. */
import {LanguageError} from '../errors.ts';
import {strongestProjections, type Profile} from '../semiosis/profile.ts';
import {declaredValueScale} from '../semiosis/reference.ts';

export type Trait = {
	/** `<category>.<name>` */
	key: string;
	value: number;
	/** The pole that the state leans to, and the other. */
	towards: string;
	awayFrom: string;
	strength: Strength;
};

export type Strength = 'strongly' | 'clearly' | 'slightly' | 'barely';

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

/**
 * The traits of a profile's strongest projections, strongest first.
 *
 * @throws {LanguageError} when there is none: a text without traits would be invented.
 */
export const traitsOf = (profile: Profile): Trait[] => {
	const traits = strongestProjections(profile)
		.filter(({value}) => value !== 0)
		.map(({key, value, polePositive, poleNegative}) => ({
			key,
			value,
			towards: value > 0 ? polePositive : poleNegative,
			awayFrom: value > 0 ? poleNegative : polePositive,
			strength: strengthOf(value),
		}));
	if (traits.length === 0) {
		throw new LanguageError('There is nothing to translate: no projection of the state differs from 0. Load directions; the startup log says why there are none.');
	}

	return traits;
};
