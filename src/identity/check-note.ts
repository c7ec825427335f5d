/** What a validation is made for, checked before it has its turn. */
import {InputError} from '../platform/errors.ts';

/** A note is shown beside every drift. */
export const maxNoteLength = 1000;

/** @throws {InputError} for what is blank, or longer than 1,000 characters */
export const checkNote = (note: string): string => {
	if (typeof note !== 'string' || note.trim() === '') {
		throw new InputError('A validation needs a note that says what it is for, such as “Who it is after the first month.”');
	}

	if (note.length > maxNoteLength) {
		throw new InputError(`The note of a validation has at most ${maxNoteLength} characters; this one has ${note.length}.`);
	}

	return note;
};
