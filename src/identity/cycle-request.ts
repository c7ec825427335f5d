/** Checks the requests for cycles and imports, and the notes of decisions, before they take effect. */
import {readTime} from '../platform/clock.ts';
import {InputError, reasonOf} from '../platform/errors.ts';
import {maxNameLength, maxNoteLength, readName} from '../instruments/source-of.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {CycleRequest, ImportRequest} from './views.ts';

export type CheckedRequest = Required<Pick<CycleRequest, 'content' | 'trigger' | 'metadata'>> & {
	/** Null if the caller gave none. */ id: string | null;
	/** For an import: when the text was said; ISO 8601, UTC. */ saidAt?: string;
};

const names: Names<CycleRequest> = {content: true, trigger: true, source: true, conversation: true, metadata: true, id: true};

/** Ids that a header can carry. */
const idPattern = /^[\x21-\x7E]{1,255}$/;

/**
 * Copies the request, so that the caller may change its object before the turn. Source and conversation move to the
 * metadata, where a record keeps them.
 *
 * @throws {InputError} for blank content, metadata that JSON cannot hold, an id that a header cannot carry, a source or a
 * conversation that is too long, and an unknown field
 */
export const checkRequest = (given: string | CycleRequest): CheckedRequest => {
	// JavaScript callers may pass nothing.
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
 * Like {@link checkRequest}, with the time of the text, converted to UTC.
 *
 * @throws {InputError} also for a time that is not in ISO 8601
 */
export const checkImport = (given: ImportRequest): CheckedRequest => {
	const {saidAt, ...request} = given ?? {content: ''};
	const time = typeof saidAt === 'string' ? readTime(saidAt) : NaN;
	if (Number.isNaN(time)) {
		throw new InputError('The time saidAt of an import must be one in ISO 8601, such as 2026-01-31T12:00:00Z, '
			+ ((saidAt as unknown) instanceof Date ? 'not a Date: give its toISOString().' : `not ${JSON.stringify(saidAt)}.`));
	}

	return {...checkRequest(request), saidAt: new Date(time).toISOString()};
};

/** Adds source and conversation to the metadata, unless it already has them. @throws {InputError} for one that is too long */
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

/** For each kind of note, what it is for and an example. */
const notes = {
	'a validation': 'that says what it is for, such as “Who it is after the first month.”',
	'a hold': 'that says why texts wait, such as “Until it is clear.”',
	'a forgetting': 'that says why the texts are forgotten, such as “A request of 3 March.”, and names nobody',
	'a revision': 'that says why it is made, such as “Viktor’s account was taken over in March.”',
};

/** @throws {InputError} for a note that is blank or longer than 1,000 characters */
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
