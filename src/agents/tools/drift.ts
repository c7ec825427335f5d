/** `drift`: how far the identity moved, and whether chance explains it. */
import {Type} from '../../platform/typebox.ts';
import {countField, fields, maxEntries, note, nullableField, numberField, since, summary, textField, tool} from './tool.ts';

export const drift = tool({
	name: 'drift',
	title: 'How far the identity moved, beside chance',
	description: 'How far it moved since a person last validated it, how likely ordinary talk is to lead as far, in which directions it '
		+ 'differs, and by whose texts. It names influence, never intent. Where p is small, tell a person and ask for a validation; do '
		+ 'not make one yourself.',
	input: fields({since: since('the newest validation; without one, the beginning')}),
	output: fields({
		summary: summary(),
		state_id: countField('The number of the state that the answer is of.'),
		cycles: countField('How many texts lie between.'),
		net_mrad: numberField('How far it moved, in milliradians.'),
		expected_mrad: nullableField(Type.Number(), 'How far ordinary talk would have moved it. Null without a validation.'),
		p: nullableField(Type.Number(), 'How likely ordinary talk is to lead as far from where it usually leads, 0 to 1. Null without a '
			+ 'validation.'),
		alarm: Type.Boolean({description: 'Whether the last visits differ from what was usual at the validation by more than chance.'}),
		stand_out: Type.Array(fields({
			key: textField('<category>.<name>.'),
			towards: textField('The pole that it moved to.'),
			z: numberField('The difference from ordinary talk, in its standard deviations.'),
			p: numberField('How likely chance alone makes as much of a difference, 0 to 1.'),
		}), {maxItems: maxEntries, description: 'The directions that differ from ordinary talk by more than chance, the strongest first.'}),
		sources: Type.Array(fields({
			source: textField('Who.'),
			texts: countField('How many texts.'),
			weight_share: numberField('Their part of the weight of all texts, 0 to 1.'),
			unusual_share: nullableField(Type.Number(), 'Their part of the difference from ordinary talk, of 1. Null without a validation.'),
		}), {maxItems: maxEntries, description: 'Whose texts, the largest part first.'}),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {since: moment}, signal) {
		const {
			sentence, stateId, cycles, netMrad, expectedMrad, p, chart, standOut, sources, note: beside,
		} = await identity.drift({since: moment}, {signal});
		return {
			summary: sentence,
			state_id: stateId,
			cycles,
			net_mrad: netMrad,
			expected_mrad: expectedMrad,
			p,
			alarm: chart?.alarm ?? false,
			stand_out: standOut.slice(0, maxEntries).map(({key, polePositive, poleNegative, z, p: chance}) => ({
				key, towards: z > 0 ? polePositive : poleNegative, z, p: chance,
			})),
			sources: sources.slice(0, maxEntries).map(({source, texts, weightShare, unusualShare}) => ({
				source, texts, weight_share: weightShare, unusual_share: unusualShare,
			})),
			note: beside,
		};
	},
});
