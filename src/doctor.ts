/** What is well and what is not, part by part, and what to do about it. Nothing is made or changed. */
import {existsSync} from 'node:fs';
import {createServer} from 'node:net';
import {once} from 'node:events';
import path from 'node:path';
import {requireSameModel} from './actors/boot.ts';
import {embeddingOf, languageOf, type Settings} from './config.ts';
import type {Encoder} from './embedding/encoder.ts';
import {loadEncoder} from './embedding/load.ts';
import {JournalError, reasonOf} from './errors.ts';
import {explain, reachable} from './http/address.ts';
import {JournalReader} from './journal/reader.ts';
import {openLanguageModel} from './language/model-client.ts';
import type {Profile} from './semiosis/profile.ts';
import {openSources} from './sources.ts';

export type Finding = {
	part: 'model' | 'directions' | 'store' | 'reference' | 'journal' | 'language model' | 'port';
	/** `warning`: it works, and perhaps not as it is meant. */
	state: 'ok' | 'warning' | 'trouble';
	/** What was found, and for a warning or a trouble the way out. */
	message: string;
};

/** Looks at one part after another; whatever a part throws is its trouble. */
export async function * diagnose(settings: Settings): AsyncGenerator<Finding> {
	const sources = openSources(settings);
	const look = async (part: Finding['part'], examine: () => Promise<Omit<Finding, 'part'>>): Promise<Finding> => {
		try {
			return {part, ...await examine()};
		} catch (error) {
			return {part, state: 'trouble', message: reasonOf(error)};
		}
	};

	let encoder: Encoder | null = null;
	try {
		yield await look('model', async () => {
			encoder = await loadEncoder(embeddingOf(settings));
			await encoder.embed('How are you?');
			return ok(`${encoder.passport.model} embeds; it is ${encoder.passport.width} wide`);
		});
		yield await look('journal', async () => journal(settings, encoder));
		yield await look('store', async () => stored(settings, sources, encoder));
		yield await look('reference', async () => {
			const {person: {words, profile}, warnings} = await sources.person();
			return verdict(warnings, words === null && profile === null
				? 'nothing is known of the person: the reference is a copy of the initial state'
				: `made of ${[words !== null && 'messages', profile && 'the declared profile'].filter(Boolean).join(' and ')}`);
		});
		if (encoder) {
			const loaded: Encoder = encoder;
			yield await look('directions', async () => {
				const {directions, warnings} = await sources.directions(loaded, going);
				return verdict(warnings, `${directions.length} directions`);
			});
		}

		yield await look('language model', async () => languageModel(settings));
		yield await look('port', async () => port(settings));
	} finally {
		await (encoder as Encoder | null)?.dispose();
		await sources.store.close();
	}
}

/** Never aborted: a diagnosis goes to its end. */
const going = new AbortController().signal;

const ok = (message: string): Omit<Finding, 'part'> => ({state: 'ok', message});

const verdict = (warnings: readonly string[], message: string): Omit<Finding, 'part'> =>
	warnings.length > 0 ? {state: 'warning', message: warnings.join(' ')} : ok(message);

const journal = async (settings: Settings, encoder: Encoder | null): Promise<Omit<Finding, 'part'>> => {
	const folder = path.join(settings.DATA_DIR, 'journal');
	if (!existsSync(folder)) {
		return ok('there is none yet: the next start begins one');
	}

	try {
		using reader = new JournalReader(folder);
		if (encoder) {
			requireSameModel(reader.genesis.passport, encoder.passport);
		}

		return ok(`${reader.records} records; the state has id ${reader.stateAfter(reader.records).stateId}`);
	} catch (error) {
		if (isHeld(error)) {
			return ok('a running service has it, so it was not looked into');
		}

		throw error;
	}
};

/** SQLite's "busy". */
const isHeld = (error: unknown): boolean => error instanceof JournalError && (error.cause as {errcode?: number} | undefined)?.errcode === 5;

const stored = async (settings: Settings, {store, initialState}: ReturnType<typeof openSources>, encoder: Encoder | null): Promise<Omit<Finding, 'part'>> => {
	const latest = await store.latestState();
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

	const model = openLanguageModel(languageOf(settings));
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
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && await isService(`http://${reachable(host)}:${number}/livez`)) {
			return ok(`the service answers on ${number}`);
		}

		return {state: 'trouble', message: explain(error as NodeJS.ErrnoException, host, number)};
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
