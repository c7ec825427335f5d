/** `history`: how the present came about, state by state. */
import {Type} from '../../platform/typebox.ts';
import {plainLine} from '../../platform/plain-line.ts';
import {countField, direction, fields, maxTextLength, nullableField, numberField, since, summary, textField, tool} from './tool.ts';

export const history = tool({
	name: 'history',
	title: 'How the identity came about',
	description: 'States from the beginning to the present, evenly spread: how far each lies from the first, how unusual the text that '
		+ 'made it was, and who said it. With a direction, the value on it.',
	input: fields({
		points: Type.Optional(Type.Integer({minimum: 2, maximum: 50, default: 10, description: 'Maximum number of states.'})),
		direction: direction(),
		since: since('the beginning'),
	}),
	output: fields({
		summary: summary(),
		cycles: countField('Number of texts between the first and the last state.'),
		points: Type.Array(fields({
			stateId: countField('The number of the state.'),
			timestamp: textField('When it was made.'),
			netMrad: numberField('How far it lies from the first, in milliradians.'),
			dissonancePercentile: nullableField(Type.Number(), 'The share of the 500 texts before with a lower dissonance, 0 to 1. Null with '
				+ 'fewer than 50.'),
			value: nullableField(Type.Number(), 'The value on the direction, −1 to 1. Null without one.'),
			z: nullableField(Type.Number(), 'The value in standard deviations of ordinary sentences.'),
			source: nullableField(Type.String(), 'Who said the text that made it.'),
			text: nullableField(Type.String(), `At most ${maxTextLength} characters of that text.`),
		}), {maxItems: 50, description: 'Oldest first.'}),
	}),
	isReadOnly: true,
	async run(identity, {points: limit = 10, direction: key, since: moment = 'beginning'}, signal) {
		const {from, to, cycles, points} = await identity.history({points: limit, direction: key, since: moment}, {signal});
		return {
			summary: `From state ${from.stateId} of ${from.timestamp} to state ${to.stateId} of ${to.timestamp} it heard ${cycles} `
				+ `${cycles === 1 ? 'text' : 'texts'}, and moved ${points.at(-1)!.netMrad.toFixed(0)} mrad.`,
			cycles,
			points: points.map(point => ({...point, text: point.content === null ? null : plainLine(point.content, maxTextLength)})),
		};
	},
});
