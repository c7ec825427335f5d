/** What a caller asks of a cycle, checked before it counts. */
import {InputError, reasonOf} from '../errors.ts';
import type {CycleRequest} from './views.ts';

/**
 * The request as it stays until its turn, whatever becomes of the caller's own.
 *
 * @throws {InputError} for a blank content, and for metadata that JSON cannot hold: no journal could keep them.
 */
export const checkRequest = ({content, trigger = 'user', metadata = {}}: CycleRequest): Required<CycleRequest> => {
	if (typeof content !== 'string' || content.trim() === '') {
		throw new InputError('The content of a cycle must be a text that is not blank.');
	}

	if (typeof trigger !== 'string') {
		throw new InputError('The trigger of a cycle must be a string.');
	}

	return {content, trigger, metadata: copyAsJson(metadata)};
};

const copyAsJson = (metadata: Record<string, unknown>): Record<string, unknown> => {
	let copy: unknown;
	try {
		copy = JSON.parse(JSON.stringify(metadata));
	} catch (error) {
		throw new InputError(`The metadata of a cycle must be an object that JSON can hold: ${reasonOf(error)}`, {cause: error});
	}

	if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
		throw new InputError('The metadata of a cycle must be an object.');
	}

	return copy as Record<string, unknown>;
};
