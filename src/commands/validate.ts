/** `processual validate`: says of a stopped service's identity that this is who it should be. */
import {randomUUID} from 'node:crypto';
import {composeValidation} from '../actors/compose-validation.ts';
import {systemTime, timestamp} from '../clock.ts';
import {toResponse} from '../http/routes/validate.ts';
import {checkNote} from '../identity/check-note.ts';
import type {ValidationFacts} from '../journal/journal.ts';
import {factsOf} from '../journal/validation-facts.ts';
import type {Shown} from './ask-journal.ts';
import {when} from './describe-past.ts';
import {openJournalOf, openReaderOf} from './open-journal.ts';
import type {Settings} from './settings.ts';

/**
 * @throws {InputError} for a note that is blank or too long
 * @throws {BaselineTooShortError} when the journal keeps too few texts, or too few visits
 * @throws {JournalError} without a journal, and while a service has it open
 */
export const validate = async (settings: Settings, note: string, {json = false}: Shown = {}): Promise<string> => {
	const order = {id: randomUUID(), timestamp: timestamp(systemTime), note: checkNote(note)};
	// Throws where there is no journal, which opening it for writing would make.
	await (await openReaderOf(settings)).close();
	const journal = await openJournalOf(settings);
	try {
		const {current: state, records} = (await journal.open())!;
		const record = await composeValidation({records, read: async (from, count) => journal.read(from, count)}, {...order, state});
		await journal.append(record);
		return json ? JSON.stringify(toResponse(factsOf(record)), null, '\t') : describe(record);
	} finally {
		await journal.close();
	}
};

const describe = ({stateId, note, baseline: {texts, visits, sources, from}}: ValidationFacts): string =>
	`State ${stateId} is validated: “${note}”.\nThe baseline has ${texts} texts in ${visits} visits${sources === null ? '' : ` of ${sources} ${sources === 1 ? 'source' : 'sources'}`}, since ${when(from)}.`;
