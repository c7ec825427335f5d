/** `who_am_i`: how the state differs from chance. */
import type {ScaledDirection} from '../../generated/types.ts';
import {Type} from '../../platform/typebox.ts';
import {lenses, sortStandOut} from '../../instruments/scaled-profile.ts';
import {withTone} from '../../instruments/readable.ts';
import {countField, fields, note, nullableField, numberField, summary, textField, tool} from './tool.ts';

/** More would not make it clearer. */
const maxShown = 20;

const describe = ({pole, polePositive, poleNegative, z}: ScaledDirection): string =>
	`${pole} rather than ${pole === polePositive ? poleNegative : polePositive} (z ${z!.toFixed(1)})`;

export const whoAmI = tool({
	name: 'who_am_i',
	title: 'What stands out in the identity',
	description: 'What in the present state differs from chance, with units. Call it before you speak for the identity, and claim '
		+ 'nothing that it does not name. Where nothing stands out, it says so.',
	input: fields({
		lens: Type.Optional(Type.Enum([...lenses], {default: 'own', description: 'own: each direction on the dimension of its category. '
			+ 'thirdness: every direction on the dimension that texts move.'})),
	}),
	output: fields({
		summary: summary(),
		stateId: countField('The number of the state.'),
		begunAtRandom: Type.Boolean({description: 'Whether the identity began with random vectors. Then only what texts have moved counts.'}),
		standsOut: Type.Array(fields({
			key: textField('<category>.<name>.'),
			pole: textField('What it leans to.'),
			ratherThan: textField('The opposite.'),
			z: numberField('How far it lies from the mean of ordinary sentences, in their standard deviations: 1 to 2 is a leaning, '
				+ 'more is strong.'),
			percentile: nullableField(Type.Number(), 'The share of ordinary sentences with a lower value, 0 to 1.'),
			moves: Type.Boolean({description: 'Whether texts can move it.'}),
		}), {maxItems: maxShown, description: 'What differs from chance, the strongest first. Empty where nothing does.'}),
		noDifferentFromChance: countField('How many directions say nothing.'),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {lens}) {
		const profile = await identity.scaledProfile({lens: lens ?? 'own'});
		const {stateId, begunAtRandom, note: missing, directions} = profile;
		const standing = sortStandOut(profile);
		const isKnown = directions.some(({z}) => z !== null);
		const nothing = isKnown ? 'Nothing in this state stands out.' : 'What stands out is not known.';
		return {
			summary: standing.length === 0
				? nothing
				: 'This stands out: '
					+ `${standing.slice(0, 3).map(describe).join('; ')}${standing.length > 3 ? `; and ${standing.length - 3} more` : ''}.`,
			stateId,
			begunAtRandom,
			standsOut: standing.slice(0, maxShown).map(({key, pole, polePositive, poleNegative, z, percentile, moves}) =>
				({key, pole: pole!, ratherThan: pole === polePositive ? poleNegative : polePositive, z: z!, percentile, moves})),
			noDifferentFromChance: withTone(directions, profile.tone).length - standing.length,
			note: missing,
		};
	},
});
