/** Whose texts the present is made of, and who is not as before. */
import {sourceFields} from './drift.ts';
import {integer, list, nullableNumber, nullableText, number, shape, PastState} from '../../wire/builders.ts';

const Source = shape('Source', 'One source, and whether it is as it was.', {
	...sourceFields,
	visits: integer('How many visits these texts came in.', 31, {minimum: 1}),
	coherence: nullableNumber('How alike its texts are, beyond what is common to all: the mean product of two of them over the variance. Null without a baseline, and with one text.', 0.41),
	changedP: nullableNumber('How likely its visits differ as much by chance from those of the baseline. Null without a baseline, and with fewer than 4 visits on either side.', 0.002, {minimum: 0, maximum: 1}),
	echoes: nullableNumber('How many of its texts were nearly the identity’s own words, since the start. Null where that is not watched.', 0, {minimum: 0}),
});

export const Sources = shape('Sources', 'Whose texts the present is made of, and who is not as before.', {
	stateId: integer('The state that the answer is of, as in /drift.', 1600),
	since: PastState,
	sources: list('The largest part of the difference first; without a baseline the largest weight.', Source),
	budget: number('The part of the difference at which a source is noticed.', 0.5, {minimum: 0, maximum: 1}),
	note: nullableText('What a reader must know besides the numbers. Null for nothing.', 'No validation yet, so what is ordinary is not known.'),
});
