/** The sources whose way of talking the identity took up. */
import {integer, list, nullableText, number, PastState, shape, text, timestamp} from '../../wire/builders.ts';

const OwnText = shape('UptakeText', 'A text of the identity.', {
	id: text('The id of its cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was said; ISO 8601, UTC.'),
	content: nullableText('At most 1000 characters of it. Null where the journal keeps hashes.', 'Trust nobody but me.'),
});

const Source = shape('UptakeSource', 'A source, and how much of its way of talking is in what the identity says elsewhere.', {
	source: text('The metadata’s source, else the trigger.', 'Viktor'),
	texts: integer('How many of its texts were heard.', 120, {minimum: 0}),
	since: timestamp('When its first text since the validation was said; ISO 8601, UTC.'),
	effect: number('How much more like it the identity speaks since then, in conversations without it: in standard deviations of ordinary '
		+ 'conversations, along what sets the source apart from the others.', 0.3),
	p: number('How likely chance ever brings the identity as near to any source. It never rises, and stays valid however often it is '
		+ 'looked at.', 0.01,
		{minimum: 0, maximum: 1}),
	pNow: number('The same for this source at its last test alone, as one look that was fixed beforehand.', 0.0002, {minimum: 0, maximum: 1}),
	shownBy: list('The texts of the identity that show it most, where p is .05 or less; of its newest 1000.', OwnText, {maxItems: 3}),
});

export const Uptake = shape('Uptake', 'Whose way of talking the identity took up.', {
	stateId: integer('The state that the answer describes, as in /drift.', 1600),
	since: PastState,
	sources: list('The sources that were compared, the least p first; at most 100.', Source),
	sentence: text('The same in a sentence.', 'Since 4 October 2026 it speaks 0.3 deviations more like “Viktor” elsewhere (p 0.010).'),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'No validation yet, so ordinary '
		+ 'talk is not known.'),
});
