/** Handmade profiles: category → name → value, with poles like those of the built-in catalogue. */
import type {ScaledDirection} from '../../src/generated/types.ts';
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

/** A direction that stands out, with the word for its z. */
export const scaled = (name: string, z: number, polePositive: string, poleNegative: string): ScaledDirection => ({
	key: `cognitive.${name}`, category: 'cognitive', name, dimension: 'thirdness', moves: true, polePositive, poleNegative, value: z / 10,
	z, percentile: null, quality: 0.9, valence: 0, word: Math.abs(z) > 2 ? 'strong' : 'leaning', standsOut: true,
	pole: z > 0 ? polePositive : poleNegative,
});
