/**
 * What is well and what is not, part by part, and what to do about it. Nothing is changed or
 * downloaded, and what is made for a try is removed again; beside a database that is read, SQLite may leave the files of its log, empty.
 */
import {existsSync} from 'node:fs';
import {createServer} from 'node:net';
import {once} from 'node:events';
import path from 'node:path';
import {requireSameModel} from '../actors/boot.ts';
import {toEmbeddingOptions, toLanguageModelOptions, type Settings} from './settings.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {chooseModel} from '../embedding/model-choice.ts';
import {ConfigurationError, JournalError, reasonOf} from '../errors.ts';
import {explainListenError, toReachableHost} from '../http/listen-errors.ts';
import {openLanguageModel} from '../language/model-translator.ts';
import {requireReadableFiles} from './setting-files.ts';
import type {Profile} from '../semiosis/profile.ts';
import {openSources} from './open-sources.ts';
import {classifyFailure} from '../sqlite/failure.ts';
import {openExistingJournal, type JournalReader} from '../journal/sqlite/journal-reader.ts';
import {probeFolder} from '../files/probe-folder.ts';

export type Finding = {
	part: 'model' | 'directions' | 'store' | 'reference' | 'authority' | 'journal' | 'language model' | 'port';
	/** `warning`: it works, and perhaps not as it is meant. */
	state: 'ok' | 'warning' | 'trouble';
	/** What was found, and for a warning or a trouble the way out. */
	message: string;
};

type Sources = ReturnType<typeof openSources>;

/** Looks at one part after another; whatever a part throws is its trouble. */
export async function * diagnose(settings: Settings): AsyncGenerator<Finding> {
	const look = async (part: Finding['part'], examine: () => Promise<Omit<Finding, 'part'>>): Promise<Finding> => {
		try {
			return {part, ...await examine()};
		} catch (error) {
			return {part, state: 'trouble', message: reasonOf(error)};
		}
	};

	let encoder = null as Encoder | null;
	let sources = null as Sources | null;
	let hasJournal = false;
	try {
		yield await look('model', async () => {
			const options = toEmbeddingOptions(settings);
			const choice = chooseModel(options);
			try {
				encoder = await loadEncoder({...options, offline: true});
			} catch (error) {
				if (choice.adapter !== 'transformers' || !choice.download || !hasTransformers()) {
					throw error;
				}

				return {
					state: existsSync(path.resolve(choice.folder, choice.name)) ? 'trouble' : 'warning',
					message: `${reasonOf(error)} The doctor downloads nothing; a start fetches what is lacking.`,
				};
			}

			await encoder.embed('How are you?');
			return ok(`${encoder.passport.model} embeds; it is ${encoder.passport.width} wide`);
		});
		yield await look('journal', async () => {
			// One that cannot be read is one, too.
			hasJournal = true;
			const finding = journal(settings, encoder);
			hasJournal = finding !== null;
			requireWritable(settings);
			return finding ?? ok('there is none yet: the next start begins one');
		});
		yield await look('store', async () => {
			sources = openSources(settings);
			return stored(settings, sources, encoder, hasJournal);
		});
		if (sources) {
			yield * fromSources(settings, sources, encoder, look);
		}

		yield await look('language model', async () => languageModel(settings));
		yield await look('port', async () => port(settings));
	} finally {
		await encoder?.dispose();
		await sources?.store.close();
	}
}

type Look = (part: Finding['part'], examine: () => Promise<Omit<Finding, 'part'>>) => Promise<Finding>;

async function * fromSources(settings: Settings, sources: Sources, encoder: Encoder | null, look: Look): AsyncGenerator<Finding> {
	yield await look('reference', async () => {
		requireReadableFiles(settings, ['MESSAGES_FILE', 'PROFILE_FILE']);
		const {person: {words, profile}, warnings} = await sources.person();
		return verdict(warnings, words === null && profile === null
			? 'nothing is known of the person: the reference is a copy of the initial state'
			: `made of ${[words !== null && 'messages', profile && 'the declared profile'].filter(Boolean).join(' and ')}`);
	});
	if (!encoder) {
		return;
	}

	if (settings.AUTHORITY_FILE !== undefined) {
		yield await look('authority', async () => {
			requireReadableFiles(settings, ['AUTHORITY_FILE']);
			const {articles, anchors = []} = await sources.authority(encoder, going);
			return ok(`${articles.length} articles, ${anchors.length} anchors`);
		});
	}

	yield await look('directions', async () => {
		requireReadableFiles(settings, ['DIRECTIONS_FILE']);
		return directions(sources, encoder);
	});
}

/** Never aborted: a diagnosis goes to its end. */
const going = new AbortController().signal;

const ok = (message: string): Omit<Finding, 'part'> => ({state: 'ok', message});

const verdict = (warnings: readonly string[], message: string): Omit<Finding, 'part'> =>
	warnings.length > 0 ? {state: 'warning', message: warnings.join(' ')} : ok(message);

/** Vectors that have to be made are left to the service, which keeps them: making them here would take as long, and leave a file. */
const directions = async (sources: Sources, {passport}: Encoder): Promise<Omit<Finding, 'part'>> => {
	const unmade = new Error('There are vectors to be made.');
	const embed = async (): Promise<never> => {
		throw unmade;
	};

	try {
		const {directions: found, warnings} = await sources.directions({passport, embed, async dispose() {}}, going);
		return verdict(warnings, `${found.length} directions`);
	} catch (error) {
		if (error === unmade) {
			return ok('the catalogue can be read; the next start makes its vectors');
		}

		throw error;
	}
};

/** @throws {ConfigurationError} where a journal could not be begun, or not be continued. */
const requireWritable = ({DATA_DIR: folder}: Settings): void => {
	try {
		probeFolder(path.join(folder, 'journal'));
	} catch (error) {
		throw new ConfigurationError(`Nothing can be kept in ${folder} (${reasonOf(error)}). Set DATA_DIR to a folder that can be made and written, or make room there.`, {cause: error});
	}
};

/** Whether the optional package is installed. The model's worker imports it, this thread need not. */
const hasTransformers = (): boolean => {
	try {
		import.meta.resolve('@xenova/transformers');
		return true;
	} catch {
		return false;
	}
};

/** Null where none was begun. */
const journal = (settings: Settings, encoder: Encoder | null): Omit<Finding, 'part'> | null => {
	let reader: JournalReader | null = null;
	try {
		reader = openExistingJournal(path.join(settings.DATA_DIR, 'journal'));
		if (reader && encoder) {
			requireSameModel(reader.genesis.passport, encoder.passport);
		}

		return reader && kept(reader, settings);
	} catch (error) {
		if (isHeld(error)) {
			return ok('a running service has it, so it was not looked into');
		}

		throw error;
	} finally {
		reader?.close();
	}
};

const kept = (reader: JournalReader, settings: Settings): Omit<Finding, 'part'> => {
	const found = `${reader.records} records; the state has id ${reader.stateAfter(reader.records).stateId}`;
	return reader.genesis.isRandom
		? {
			state: settings.REQUIRE_STORE ? 'trouble' : 'warning',
			message: `${found}. This identity began at random${settings.REQUIRE_STORE ? ', so the service does not start (REQUIRE_STORE)' : ''}. To begin as somebody, bring a state in with “processual import state FILE”, then run “processual begin --again”.`,
		}
		: ok(found);
};

/** Whether another process has the journal open. */
const isHeld = (error: unknown): boolean => error instanceof JournalError && classifyFailure(error.cause) === 'busy';

const stored = async (settings: Settings, {store, initialState}: Sources, encoder: Encoder | null, hasJournal: boolean): Promise<Omit<Finding, 'part'>> => {
	const latest = await store.latestState();
	if (!latest && hasJournal) {
		return ok(`${store.place} has no state, and needs none: the journal goes on from its own`);
	}

	if (!latest) {
		return {
			state: settings.REQUIRE_STORE ? 'trouble' : 'warning',
			message: `${store.place} has no state: a new journal begins with ${settings.REQUIRE_STORE ? 'nothing, so the service does not start (REQUIRE_STORE)' : 'a random identity'}. Bring one in with “processual import state FILE”.`,
		};
	}

	const {warnings} = encoder ? await initialState(encoder, going) : {warnings: []};
	return verdict(warnings, `${store.place} has state ${latest.stateId} for a new journal to begin with`);
};

/** The smallest state that there are words for. */
const almostNothing: Profile = {affective: {calm: {value: 0.1, dimension: 'dispositions', polePositive: 'calm', poleNegative: 'agitated'}}};

const languageModel = async (settings: Settings): Promise<Omit<Finding, 'part'>> => {
	if (settings.TRANSLATOR === 'template') {
		return ok('none is needed: a template puts the state into words');
	}

	const model = openLanguageModel(toLanguageModelOptions(settings));
	if (!model) {
		return {state: 'warning', message: 'none is configured, so POST /translate answers 503. Set ANTHROPIC_API_KEY, or LLM_BASE_URL and LLM_MODEL, or TRANSLATOR=template.'};
	}

	await model.translate({profile: almostNothing, context: null}, going);
	return ok(`${model.place} answers`);
};

const port = async ({HOST: host, PORT: number}: Settings): Promise<Omit<Finding, 'part'>> => {
	const server = createServer();
	try {
		server.listen(number, host);
		await once(server, 'listening');
		return ok(`${number} on ${host} is free`);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && await isService(`http://${toReachableHost(host)}:${number}/livez`)) {
			return ok(`the service answers on ${number}`);
		}

		return {state: 'trouble', message: explainListenError(error as NodeJS.ErrnoException, host, number)};
	} finally {
		server.close();
	}
};

const isService = async (url: string): Promise<boolean> => {
	try {
		const answer = await (await fetch(url, {signal: AbortSignal.timeout(2000)})).json() as {status?: unknown} | null;
		return answer?.status === 'ok';
	} catch {
		return false;
	}
};
