/** `GET /sources`: whose texts the present is made of, and who is not as before. */
import type {Static} from '../../platform/typebox.ts';
import type {SourcesReport} from '../../instruments/drift.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {driftQuery, sourceFields} from './drift.ts';
import {errorResponses} from './error-schemas.ts';
import {PastState} from './moment.ts';
import {route} from './route.ts';
import {integer, list, nullableNumber, nullableText, number, shape} from './schema-builders.ts';

const Source = shape('Source', 'One source, and whether it is as it was.', {
	...sourceFields,
	visits: integer('How many visits these texts came in.', 31, {minimum: 1}),
	coherence: nullableNumber('How alike its texts are, beyond what is common to all: the mean product of two of them over the variance. Null without a baseline, and with one text.', 0.41),
	changed_p: nullableNumber('How likely its visits differ as much by chance from those of the baseline. Null without a baseline, and with fewer than 4 visits on either side.', 0.002, {minimum: 0, maximum: 1}),
	echoes: nullableNumber('How many of its texts were nearly the identity’s own words, since the start. Null where that is not watched.', 0, {minimum: 0}),
});

export const Sources = shape('Sources', 'Whose texts the present is made of, and who is not as before.', {
	state_id: integer('The state that the answer is of, as in /drift.', 1600),
	since: PastState,
	sources: list('The largest part of the difference first; without a baseline the largest weight.', Source),
	budget: number('The part of the difference at which a source is noticed.', 0.5, {minimum: 0, maximum: 1}),
	note: nullableText('What a reader must know beside the numbers. Null for nothing.', 'No validation yet, so what is ordinary is not known.'),
});

export const sources = route({
	method: 'GET',
	path: '/sources',
	summary: 'Whose texts it is made of, and who is not as before',
	description: 'The texts of each source, their weight in the present, their part of its difference from ordinary talk, and whether the source talks as it did in the baseline. Influence is named, never intent. Computed in a thread from the journal.',
	query: driftQuery,
	responses: {200: Sources, ...errorResponses(409, 422, 429, 500, 503)},
	isCancellable: true,
	handle: async (identity, {since}, signal) => toResponse(await identity.sources({since: since ?? undefined}, {signal})),
});

/** The answer in the names of the wire. */
export const toResponse = ({since, sources: reports, ...view}: SourcesReport): Static<typeof Sources> =>
	({...toSnakeCase(view), since: toSnakeCase(since), sources: reports.map(report => toSnakeCase(report))});
