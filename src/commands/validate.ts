/** `processual validate`: says of a stopped service's identity that this is who it should be. */
import {randomUUID} from 'node:crypto';
import {composeValidation} from '../actors/compose-validation.ts';
import {systemTime, timestamp} from '../platform/clock.ts';
import {bundledLanguages, bundledModel} from '../embedding/use-lite/identifier.ts';
import {toJson} from '../http/question.ts';
import {ValidateResponse} from '../http/schemas/validate.ts';
import {checkNote} from '../identity/check-note.ts';
import {describeUnread, recogniseNewest, requireRead} from '../identity/unread-texts.ts';
import type {ValidationFacts} from '../journal/journal.ts';
import {factsOf} from '../journal/validation-facts.ts';
import type {Shown} from './ask-journal.ts';
import {when} from './describe-past.ts';
import {openJournalOf, openReaderOf} from './open-journal.ts';
import type {Settings} from './settings.ts';

/**
 * @throws {InputError} for a note that is blank or too long
 * @throws {BaselineTooShortError} when the journal keeps too few texts, or too few visits
 * @throws {UnreadTextsError} when the model cannot read many of the last texts, unless that is accepted
 * @throws {JournalError} without a journal, and while a service has it open
 */
export const validate = async (settings: Settings, note: string, {json = false, acceptUnread = false}: Shown & {acceptUnread?: boolean} = {}): Promise<string> => {
	const order = {id: randomUUID(), timestamp: timestamp(systemTime), note: checkNote(note)};
	// Throws where there is no journal, which opening it for writing would make.
	const reader = await openReaderOf(settings);
	const {passport: {model}} = reader.genesis;
	await reader.close();
	const journal = await openJournalOf(settings);
	try {
		const {current: state, records} = (await journal.open())!;
		const past = {records, read: async (from: number, count: number) => journal.read(from, count)};
		if (!acceptUnread && model === bundledModel) {
			requireRead(describeUnread(await recogniseNewest(past, bundledLanguages), bundledLanguages));
		}

		const record = await composeValidation(past, {...order, state});
		await journal.append(record);
		return json ? toJson(ValidateResponse, factsOf(record)) : describe(record);
	} finally {
		await journal.close();
	}
};

const describe = ({stateId, note, baseline: {texts, visits, sources, from}}: ValidationFacts): string =>
	`State ${stateId} is validated: “${note}”.\nThe baseline has ${texts} texts in ${visits} visits${sources === null ? '' : ` of ${sources} ${sources === 1 ? 'source' : 'sources'}`}, since ${when(from)}.`;
