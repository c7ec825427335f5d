/**
 * Asks the identity that the settings name: through a service elsewhere (PROCESSUAL_URL), else through the local service that
 * holds the folder or the database's identity, else by opening the journal in this process.
 */
import {requireSameModel} from '../actors/boot-steps.ts';
import {encoderBy, passportOf, type LoadedEncoder, type ModelPassport} from '../embedding/encoder.ts';
import {languagesOf} from '../embedding/use-lite/identifier.ts';
import {openIdentity} from '../identity/create-identity.ts';
import type {Identity} from '../identity/identity.ts';
import {MovedError, warnToConsole, withErrors} from '../platform/errors.ts';
import type {Boot} from '../sources/source.ts';
import {connectTo, inOwnWords, toServiceElsewhere, toServiceHere, type Service} from './connect-to.ts';
import {toIdentityOptions} from './identity-options.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import {noIdentityError, openBegunJournal} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {findService} from './service-lock.ts';
import type {Given} from './setting-options.ts';
import type {Settings} from './settings.ts';

/** What a command needs, besides the journal. */
export type Needs = {
	/** Whether it writes a record. */
	readonly writes?: boolean;
	/** Whether states are projected. */
	readonly directions?: boolean;
	/** Whether it embeds texts. */
	readonly says?: boolean;
	/** Whether it forgets texts, which the stores may also contain. */
	readonly forgets?: boolean;
};

type Ask<Answer> = (identity: Identity) => Answer | Promise<Answer>;

/**
 * @returns null if no identity has begun
 * @throws {JournalError} while a program other than a service has the journal open; and whatever the identity throws
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
 * Asks like {@link askIdentity}, for a command that also works before the default identity has begun.
 *
 * @throws {UnknownIdentityError} for another identity that has not begun, because its name may be misspelled
 */
export const askIfBegun = async <Answer>(settings: Settings, ask: Ask<Answer>): Promise<Answer | null> => {
	const answer = await askIdentity(settings, {}, ask);
	if (answer === null && settings.IDENTITY !== defaultIdentityName) {
		throw noIdentityError(settings);
	}

	return answer;
};

/**
 * `processual say`: runs a cycle with a text.
 *
 * @returns the result, in a sentence
 * @throws {UnknownIdentityError} if no identity has begun
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
		? '“processual why --by text” shows what it is made of.'
		: `The text is held back and moved nothing: ${held} “processual held” lists the held texts.`);
};

/** The service that has the identity; null if its journal can be opened here. */
export const findServiceOf = (settings: Settings): Service | null => {
	if (settings.PROCESSUAL_URL !== undefined) {
		return toServiceElsewhere(settings, settings.PROCESSUAL_URL);
	}

	const url = settings.DATABASE_URL === undefined ? findService(settings) : null;
	return url === null ? null : toServiceHere(settings, url);
};

/** Asks a service's identity. @throws errors worded for the command line */
export const askAfar = async <Answer>(settings: Settings, service: Service, ask: Ask<Answer>): Promise<Answer> => {
	await using identity = connectTo(service, settings);
	return await withErrors(async () => ask(identity), error => inOwnWords(error, service));
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
		// The reference comes from the journal: making it from what is known of the person could need the model.
		await using identity = await openIdentity({
			...toIdentityOptions(settings),
			// A reader must not drop held texts that are due.
			...(!writes && {guard: {}}),
			journal,
			encoder: () => loadedWithText(settings, passport),
			// Not the source itself: if that failed, the boot would continue without directions.
			directions: async (boot: Boot) => directions ? sources.directions({...boot, warn: warnToConsole}) : [],
			...(forgets && {forgetElsewhere: sources.forgetElsewhere}),
			...(says && {authority: sources.authority, corroborate: sources.corroborate}),
			/** Warnings of the boot, which have no error, are for a service's log. Others are printed without the stack. */
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

/** The journal's model, loaded when the first text is embedded. */
const loadedWithText = (settings: Settings, passport: ModelPassport): LoadedEncoder => {
	let loading: Promise<LoadedEncoder> | undefined;
	const load = async (): Promise<LoadedEncoder> => {
		const loaded = await (await import('./progress.ts')).loadModel(settings);
		requireSameModel(passport, passportOf(loaded));
		return loaded;
	};

	const languages = languagesOf(passport.model);
	const encoder = encoderBy(async (...given) => (await (loading ??= load())).embedWithReport(...given), () => ({passport, languages}));
	return Object.assign(encoder, {dispose: async () => (await loading?.catch(() => null))?.dispose()});
};
