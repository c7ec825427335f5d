/** Profiles made by hand: category → name → value, with poles of the built-in catalogue's kind. */
import type {Profile} from '../../src/semiosis/profile.ts';

type Line = [category: string, name: string, value: number, polePositive: string, poleNegative: string];

export const profileOf = (...lines: Line[]): Profile => {
	const profile: Profile = {};
	for (const [category, name, value, polePositive, poleNegative] of lines) {
		profile[category] ??= {};
		profile[category][name] = {value, dimension: 'thirdness', polePositive, poleNegative};
	}

	return profile;
};

export const calmProfile = profileOf(
	['affective', 'joy', 0.02, 'joyful', 'sad'],
	['affective', 'calm', 0.1534, 'calm', 'agitated'],
	['temporal', 'change', -0.0612, 'change', 'permanence'],
);
