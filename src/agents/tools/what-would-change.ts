/** `what_would_change`: what a text would do, before it is said. */
import {Type} from '../../platform/typebox.ts';
import {plainLine} from '../../platform/plain-line.ts';
import {fields, maxTextLength, note, nullableField, numberField, percent, spoken, summary, textField, tool} from './tool.ts';

export const whatWouldChange = tool({
	name: 'what_would_change',
	title: 'What a text would do',
	description: 'Tries a text without saying it: how unlike the state it is, how far it would turn the state, and in which directions. '
		+ 'Nothing changes.',
	input: fields({...spoken, source: Type.Optional(spoken.source)}),
	output: fields({
		summary: summary(),
		dissonance: numberField('How unlike the state the text is: 0 the same, 1 unrelated, 2 the opposite.'),
		dissonancePercentile: nullableField(Type.Number(), 'The share of the last 500 texts with a lower dissonance, 0 to 1. Null with '
			+ 'fewer than 50.'),
		turnMrad: numberField('How far the state would turn, in milliradians.'),
		moves: Type.Array(fields({
			key: textField('<category>.<name>.'),
			towards: textField('The pole that it would move to.'),
			before: numberField('The state on the direction now, −1 to 1.'),
			after: numberField('The same after the text.'),
		}), {maxItems: 10, description: 'The directions that would move most, the strongest first.'}),
		nearest: Type.Array(fields({
			text: nullableField(Type.String(), `At most ${maxTextLength} characters. Null where texts are not kept.`),
			timestamp: textField('When it was said.'),
			cosine: numberField('How alike the two texts are, −1 to 1.'),
		}), {maxItems: 5, description: 'The nearest of the last 500 texts.'}),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {text: content, ...names}, signal) {
		const {dissonanceTotal, dissonancePercentile, turnMrad, moves, nearest} = await identity.dryRun({content, ...names}, {signal});
		return {
			summary: `It would turn the state by ${turnMrad.toFixed(2)} mrad. Its dissonance is `
				+ `${dissonanceTotal.toFixed(2)}${dissonancePercentile === null ? '' : `, above ${percent(dissonancePercentile)} of `
				+ 'the last texts'}.`,
			dissonance: dissonanceTotal,
			dissonancePercentile,
			turnMrad,
			moves: moves.map(({key, polePositive, poleNegative, before, after, change}) => ({
				key, towards: change > 0 ? polePositive : poleNegative, before, after,
			})),
			nearest: nearest.map(({content: past, timestamp, cosine}) => ({
				text: past === null ? null : plainLine(past, maxTextLength), timestamp, cosine,
			})),
			note: dissonancePercentile === null ? 'Too few texts are kept to say whether the dissonance is unusual.' : null,
		};
	},
});
