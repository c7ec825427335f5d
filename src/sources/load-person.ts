/** What the configured sources know of the reference person. One that fails is told and passed over: the other may still be true. */
import {reasonOf} from '../errors.ts';
import type {Person} from '../semiosis/reference.ts';
import {readDeclaredProfile} from './declared-profile.ts';
import {recentMessages} from './message-file.ts';

/** The files that know the person. */
export type PersonSources = {
	messagesFile: string;
	profileFile: string | undefined;
};

/** What the person said and declares of themselves; what cannot be read becomes a warning. */
export const loadPerson = async ({messagesFile, profileFile}: PersonSources): Promise<{person: Person; warnings: string[]}> => {
	const warnings: string[] = [];
	const orNull = async <Known>(meaning: string, known: Promise<Known>): Promise<Known | null> => {
		try {
			return await known;
		} catch (error) {
			warnings.push(`${meaning}: ${reasonOf(error)}`);
			return null;
		}
	};

	const words = await orNull('The reference knows no messages', recentMessages(messagesFile));
	const profile = profileFile === undefined ? null : await orNull('The reference knows no declared profile', readDeclaredProfile(profileFile));
	return {person: {words, profile}, warnings};
};
