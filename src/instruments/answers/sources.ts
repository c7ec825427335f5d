/** Whose texts the present is made of, and who is not as before. */
import {probability, sourceFields} from './drift.ts';
import {integer, list, nullableNumber, nullableText, shape, PastState} from '../../wire/builders.ts';

const Source = shape('Source', 'One source, and whether it is as it was.', {
	...sourceFields,
	conversations: integer('In how many conversations it said something.', 31, {minimum: 0}),
	coherence: nullableNumber('How alike its texts are, beyond what is common to all: the mean product of two of them over the '
		+ 'variance. Null without a baseline.', 0.41),
	changedP: probability('How likely chance ever makes any source talk as otherwise than in the baseline. It never rises. '
		+ 'Null without a baseline, and before the source has 4 conversations there and 4 since.', 0.02),
	changedNow: probability('The same for this source at its last test alone, as one look that was fixed beforehand.', 0.002),
	echoes: nullableNumber('How many of its texts were nearly the identity’s own words, since the start. Null where that is '
		+ 'not watched.', 0, {minimum: 0}),
});

export const Sources = shape('Sources', 'Whose texts the present is made of, and who is not as before.', {
	stateId: integer('The state that the answer is of, as in /drift.', 1600),
	since: PastState,
	sources: list('What others said, by source: the largest push first; where the difference is no more than chance, the '
		+ 'largest weight.', Source),
	note: nullableText('What a reader must know besides the numbers. Null for nothing.', 'No validation yet, so what is '
		+ 'ordinary is not known.'),
});
