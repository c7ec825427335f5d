/** What a caller asks of a cycle, checked before it counts. */
import {readTime} from '../platform/clock.ts';
import {InputError, reasonOf} from '../platform/errors.ts';
import {maxNameLength, maxNoteLength, readName} from '../instruments/source-of.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {CycleRequest, ImportRequest} from './views.ts';

export type CheckedRequest = Required<Pick<CycleRequest, 'content' | 'trigger' | 'metadata'>> & {
	/** Null where the caller gave none. */ id: string | null;
	/** Of a text that is imported: when it was said; ISO 8601, UTC. */ saidAt?: string;
};

const names: Names<CycleRequest> = {content: true, trigger: true, source: true, conversation: true, metadata: true, id: true};

/** The ids that a caller may give: what a header can carry. */
const idPattern = /^[\x21-\x7E]{1,255}$/;

/**
 * The request as it stays until its turn, whatever becomes of the caller's own. Source and conversation stand in its
 * metadata, where a record keeps them.
 *
 * @throws {InputError} for a blank content, for metadata that JSON cannot hold, for an id that no header can carry,
 * for a source or a conversation that is too long, and for a field that no request has
 */
export const checkRequest = (given: string | CycleRequest): CheckedRequest => {
	// JavaScript callers may give nothing.
	const request = typeof given === 'string' ? {content: given} : given ?? {content: ''};
	requireKnownNames('A cycle', request, names, {kind: 'field', Failure: InputError});
	const {content, trigger = 'user', metadata = {}, id, source, conversation} = request;
	if (typeof content !== 'string' || content.trim() === '') {
		throw new InputError('The content of a cycle must be a text that is not blank.');
	}

	if (typeof trigger !== 'string') {
		throw new InputError('The trigger of a cycle must be a string.');
	}

	if (id !== undefined && !(typeof id === 'string' && idPattern.test(id))) {
		throw new InputError('The id of a cycle must be 1 to 255 visible ASCII characters.');
	}

	return {content, trigger, metadata: withNames(copyAsJson(metadata), {source, conversation}), id: id ?? null};
};

/**
 * The request for an import, as {@link checkRequest} has it, with the time in UTC.
 *
 * @throws {InputError} as that does, and for what is no time in ISO 8601
 */
export const checkImport = (given: ImportRequest): CheckedRequest => {
	const {saidAt, ...request} = given ?? {content: ''};
	const time = typeof saidAt === 'string' ? readTime(saidAt) : NaN;
	if (Number.isNaN(time)) {
		throw new InputError('The time saidAt of an import must be one in ISO 8601, such as 2026-01-31T12:00:00Z, '
			+ ((saidAt as unknown) instanceof Date ? 'and no Date: give its toISOString().' : `not ${JSON.stringify(saidAt)}.`));
	}

	return {...checkRequest(request), saidAt: new Date(time).toISOString()};
};

/** Adds names to metadata that has none. */
const withNames = (metadata: Record<string, unknown>, given: Pick<CycleRequest, 'source' | 'conversation'>): Record<string, unknown> => {
	const added = Object.entries(given).filter(([name, value]) => {
		if (value !== undefined && !(typeof value === 'string' && Array.from(value).length <= maxNameLength)) {
			throw new InputError(`The ${name} of a cycle must be a text of at most ${maxNameLength} characters.`);
		}

		return readName(value) !== null && readName(metadata[name]) === null;
	});
	return added.length === 0 ? metadata : {...metadata, ...Object.fromEntries(added)};
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

/** What each note is of, and such as. */
const notes = {
	'a validation': 'that says what it is for, such as “Who it is after the first month.”',
	'a hold': 'that says why texts wait, such as “Until it is clear.”',
	'a forgetting': 'that says why the texts are forgotten, such as “A request of 3 March.”, and names nobody',
	'a revision': 'that says why it is made, such as “Viktor’s account was taken over in March.”',
};

/** @throws {InputError} for what is blank, or longer than 1,000 characters */
export const checkNote = (note: string, of: keyof typeof notes): string => {
	if (typeof note !== 'string' || note.trim() === '') {
		throw new InputError(`${of.replace('a', 'A')} needs a note ${notes[of]}`);
	}

	return checkLength(note, of);
};

/** @throws {InputError} for a note that is longer than 1,000 characters */
export const checkLength = (note: string, of: string): string => {
	if (note.length > maxNoteLength) {
		throw new InputError(`The note of ${of} has at most ${maxNoteLength} characters; this one has ${note.length}.`);
	}

	return note;
};
