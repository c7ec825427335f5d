/** `who_am_i`: how the state differs from chance. */
import type {ScaledDirection} from '../../generated/types.ts';
import {Type} from '../../platform/typebox.ts';
import {lenses, sortStandOut, withTone} from '../../instruments/scaled-profile.ts';
import {countField, fields, note, nullableField, numberField, summary, textField, tool} from './tool.ts';

/** More would not make it clearer. */
const maxShown = 20;

const describe = ({pole, polePositive, poleNegative, z}: ScaledDirection): string =>
	`${pole} rather than ${pole === polePositive ? poleNegative : polePositive} (z ${z!.toFixed(1)})`;

export const whoAmI = tool({
	name: 'who_am_i',
	title: 'What stands out in the identity',
	description: 'The directions in which the present state differs from chance, with units. Call it before you speak for the identity, '
		+ 'and claim nothing that it does not name. If nothing stands out, it says so.',
	input: fields({
		lens: Type.Optional(Type.Enum([...lenses], {default: 'own', description: 'own: each direction on the dimension of its category. '
			+ 'thirdness: every direction on the dimension that texts move.'})),
	}),
	output: fields({
		summary: summary(),
		stateId: countField('The number of the state.'),
		begunAtRandom: Type.Boolean({description: 'Whether the identity began with random vectors. If so, only movements caused by texts '
			+ 'count.'}),
		standsOut: Type.Array(fields({
			key: textField('<category>.<name>.'),
			pole: textField('The pole it leans to.'),
			ratherThan: textField('The opposite pole.'),
			z: numberField('How far it lies from the mean of ordinary sentences, in their standard deviations: 1 to 2 is a leaning, '
				+ 'more is strong.'),
			percentile: nullableField(Type.Number(), 'The share of ordinary sentences with a lower value, 0 to 1.'),
			moves: Type.Boolean({description: 'Whether texts can move it.'}),
		}), {maxItems: maxShown, description: 'The directions that differ from chance, the strongest first. Empty if none do.'}),
		noDifferentFromChance: countField('How many directions are no different from chance.'),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {lens}) {
		const profile = await identity.scaledProfile({lens: lens ?? 'own'});
		const {stateId, begunAtRandom, note: missing, directions} = profile;
		const standing = sortStandOut(profile);
		const isKnown = directions.some(({z}) => z !== null);
		const nothing = isKnown ? 'Nothing in this state stands out.' : 'It is not known whether anything stands out.';
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
