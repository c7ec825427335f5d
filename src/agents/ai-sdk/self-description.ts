/** What a model gets to know of the identity: what differs from chance in a few lines, or nothing. */
import type {ScaledProfile} from '../../generated/types.ts';
import {sortStandOut} from '../../instruments/stand-out.ts';
import {scaledTraitsOf} from '../../language/traits.ts';
import {quote} from '../../platform/plain-line.ts';

/** Null where nothing stands out, and where no direction has a unit: what is chance is left out. */
export const describeSelf = ({directions, note}: Pick<ScaledProfile, 'directions' | 'note'>, maxTraits: number): string | null => {
	const traits = scaledTraitsOf(sortStandOut(directions)).slice(0, maxTraits);
	return traits.length === 0 ? null : [
		'What you lean to by now, measured by what you have heard and said:',
		...traits.map(({strength, towards, awayFrom}) => `- ${strength} towards ${quote(towards)} rather than ${quote(awayFrom)}`),
		...(note === null ? [] : [`Note: ${note}`]),
	].join('\n');
};
