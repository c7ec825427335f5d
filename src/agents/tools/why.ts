/** `why`: what the present is made of. */
import {countInEnglish} from '../../platform/phrase.ts';
import {Type} from '../../platform/typebox.ts';
import {groupings} from '../../instruments/ledger.ts';
import {plainLine, quoteInEnglish} from '../../platform/plain-line.ts';
import {
	countField, direction, fields, maxTextLength, note, nullableField, numberField, percent, since, summary, textField, tool,
} from './tool.ts';

export const why = tool({
	name: 'why',
	title: 'What the identity is made of',
	description: 'The present as an exact sum: the beginning, whose texts, and the rule’s own push, each with its share. With a '
		+ 'direction, each has its part of the value there.',
	input: fields({
		by: Type.Optional(Type.Enum(
			[...groupings], {default: 'source', description: 'What the parts are: sources, single texts, triggers or methods.'},
		)),
		direction: direction(),
		since: since('the beginning'),
		limit: Type.Optional(Type.Integer({
			minimum: 1, maximum: 50, default: 10, description: 'Maximum number of parts, besides the beginning and the push.',
		})),
	}),
	output: fields({
		summary: summary(),
		stateId: countField('The number of the present state.'),
		cycles: countField('Number of texts in the sum.'),
		value: nullableField(Type.Number(), 'The present value on the direction, which the parts sum to. Null without one.'),
		halfLifeCycles: nullableField(Type.Number(), 'Number of texts after which half of a text is left.'),
		parts: Type.Array(fields({
			kind: textField('beginning, before, push, texts, text, method, or others: what is not shown.'),
			key: textField('Name of the source, trigger or method; id of the text; else the kind.'),
			texts: countField('Number of texts in this part.'),
			share: numberField('Its weight among all parts, 0 to 1.'),
			part: nullableField(Type.Number(), 'Its part of the value. Null without a direction.'),
			source: Type.Optional(textField('Of a text: who said it.')),
			timestamp: Type.Optional(textField('Of a text: when.')),
			text: Type.Optional(nullableField(Type.String(), `Of a text: at most ${maxTextLength} characters. Null where texts are not kept.`)),
		}), {maxItems: 53, description: 'The beginning and the push, then the largest first.'}),
		note: note(),
	}),
	isReadOnly: true,
	async run(identity, {by = 'source', direction: key, since: moment = 'beginning', limit = 10}, signal) {
		// Only thirdness moves: on another dimension the answer would only be the beginning.
		const ledger = await identity.ledger({by, direction: key, lens: 'thirdness', since: moment, limit}, {signal});
		const largest = ledger.entries.find(({kind}) => kind === 'texts' || kind === 'text');
		return {
			...ledger,
			summary: `Of the state ${countInEnglish(ledger.cycles, 'text')} ago ${percent(ledger.beginningLeft)} is `
				+ `left.${largest ? ` The largest part of what was said since is by ${quoteInEnglish(largest.source ?? largest.key)}, `
				+ `${percent(largest.share)} of all.` : ''}`,
			parts: ledger.entries.map(({kind, key: name, texts, share, part, source, timestamp, content}) => ({
				kind, key: name, texts, share, part,
				...(source !== undefined && {source}),
				...(timestamp !== undefined && {timestamp}),
				...(content !== undefined && {text: content === null ? null : plainLine(content, maxTextLength)}),
			})),
		};
	},
});
