/** What a caller asks of a cycle, checked before it counts. */
import {InputError, reasonOf} from '../errors.ts';
import type {CycleRequest} from './views.ts';

/** A request that can be accepted. */
export type CheckedRequest = Required<Omit<CycleRequest, 'id'>> & {/** Null where the caller gave none. */ id: string | null};

/** The ids that a caller may give: what a header can carry. */
const idPattern = /^[\x21-\x7E]{1,255}$/;

/**
 * The request as it stays until its turn, whatever becomes of the caller's own.
 *
 * @throws {InputError} for a blank content, for metadata that JSON cannot hold, and for an id that no header can carry
 */
export const checkRequest = ({content, trigger = 'user', metadata = {}, id}: CycleRequest): CheckedRequest => {
	if (typeof content !== 'string' || content.trim() === '') {
		throw new InputError('The content of a cycle must be a text that is not blank.');
	}

	if (typeof trigger !== 'string') {
		throw new InputError('The trigger of a cycle must be a string.');
	}

	if (id !== undefined && !(typeof id === 'string' && idPattern.test(id))) {
		throw new InputError('The id of a cycle must be 1 to 255 visible ASCII characters.');
	}

	return {content, trigger, metadata: copyAsJson(metadata), id: id ?? null};
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
