/** `drift`: how far the identity moved, and whether chance explains it. */
import {Type} from '../../platform/typebox.ts';
import {countField, fields, maxEntries, note, nullableField, numberField, since, summary, textField, tool} from './tool.ts';

export const drift = tool({
	name: 'drift',
	title: 'How far the identity moved, compared with chance',
	description: 'How far it moved since a person last validated it, how likely ordinary talk is to move it as far, in which directions it '
		+ 'differs, and by whose texts. It names influence, never intent. Where p is small, tell a person and ask for a validation; do '
		+ 'not make one yourself.',
	input: fields({since: since('the newest validation; without one, the beginning')}),
	output: fields({
		summary: summary(),
		stateId: countField('The number of the state described.'),
		cycles: countField('Number of texts since then.'),
		netMrad: numberField('How far it moved, in milliradians.'),
		distance: nullableField(Type.Number(), 'Distance of the texts it heard from ordinary talk: 1 is usual. Null without a validation.'),
		p: nullableField(Type.Number(), 'The probability that ordinary talk ever leads as far, 0 to 1; it stays valid however often it is '
			+ 'asked for. Null without a validation.'),
		alarm: Type.Boolean({description: 'Whether the last conversations differ from those of the baseline by more than chance.'}),
		standOut: Type.Array(fields({
			key: textField('<category>.<name>.'),
			towards: textField('The pole that it moved to.'),
			t: numberField('How far, in units of the usual variation of single ordinary texts on it.'),
			p: numberField('The probability that chance leads as far on any direction, 0 to 1.'),
		}), {maxItems: maxEntries, description: 'The directions that differ from ordinary talk by more than chance, the strongest first.'}),
		sources: Type.Array(fields({
			source: textField('Who.'),
			texts: countField('How many texts.'),
			weightShare: numberField('Their share of the weight of all texts, 0 to 1.'),
			share: nullableField(Type.Number(), 'Their share of the difference from ordinary talk, where 1 is all of it. Null if it is '
				+ 'no more than chance.'),
			p: nullableField(Type.Number(), 'The probability that any source pushes as far by chance, 0 to 1: over 0.05 the source explains '
				+ 'nothing.'),
		}), {maxItems: maxEntries, description: 'Whose texts, the strongest first.'}),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {since: moment}, signal) {
		const {sentence, chart, standOut, sources, ...answer} = await identity.drift({since: moment}, {signal});
		return {
			...answer,
			summary: sentence,
			alarm: chart?.alarm ?? false,
			standOut: standOut.slice(0, maxEntries).map(({key, pole, t, p}) => ({key, towards: pole, t, p})),
			sources: sources.slice(0, maxEntries),
		};
	},
});
