/**
 * Brings a history from files into the identity of the settings: stages it, then lets the identity hear it. Shared by `look`,
 * `demo` and `import history`.
 */
import {mulberry32, systemTime, type Time} from '../../platform/clock.ts';
import {ConfigurationError, reasonOf, withErrors} from '../../platform/errors.ts';
import {makeFolder} from '../../platform/files/folders.ts';
import {phrase} from '../../platform/phrase.ts';
import {openIdentity} from '../../identity/create-identity.ts';
import type {LocalIdentity} from '../../identity/identity.ts';
import {saidAtOf} from '../../instruments/source-of.ts';
import {readBackwards} from '../../journal/read-pages.ts';
import type {LoadedEncoder} from '../../embedding/encoder.ts';
import {loadInitialState} from '../../sources/initial-state.ts';
import {mayFail, type Boot} from '../../sources/source.ts';
import {toIdentityOptions} from '../identity-options.ts';
import {toStagingFile} from '../options.ts';
import {noIdentityError, readJournalOf} from '../open-journal.ts';
import {openSources, openWritableStores} from '../open-sources.ts';
import {createProgressBar, loadModel} from '../progress.ts';
import type {Settings} from '../settings.ts';
import {describeFindings} from './describe-findings.ts';
import {replayHistory, type Replayed} from './replay-history.ts';
import {StagedHistory} from './staged-history.ts';

export const print = (text: string): void => {
	process.stdout.write(`${text}\n\n`);
};

export type BringOptions = {
	readonly paths: readonly string[];
	/** Names of the agent among the sources, besides `self`. */
	readonly ownNames: readonly string[];
	/** When to validate: before the first text at or after a time, or half-way; null for never. */
	readonly validate: number | 'half-way' | null;
	/** Whether the identity must be new, or made by an earlier call. */
	readonly isNew: boolean;
};

/** The result, with the identity, which stays open until the caller's `then` has finished. */
export type Brought = {
	readonly identity: LocalIdentity;
	readonly replayed: Replayed;
	/** The settings that it was opened with: the journal keeps all the history's records. */
	readonly settings: Settings;
};

/** The minimum timeout of a question, for a machine that is busy with other work. */
const patientSeconds = 3600;

/** When the newest text was said (−∞ if there is none), and whether it was imported. */
type Heard = {readonly until: number; readonly isImported: boolean};

/**
 * @throws {ConfigurationError} for paths without a text, and for an existing identity if it must be new
 * @throws {UnknownIdentityError} if the database has no such identity
 */
export const bringHistory = async <Result>(
	given: Settings, {paths, ownNames, validate, isNew}: BringOptions, then: (brought: Brought) => Promise<Result>,
): Promise<Result> => {
	withErrors(() => makeFolder(given.DATA_DIR), error => new ConfigurationError(`DATA_DIR ${given.DATA_DIR} cannot be created: `
		+ `${reasonOf(error)}. Name a folder with --data-dir that this process may write to and that has space.`, {cause: error}));
	// Asked first, because reading years of logs takes minutes.
	const past = await readHeard(given);
	if (isNew && past && !past.isImported) {
		throw new ConfigurationError(`${given.DATA_DIR} already has an identity. Give a new folder with --data-dir, or `
			+ 'let that identity hear the history with “processual import history”.');
	}

	if (!past && given.DATABASE_URL !== undefined) {
		// There, only a service begins identities.
		throw noIdentityError(given);
	}

	const staged = new StagedHistory(toStagingFile(given), ownNames);
	try {
		const reading = createProgressBar(phrase`texts`, phrase`reading logs`);
		// Otherwise, after an error, its timer would keep the program running.
		await staged.read(paths, texts => reading.update(texts, texts)).finally(reading.stop);
		const findings = staged.findings();
		print(describeFindings(findings));
		const {from, texts} = findings;
		if (from === null) {
			throw new ConfigurationError(`No text was found in ${paths.join(', ')}. docs/look.md lists the supported files.`);
		}

		const settings = {
			...given,
			JOURNAL_KEEP_RECORDS: Math.max(given.JOURNAL_KEEP_RECORDS, 2 * texts),
			// A user who looks at years of a channel is ready to wait.
			QUESTION_SECONDS: Math.max(given.QUESTION_SECONDS, patientSeconds),
		};
		const passedOver = past ? staged.before(past.until) : 0;
		return await withIdentity(settings, {from, isNew: past === null, persona: staged.persona}, async identity => {
			const hearing = createProgressBar(phrase`texts`, phrase`hearing`);
			const replayed = await replayHistory(identity, staged.texts(past?.until ?? from), {
				validateBefore: validate === 'half-way' ? Math.floor(texts / 2) : validate === null ? null : staged.before(validate),
				total: texts,
				heard: passedOver,
				note: phrase`Everything said until then is ordinary.`,
				onText: done => hearing.update(done, texts),
			}).finally(hearing.stop);
			// Includes texts of the newest time that the journal has already.
			if (past && texts > replayed.heard) {
				print(phrase`Texts skipped: ${texts - replayed.heard}. The identity has already heard everything until
					${new Date(past.until).toISOString()}.`);
			}

			return then({identity, replayed, settings});
		});
	} finally {
		staged.close();
	}
};

const readHeard = async (settings: Settings): Promise<Heard | null> => readJournalOf(settings, async view => {
	for await (const {record} of readBackwards(view)) {
		if (record.kind === 'cycle') {
			return {until: Date.parse(saidAtOf(record)), isImported: record.origin === 'import'};
		}
	}

	return {until: -Infinity, isImported: true};
});

/** Fixed, so that the same history makes the same identity. */
const seed = 1789;

/** A new identity begins at its history's first time, with the persona from its files. */
const withIdentity = async <Result>(
	settings: Settings, {from, isNew, persona}: {from: number; isNew: boolean; persona: string | null},
	use: (identity: LocalIdentity) => Promise<Result>,
): Promise<Result> => {
	await using encoder = await loadModel(settings);
	if (isNew && persona !== null && settings.WEAVIATE_URL === undefined) {
		await storePersona(settings, encoder, persona, from);
	}

	await using stores = await openSources(settings);
	const {store, sources} = stores;
	const random = mulberry32(seed);
	let isBooting = isNew;
	const time: Time = {now: () => isBooting ? from : systemTime.now(), elapsed: systemTime.elapsed};
	await using identity = await openIdentity({
		...sources,
		...toIdentityOptions(settings),
		encoder,
		...(isNew && {time, random, initialState: mayFail(async (boot: Boot) => loadInitialState(store, {...boot, random}))}),
		warn() {},
	});
	isBooting = false;
	return await use(identity);
};

/** Stores the persona's state as `processual import state` does. */
const storePersona = async (settings: Settings, encoder: LoadedEncoder, persona: string, from: number): Promise<void> => {
	await using stores = await openWritableStores(settings);
	const {store} = stores;
	if (!await store.latestState()) {
		const {model} = encoder.passport;
		const state = {stateId: 0, timestamp: new Date(from).toISOString(), model, vector: await encoder.embed(persona)};
		await store.write({states: [state], thoughts: [], directions: []});
	}
};
