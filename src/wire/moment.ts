/** Moments of the past, in requests and in answers. */
import {Type} from '../platform/typebox.ts';
import {integer, shape, timestamp} from './builders.ts';

/**
 * A moment of the past, as a field of a request.
 *
 * @param standard The moment that is meant without one.
 */
export const moment = (description: string, standard: 'beginning' | 'present') => Type.Unsafe<number | string>({
	type: ['integer', 'string'],
	description: `${description} The id of a state, a time in ISO 8601, beginning or present. A reset uses ids again: the newest state of an id is meant.`,
	examples: [standard],
	default: standard,
});

/** A moment of the past, as a field of an answer. */
export const PastState = shape('PastState', 'A state of the past.', {
	stateId: integer('Its number.', 42),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
});
