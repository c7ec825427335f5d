/** The doctor's checks: a service elsewhere, the models, the journal, the data that an identity begins with, and the port. */
import {existsSync} from 'node:fs';
import path from 'node:path';
import {requireSameModel} from '../../actors/boot-steps.ts';
import {findTransformers} from '../../embedding/adapters/import-transformers.ts';
import type {Encoder, LoadedEncoder} from '../../embedding/encoder.ts';
import {loadEncoder} from '../../embedding/load-encoder.ts';
import {chooseModel} from '../../embedding/model-choice.ts';
import {ConfigurationError, reasonOf, withErrors, type Warn} from '../../platform/errors.ts';
import {probeFolder} from '../../platform/files/folders.ts';
import {countInEnglish} from '../../platform/phrase.ts';
import {findWeakSettings} from '../../platform/postgres/acknowledged.ts';
import {explainListenError, toReachableHost} from '../../http/server.ts';
import type {JournalView} from '../../journal/read-pages.ts';
import {openLanguageModel} from '../../language/model-translator.ts';
import type {Profile} from '../../semiosis/profile.ts';
import {askAfar} from '../ask-identity.ts';
import {toServiceElsewhere} from '../connect-to.ts';
import {line, when} from '../show-answers.ts';
import {isInUse, openDatabaseOf, readJournalOf} from '../open-journal.ts';
import type {OpenSources} from '../open-sources.ts';
import {toEmbeddingOptions, toJournalFolder, toKeys, toLanguageModelOptions} from '../options.ts';
import {probePort} from '../serve-page.ts';
import {requireReadableFiles} from '../setting-files.ts';
import type {Settings} from '../settings.ts';

export type Result = {
	/** `warning`: it works, but perhaps not as intended. */
	state: 'ok' | 'warning' | 'error';
	/** The finding; for a warning or an error also what to do. */
	message: string;
};

const ok = (message: string): Result => ({state: 'ok', message});

/** Whether the service that the commands ask answers. */
export const checkService = async (settings: Settings, baseUrl: string): Promise<Result> => {
	const {stateId} = await askAfar(settings, toServiceElsewhere(settings, baseUrl), async identity => identity.state());
	return ok(`${baseUrl} answers; the state has id ${stateId}. The checks below are for a service on this machine`);
};

/** @param onLoaded Receives the encoder even if a trial text then fails. */
export const checkModel = async (settings: Settings, onLoaded: (encoder: LoadedEncoder) => void): Promise<Result> => {
	const options = toEmbeddingOptions(settings);
	const choice = chooseModel(options);
	let encoder: LoadedEncoder;
	try {
		encoder = await loadEncoder({...options, offline: true});
	} catch (error) {
		if (choice.adapter !== 'transformers' || !choice.download || findTransformers() === null) {
			throw error;
		}

		return {
			state: existsSync(path.resolve(choice.folder, choice.name)) ? 'error' : 'warning',
			message: `${reasonOf(error)} The doctor downloads nothing; the next start downloads the missing files.`,
		};
	}

	onLoaded(encoder);
	await encoder.embed('How are you?');
	const {passport: {model, width}, languages} = encoder;
	const reads = languages
		? `; it reads ${languages.join(', ')} only: for other languages set EMBEDDING_MODEL, for example Xenova/bge-m3`
		: '';
	return ok(`${model} embeds with width ${width}${reads}`);
};

/** Whether the database accepts records, and keeps what it acknowledges. */
export const checkDatabase = async (settings: Settings): Promise<Result> => {
	await using database = (await openDatabaseOf(settings))!;
	await (await import('../../platform/postgres/migrate.ts')).requireRights(database);
	const weak = await findWeakSettings(database.query);
	return weak.length === 0 ? ok('it keeps acknowledged records') : {state: 'warning', message: weak.join(' ')};
};

/** Null if no journal was begun. */
export const checkJournal = async (settings: Settings, encoder: LoadedEncoder | null): Promise<Result | null> => {
	try {
		return await readJournalOf(settings, reader => {
			if (encoder) {
				requireSameModel(reader.genesis.passport, encoder.passport);
			}

			return describeJournal(reader, settings);
		});
	} catch (error) {
		if (isInUse(error)) {
			return ok('a running service has it open, so it was not checked');
		}

		throw error;
	}
};

const describeJournal = (reader: JournalView, settings: Settings): Result => {
	const {validated} = reader;
	const validation = validated
		? `validated at state ${validated.stateId} on ${when(validated.timestamp)} (“${line(validated.note)}”)`
		: 'not validated';
	const found = `${countInEnglish(reader.records, 'record')}; the state has id ${reader.current.stateId}; ${validation}`;
	const folder = toKeys(settings).folder;
	if (settings.FORGET_KEYS && isInside(folder, settings.DATA_DIR)) {
		return {state: 'warning', message: `${found}. Its keys are in ${folder}, which a backup of DATA_DIR includes: a forgetting then `
			+ 'does not reach the backup. Set FORGET_KEYS_DIR to a folder elsewhere.'};
	}

	return reader.genesis.isRandom
		? {
			state: settings.REQUIRE_STORE ? 'error' : 'warning',
			message: `${found}. This identity began with a random `
				+ `state${settings.REQUIRE_STORE ? ', so the service does not start (REQUIRE_STORE)' : ''}. `
				+ 'To begin as somebody, run “processual import state FILE”, then “processual begin --again”.',
		}
		: ok(found);
};

const isInside = (folder: string, other: string): boolean => !path.relative(path.resolve(other), path.resolve(folder)).startsWith('..');

const requireFolder = (folder: string, name: string, setting: string): void => withErrors(
	() => probeFolder(folder),
	error => new ConfigurationError(`${name} cannot be written (${reasonOf(error)}). Set ${setting} to a folder that can be created and `
		+ 'written to, or free space there.', {cause: error}),
);

/** @throws {ConfigurationError} if the journal, or its keys, could not be written. */
export const requireWritable = (settings: Settings): void => {
	requireFolder(toJournalFolder(settings), settings.DATA_DIR, 'DATA_DIR');
	const {folder, seals} = toKeys(settings);
	if (seals) {
		requireFolder(folder, folder, 'FORGET_KEYS_DIR');
	}
};

type Sources = OpenSources['sources'];

/** A diagnosis is never cancelled. */
const {signal} = new AbortController();

/** A warning if the work warned, else ok with its message. */
const okUnlessWarned = async (work: (warn: Warn) => Promise<string>): Promise<Result> => {
	const warnings: string[] = [];
	const message = await work(warning => warnings.push(warning));
	return warnings.length > 0 ? {state: 'warning', message: warnings.join(' ')} : ok(message);
};

export const checkStore = async (
	settings: Settings, {store, sources: {initialState}}: OpenSources, encoder: Encoder | null, hasJournal: boolean,
): Promise<Result> => {
	const latest = await store.latestState();
	if (!latest && hasJournal) {
		return ok(`${store.place} has no state and needs none: the journal has its own`);
	}

	if (!latest) {
		return {
			state: settings.REQUIRE_STORE ? 'error' : 'warning',
			message: `${store.place} has no state, so `
				+ `${settings.REQUIRE_STORE ? 'the service does not start (REQUIRE_STORE)' : 'a new journal begins with a random state'}. `
				+ 'Import one with “processual import state FILE”.',
		};
	}

	return okUnlessWarned(async warn => {
		if (encoder) {
			await initialState({encoder, signal, warn});
		}

		return `${store.place} has state ${latest.stateId} for a new journal to begin with`;
	});
};

export const checkReference = async (settings: Settings, sources: Sources): Promise<Result> => {
	requireReadableFiles(settings, ['MESSAGES_FILE', 'PROFILE_FILE']);
	return okUnlessWarned(async warn => {
		const {words, profile} = await sources.person({warn});
		const parts = [words !== null && 'messages', profile && 'the declared profile'].filter(part => part);
		return parts.length > 0
			? `made of ${parts.join(' and ')}`
			: 'there are no messages and no declared profile, so the reference is a copy of the initial state';
	});
};

export const checkAuthority = async (settings: Settings, sources: Sources, encoder: Encoder): Promise<Result> => {
	requireReadableFiles(settings, ['AUTHORITY_FILE']);
	const {articles, anchors = []} = await sources.authority({encoder, signal});
	return ok(`${articles.length} articles, ${anchors.length} anchors`);
};

/** Missing vectors are left to the service, because embedding them takes long and writes a file. */
export const checkDirections = async (settings: Settings, sources: Sources, {passport}: Encoder): Promise<Result> => {
	requireReadableFiles(settings, ['DIRECTIONS_FILE']);
	const missing = new Error('A vector is missing.');
	const embed = async (): Promise<never> => {
		throw missing;
	};

	try {
		return await okUnlessWarned(
			async warn => `${(await sources.directions({encoder: {passport, embed}, signal, warn})).length} directions`,
		);
	} catch (error) {
		if (error === missing) {
			return ok('the catalogue can be read; the next start computes its vectors');
		}

		throw error;
	}
};

/** The smallest profile that can be put into words. */
const smallestProfile: Profile = {affective: {calm: {
	value: 0.1, dimension: 'dispositions', polePositive: 'calm', poleNegative: 'agitated',
}}};

export const checkLanguageModel = async (settings: Settings): Promise<Result> => {
	if (settings.TRANSLATOR === 'template') {
		return ok('none is needed: a template puts the state into words');
	}

	const model = openLanguageModel(toLanguageModelOptions(settings));
	if (!model) {
		return {state: 'warning', message: 'none is configured, so POST /translate answers 503. '
			+ 'Set ANTHROPIC_API_KEY, or LLM_BASE_URL and LLM_MODEL, or TRANSLATOR=template.'};
	}

	await model.translate({profile: smallestProfile, context: null}, new AbortController().signal);
	return ok(`${model.place} answers`);
};

export const checkPort = async ({HOST: host, PORT: port}: Settings): Promise<Result> => {
	const error = await probePort(port, host);
	if (!error) {
		return ok(`${port} on ${host} is free`);
	}

	return error.code === 'EADDRINUSE' && await isService(`http://${toReachableHost(host)}:${port}/livez`)
		? ok(`the service answers on ${port}`)
		: {state: 'error', message: explainListenError(error, host, port)};
};

const isService = async (url: string): Promise<boolean> => {
	try {
		const answer = await (await fetch(url, {signal: AbortSignal.timeout(2000)})).json() as {status?: unknown} | null;
		return answer?.status === 'ok';
	} catch {
		return false;
	}
};
