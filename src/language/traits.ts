/** What a profile says, in the words of its poles: the part that every way of translating shares. */
import {LanguageError} from '../errors.ts';
import type {Profile} from '../semiosis/profile.ts';
import {strongest} from '../semiosis/strongest.ts';

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

/** A declared value of 10, the most, is a projection of 10/60 (`docs/spec/numerics.md#reference-from-a-declared-profile`): the scale that the words follow. */
const declaredScale = 60;

const strengthOf = (value: number): Strength => {
	const size = Math.abs(value) * declaredScale;
	if (size >= 6) {
		return 'strongly';
	}

	if (size >= 3) {
		return 'clearly';
	}

	return size >= 1 ? 'slightly' : 'barely';
};

/**
 * The traits of a profile's strongest projections, the strongest first.
 *
 * @throws {LanguageError} when there is none, since words without them would be made up.
 */
export const traitsOf = (profile: Profile): Trait[] => {
	const traits = strongest(profile)
		.filter(({value}) => value !== 0)
		.map(({key, value, polePositive, poleNegative}) => ({
			key,
			value,
			towards: value > 0 ? polePositive : poleNegative,
			awayFrom: value > 0 ? poleNegative : polePositive,
			strength: strengthOf(value),
		}));
	if (traits.length === 0) {
		throw new LanguageError('There is nothing to put into words: the state has no projections that differ from 0. Load directions; the log of the startup says why there are none.');
	}

	return traits;
};
