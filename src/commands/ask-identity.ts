/**
 * Asks the identity that the settings name, here or afar: that of a service elsewhere (PROCESSUAL_URL), of the service that
 * holds the folder or has the identity in the database, else the journal's, which is opened here.
 */
import {requireSameModel} from '../actors/boot-steps.ts';
import {encoderBy, passportOf, type LoadedEncoder, type ModelPassport} from '../embedding/encoder.ts';
import {languagesOf} from '../embedding/use-lite/identifier.ts';
import {openIdentity} from '../identity/create-identity.ts';
import type {Identity} from '../identity/identity.ts';
import {MovedError, warnToConsole} from '../platform/errors.ts';
import type {Boot} from '../sources/source.ts';
import {connectTo, inOwnWords, toServiceElsewhere, toServiceHere, type Service} from './connect-to.ts';
import {toIdentityOptions} from './identity-options.ts';
import {noIdentityError, openBegunJournal} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {findService} from './service-lock.ts';
import type {Given} from './setting-options.ts';
import type {Settings} from './settings.ts';

/** What an identity needs to answer, beside its journal. */
export type Needs = {
	/** Whether it writes a record. */
	readonly writes?: boolean;
	/** Whether states are projected. */
	readonly directions?: boolean;
	/** Whether texts are said. */
	readonly says?: boolean;
	/** Whether texts are forgotten, which the stores may have too. */
	readonly forgets?: boolean;
};

type Ask<Answer> = (identity: Identity) => Answer | Promise<Answer>;

/**
 * @returns null where no identity has begun
 * @throws {JournalError} while a program that is no service has the journal open; and what the identity throws
 */
export const askIdentity = async <Answer>(settings: Settings, needs: Needs, ask: Ask<Answer>): Promise<Answer | null> => {
	const service = findServiceOf(settings);
	if (service) {
		return askAfar(settings, service, ask);
	}

	try {
		return await askHere(settings, needs, ask);
	} catch (error) {
		if (error instanceof MovedError && error.owner !== null) {
			return askAfar(settings, toServiceHere(settings, error.owner), ask);
		}

		throw error;
	}
};

/**
 * `processual say`: a cycle with a text.
 *
 * @returns what it did, in a sentence
 * @throws {UnknownIdentityError} where no identity has begun
 */
export const sayText = async (settings: Settings, {text, source, conversation}: Given): Promise<string> => {
	const answer = await askIdentity(settings, {writes: true, says: true}, async identity => identity.say({
		content: text as string, source: source as string, ...(conversation !== undefined && {conversation: conversation as string}),
	}));
	if (!answer) {
		throw noIdentityError(settings);
	}

	const {stateId, dissonanceTotal, held} = answer;
	return `State ${stateId}. Dissonance ${dissonanceTotal.toFixed(3)}. ` + (held === undefined
		? '“processual why --by text” has what it is made of.'
		: `The text is held back, and moved nothing: ${held} “processual held” has what waits.`);
};

/** The service that has the identity; null where its journal can be opened here. */
export const findServiceOf = (settings: Settings): Service | null => {
	if (settings.PROCESSUAL_URL !== undefined) {
		return toServiceElsewhere(settings, settings.PROCESSUAL_URL);
	}

	const url = settings.DATABASE_URL === undefined ? findService(settings) : null;
	return url === null ? null : toServiceHere(settings, url);
};

/** Asks the identity of a service. @throws in the words of the command */
export const askAfar = async <Answer>(settings: Settings, service: Service, ask: Ask<Answer>): Promise<Answer> => {
	await using identity = connectTo(service, settings);
	try {
		return await ask(identity);
	} catch (error) {
		throw inOwnWords(error, service);
	}
};

const askHere = async <Answer>(
	settings: Settings, {writes = false, directions, says, forgets}: Needs, ask: Ask<Answer>,
): Promise<Answer | null> => {
	const begun = await openBegunJournal(settings, writes);
	if (!begun) {
		return null;
	}

	const {journal, passport} = begun;
	try {
		await using stores = await openSources(settings);
		const {sources} = stores;
		// The reference is the one that the journal began with: to make it of what is known of the person may take the model.
		await using identity = await openIdentity({
			...toIdentityOptions(settings),
			// A reader drops nothing that came due.
			...(!writes && {guard: {}}),
			journal,
			encoder: () => loadedWithText(settings, passport),
			// Not the source itself, which the boot would go on without.
			directions: async (boot: Boot) => directions ? sources.directions({...boot, warn: warnToConsole}) : [],
			...(forgets && {forgetElsewhere: sources.forgetElsewhere}),
			...(says && {authority: sources.authority, corroborate: sources.corroborate}),
			/** The boot's warnings are for who serves it. Others have their reason, and need no stack. */
			warn(message, error) {
				if (error !== undefined) {
					warnToConsole(message);
				}
			},
		});
		return await ask(identity);
	} finally {
		await journal.close();
	}
};

/** The journal's model, which is loaded with the first text that is embedded. */
const loadedWithText = (settings: Settings, passport: ModelPassport): LoadedEncoder => {
	let loading: Promise<LoadedEncoder> | undefined;
	const load = async (): Promise<LoadedEncoder> => loading ??= loadSame();
	const loadSame = async (): Promise<LoadedEncoder> => {
		const loaded = await (await import('./progress.ts')).loadModel(settings);
		requireSameModel(passport, passportOf(loaded));
		return loaded;
	};

	const languages = languagesOf(passport.model);
	return Object.assign(encoderBy(async (...given) => (await load()).embedWithReport(...given), () => ({passport, languages})), {
		dispose: async () => (await loading?.catch(() => null))?.dispose(),
	});
};
