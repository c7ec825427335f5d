/**
 * Loads the reference person from the configured files. Messages that cannot be read become a warning; a profile that
 * cannot be read is an error, as a missing one is.
 */
import {isOutage, reasonOf, type Warn, warnToConsole} from '../platform/errors.ts';
import type {Person} from '../semiosis/reference.ts';
import {readDeclaredProfile} from './declared-profile.ts';
import {readMessages} from './message-file.ts';
import {type Messages, readRecentWords} from './recent-words.ts';

/** The files that describe the reference person. */
export type PersonSources = {
	/** SQLite file of messages, which need not exist. */
	messagesFile: string;
	/** JSON file of the declared profile. */
	profileFile: string | undefined;
};

/**
 * Reads the words and the declared profile of the reference person. `warn` is called with messages that cannot be
 * read; it is `console.warn` by default.
 *
 * @throws {ConfigurationError} for a profile that cannot be read
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadPerson} from 'processual-state/sources';
 *
 * const files = {messagesFile: 'messages.sqlite', profileFile: 'profile.json'};
 * export const identity = createIdentity({person: async boot => loadPerson(files, boot)});
 * ```
 */
export const loadPerson = async ({messagesFile, profileFile}: PersonSources, options: {warn?: Warn} = {}): Promise<Person> =>
	loadPersonFrom({read: () => readMessages(messagesFile)}, profileFile, options);

/** As {@link loadPerson}, of messages wherever they are. */
export const loadPersonFrom = async (
	messages: Pick<Messages, 'read'>, profileFile: string | undefined, {warn = warnToConsole}: {warn?: Warn},
): Promise<Person> => {
	let words: Person['words'] = null;
	try {
		words = await readRecentWords(messages.read());
	} catch (error) {
		if (isOutage(error)) {
			throw error;
		}

		warn(`The reference is made without messages: ${reasonOf(error)}`);
	}

	return {words, profile: profileFile === undefined ? null : await readDeclaredProfile(profileFile)};
};
