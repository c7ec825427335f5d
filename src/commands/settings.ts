/**
 * The configuration: ONE schema for type, default, description and the check. Its keys are the
 * environment's names; the command line's flags and the table in `docs/configuration.md` are derived from it.
 */
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {parseEnv} from 'node:util';
import {Type, type Static} from 'typebox';
import {Compile} from 'typebox/compile';
import {areWhole, longestInterval, type LoopConfig} from '../actors/loop.ts';
import type {AppOptions} from '../http/app.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import type {EmbeddingOptions} from '../embedding/model-choice.ts';
import {ConfigurationError, reasonOf} from '../errors.ts';
import type {PersonSources} from '../sources/load-person.ts';
import type {StoreOptions} from '../store/open-store.ts';
import {defaultAnthropicModel, type LanguageModelOptions} from '../language/model-choice.ts';

/** In seconds: a duration that a timer can wait. */
const duration = (value: number, description: string) => Type.Number({default: value, exclusiveMinimum: 0, maximum: longestInterval, description});

/** What a header carries. */
const isVisible = (token: string): boolean => /^[!-~]*$/.test(token);

const minTokenLength = 16;

/** A secret: no sentence shows it. */
const token = (description: string) => Type.Refine(
	Type.Refine(Type.String({description}), isVisible, () => 'needs visible ASCII characters, without blanks: no client could send others'),
	value => value.length >= minTokenLength || !isVisible(value),
	value => `needs at least ${minTokenLength} characters; this one has ${String(value).length}`,
);

const isWebSocket = (address: string): boolean => URL.canParse(address) && /^wss?:[^#]*$/.test(new URL(address).href);

const webSocket = (description: string) => Type.Refine(Type.String({description}), isWebSocket, () => 'needs the address of a WebSocket, like ws://127.0.0.1:8080');

const probability = (value: number, description: string) => Type.Number({default: value, minimum: 0, maximum: 1, description});

export const Settings = Type.Object({
	HOST: Type.String({default: '0.0.0.0', description: 'Address to listen on.'}),
	PORT: Type.Integer({default: 8100, minimum: 0, maximum: 65_535, description: 'Port to listen on; 0 takes any free one.'}),
	DATA_DIR: Type.String({default: '.processual', description: 'Folder for what is kept between starts.'}),
	LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {default: 'info', description: 'The least level that is logged.'}),
	KERNEL: Type.Enum(['auto', 'wasm', 'wasm-relaxed', 'js'], {default: 'auto', description: 'Which tensor kernel computes: WebAssembly with SIMD, TypeScript, or the first that runs here. Relaxed SIMD is a little faster, and its last bits differ from host to host.'}),
	BODY_LIMIT: Type.Integer({default: 1_048_576, minimum: 1024, description: 'The largest request body, in bytes.'}),
	METADATA_LIMIT: Type.Integer({default: 65_536, minimum: 2, description: 'The largest metadata of a cycle, in bytes.'}),

	INSPECT: Type.Optional(webSocket('An inspector of Stately\'s tools to feed, for example `ws://127.0.0.1:8080`; the service\'s own is at `/inspector`.')),

	JOURNAL_CONTENT: Type.Enum(['text', 'hash'], {default: 'text', description: 'What the journal keeps of texts and metadata: themselves, or a hash of each. With `hash` the state cannot be rebuilt under another model.'}),
	JOURNAL_KEEP_RECORDS: Type.Integer({default: 100_000, minimum: 1, description: 'How many of the newest records stay whole; older ones become snapshots of the state.'}),
	JOURNAL_KEEP_DAYS: Type.Number({default: 0, minimum: 0, description: 'Records younger than this stay whole too; 0 for no such limit.'}),
	QUEUE_LIMIT: Type.Integer({default: 1000, minimum: 1, description: 'How many cycles may be under way at once; more are answered with 429.'}),
	QUEUE_BYTES: Type.Integer({default: 67_108_864, minimum: 1024, description: 'How many bytes of bodies and texts may be under way at once; more are answered with 429.'}),
	SHUTDOWN_SECONDS: duration(10, 'How long a stop waits for what was accepted.'),
	AUTH_TOKEN: Type.Optional(token('Bearer token that every request must carry, but for the probes.')),
	ALLOWED_ORIGINS: Type.Optional(Type.String({description: 'Origins, separated by commas, whose pages may read answers and change something; all unless given, which `*` says too.'})),
	RATE_LIMIT: Type.Integer({default: 0, minimum: 0, description: 'Requests per minute for each client address; 0 for no limit.'}),
	TRUST_PROXY: Type.Boolean({default: false, description: 'Take the client\'s address from X-Forwarded-For, the last one there: right only behind exactly one proxy that writes it.'}),

	EMBEDDING_MODEL: Type.String({default: bundledModel, description: 'The embedding model: the bundled one, `owner/name` of the hub or `./folder` for transformers.js, or `openai:name` for a server that speaks the OpenAI API.'}),
	EMBEDDING_POOLING: Type.Optional(Type.Enum(['mean', 'cls', 'last_token', 'none'], {description: 'How the vectors of a text\'s tokens become one. Known models bring their own; else `mean`.'})),
	EMBEDDING_PREFIX: Type.Optional(Type.String({description: 'Text put before every text. Known models bring their own; else none.'})),
	EMBEDDING_DTYPE: Type.String({default: 'fp32', description: 'Number format of a transformers.js model: fp32, fp16, q8, q4 …'}),
	EMBEDDING_THREADS: Type.Optional(Type.Integer({minimum: 1, description: 'Threads inside one inference of a transformers.js model; as many as there are cores unless given.'})),
	EMBEDDING_WORKERS: Type.Optional(Type.Integer({minimum: 1, maximum: 64, description: 'Worker threads that embed, each with its own copy of the model. For the bundled model one less than there are cores, at most 4, unless given; else 1.'})),
	EMBEDDING_BATCH: Type.Integer({default: 8, minimum: 1, maximum: 64, description: 'How many waiting texts the bundled model embeds together. In company a vector may differ in its last bits; 1 for the same bits always.'}),
	EMBEDDING_CACHE_SIZE: Type.Integer({default: 1000, minimum: 0, description: 'How many texts are cached with their vectors, so that a repeated text is not embedded again.'}),
	EMBEDDING_TRUNCATE: Type.Boolean({default: false, description: 'Cut the vectors of a Matryoshka model that is wider than 1024.'}),
	EMBEDDING_OFFLINE: Type.Boolean({default: false, description: 'Never download a model: it must be in DATA_DIR/models, or be named by its folder.'}),
	EMBEDDING_BASE_URL: Type.Optional(Type.String({description: 'Server of an `openai:` model, for example `http://localhost:11434/v1`; for a hub model, a mirror of the hub.'})),
	EMBEDDING_API_KEY: Type.Optional(Type.String({description: 'Bearer key for the server of an `openai:` model.'})),
	EMBEDDING_TIMEOUT_SECONDS: duration(30, 'How long that server may take for one attempt.'),

	WEAVIATE_URL: Type.Optional(Type.String({description: 'A Weaviate server as the store of states, thoughts and directions, for example `http://localhost:8080`; the embedded one in DATA_DIR unless given.'})),
	WEAVIATE_API_KEY: Type.Optional(Type.String({description: 'Bearer key for that server.'})),
	REQUIRE_STORE: Type.Boolean({default: false, description: 'Refuse to begin with a random identity where the store has no state, or fails.'}),
	MESSAGES_FILE: Type.Optional(Type.String({description: 'SQLite file of the reference person\'s conversations; `messages.sqlite` in DATA_DIR unless given.'})),
	PROFILE_FILE: Type.Optional(Type.String({description: 'JSON file of what the reference person declares of themselves: category → direction → −10 … 10 or null.'})),
	CALIBRATE: Type.Boolean({default: true, description: 'Move the reference towards the declared profile.'}),
	DIRECTIONS: Type.Enum(['auto', 'store', 'file', 'built-in'], {default: 'auto', description: 'Where the directions come from; `auto` takes the first that has any, in this order.'}),
	DIRECTIONS_FILE: Type.Optional(Type.String({description: 'A catalogue of your own, of the form of `data/directions.json`.'})),
	AUTHORITY_FILE: Type.Optional(Type.String({description: 'JSON file of what authority holds to be true: articles and anchors; none unless given.'})),
	CORROBORATING_THOUGHTS: Type.Integer({default: 0, minimum: 0, maximum: 100, description: 'How many of the store\'s thoughts nearest to a text science asks for support; 0 asks none. The embedded store then keeps the vectors of all thoughts in memory, 8 KB each.'}),

	TRANSLATOR: Type.Enum(['model', 'template'], {default: 'model', description: 'Who puts the state into words: the language model that is configured, if one is, or a template that needs none.'}),
	TRANSLATE_LIMIT: Type.Integer({default: 4, minimum: 1, description: 'How many translations may be under way at once; more are answered with 429.'}),
	ANTHROPIC_API_KEY: Type.Optional(Type.String({description: 'Key of Anthropic: the language model is theirs.'})),
	LLM_BASE_URL: Type.Optional(Type.String({description: 'Any server that speaks OpenAI\'s chat completions, for example `http://localhost:11434/v1`.'})),
	LLM_MODEL: Type.Optional(Type.String({description: `Which language model; needed with LLM_BASE_URL, for Anthropic \`${defaultAnthropicModel}\` unless given.`})),
	LLM_API_KEY: Type.Optional(Type.String({description: 'Bearer key for the server at LLM_BASE_URL.'})),
	LLM_TIMEOUT_SECONDS: duration(60, 'How long the language model may take for one attempt.'),

	RESUME_DAEMON: Type.Boolean({default: false, description: 'Start the autonomous loop with the service, so that it goes on after a restart.'}),
	CYCLE_INTERVAL_SECONDS: duration(864, 'The autonomous loop\'s wait between cycles; 864 gives about 100 cycles a day.'),
	PROB_RUMINATION_FREE: probability(0.5, 'Share of free rumination in the loop.'),
	PROB_CORPUS: probability(0.3, 'Share of corpus themes in the loop.'),
	PROB_UNRESOLVED: probability(0.2, 'Share of unresolved themes, which are free rumination too. The three shares sum to 1.'),
});

export type Settings = Static<typeof Settings>;

/** The flag of a setting: `CYCLE_INTERVAL_SECONDS` is `--cycle-interval-seconds`. */
export const toFlag = (name: string): string => `--${name.toLowerCase().replaceAll('_', '-')}`;

const validator = Compile(Settings);

/**
 * Reads the settings: what is given first (the command line), then the environment, then `.env`.
 * An empty value counts as absent.
 *
 * @throws {ConfigurationError} naming each wrong setting.
 */
export const readSettings = (given: Record<string, unknown>, environment: NodeJS.ProcessEnv, dotenv: string | false = '.env'): Settings => {
	const written = {...withoutEmpty(readDotenv(dotenv)), ...withoutEmpty(environment), ...withoutEmpty(given)};
	const settings = validator.Default(Object.fromEntries(
		Object.entries(Settings.properties).flatMap(([name, schema]) => name in written ? [[name, parse(schema, written[name])]] : []),
	));
	if (!validator.Check(settings)) {
		throw new ConfigurationError(`The configuration is wrong: ${faultsOf(settings as Record<string, unknown>).join('. ')}. See processual serve --help.`);
	}

	const shares = [settings.PROB_RUMINATION_FREE, settings.PROB_CORPUS, settings.PROB_UNRESOLVED];
	if (!areWhole(shares)) {
		throw new ConfigurationError(`The configuration is wrong: PROB_RUMINATION_FREE, PROB_CORPUS and PROB_UNRESOLVED sum to ${Number(shares.reduce((sum, share) => sum + share).toFixed(9))}, not to 1.`);
	}

	return settings;
};

export const toEmbeddingOptions = (settings: Settings): EmbeddingOptions => ({
	model: settings.EMBEDDING_MODEL,
	pooling: settings.EMBEDDING_POOLING,
	prefix: settings.EMBEDDING_PREFIX,
	dtype: settings.EMBEDDING_DTYPE,
	threads: settings.EMBEDDING_THREADS,
	workers: settings.EMBEDDING_WORKERS,
	batch: settings.EMBEDDING_BATCH,
	cacheSize: settings.EMBEDDING_CACHE_SIZE,
	truncate: settings.EMBEDDING_TRUNCATE,
	offline: settings.EMBEDDING_OFFLINE,
	cacheDir: path.join(settings.DATA_DIR, 'models'),
	baseUrl: settings.EMBEDDING_BASE_URL,
	apiKey: settings.EMBEDDING_API_KEY,
	timeoutSeconds: settings.EMBEDDING_TIMEOUT_SECONDS,
});

const storeFile = (settings: Settings): string => path.join(settings.DATA_DIR, 'store.sqlite');

/** The file that is written and exported. @throws {ConfigurationError} where the store is another's, with tools of its own. */
export const embeddedStoreOf = (settings: Settings): {file: string} => {
	if (settings.WEAVIATE_URL !== undefined) {
		throw new ConfigurationError('The store is Weaviate (WEAVIATE_URL), which this command only reads: bring data in and out with its own tools, or unset WEAVIATE_URL for the embedded store.');
	}

	return {file: storeFile(settings)};
};

export const toStoreOptions = (settings: Settings): StoreOptions => settings.WEAVIATE_URL === undefined
	? {file: storeFile(settings), kernel: settings.KERNEL}
	: {url: settings.WEAVIATE_URL, apiKey: settings.WEAVIATE_API_KEY};

export const toPersonSources = (settings: Settings): PersonSources => ({
	messagesFile: settings.MESSAGES_FILE ?? path.join(settings.DATA_DIR, 'messages.sqlite'),
	profileFile: settings.PROFILE_FILE,
});

export const toLanguageModelOptions = (settings: Settings): LanguageModelOptions => ({
	anthropicApiKey: settings.ANTHROPIC_API_KEY,
	baseUrl: settings.LLM_BASE_URL,
	model: settings.LLM_MODEL,
	apiKey: settings.LLM_API_KEY,
	timeoutSeconds: settings.LLM_TIMEOUT_SECONDS,
});

export const toAppOptions = (settings: Settings): AppOptions => ({
	maxBodyBytes: settings.BODY_LIMIT,
	maxMetadataBytes: settings.METADATA_LIMIT,
	maxPendingBytes: settings.QUEUE_BYTES,
	allowedOrigins: originsOf(settings.ALLOWED_ORIGINS),
	trustProxy: settings.TRUST_PROXY,
	...(settings.AUTH_TOKEN !== undefined && {token: settings.AUTH_TOKEN}),
	...(settings.RATE_LIMIT > 0 && {rateLimit: {requests: settings.RATE_LIMIT, seconds: 60}}),
});

const originsOf = (listed = '*'): '*' | string[] => listed.trim() === '*' ? '*' : listed.split(',').map(origin => origin.trim());

export const toLoopConfig = (settings: Settings): LoopConfig => ({
	cycleIntervalSeconds: settings.CYCLE_INTERVAL_SECONDS,
	probRuminationFree: settings.PROB_RUMINATION_FREE,
	probCorpus: settings.PROB_CORPUS,
	probUnresolved: settings.PROB_UNRESOLVED,
});

const withoutEmpty = (source: NodeJS.Dict<unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(source).filter(([, value]) => value !== '' && value !== undefined));

/** @throws {ConfigurationError} if the file is there and cannot be read */
const readDotenv = (file: string | false): NodeJS.Dict<string> => {
	try {
		return file === false ? {} : parseEnv(readFileSync(file, 'utf8'));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return {};
		}

		throw new ConfigurationError(`The settings in ${file} cannot be read: ${reasonOf(error)}. Correct the file or remove it.`, {cause: error});
	}
};

type Described = {type?: string; enum?: string[]; minimum?: number; exclusiveMinimum?: number; maximum?: number};

/** `Infinity`, `0x10` and a blank are no decimals. */
const decimal = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** A text as the value of its setting's type. One that cannot be such a value stays, and the check finds it. */
const parse = ({type}: Described, written: unknown): unknown => {
	const text = String(written);
	if (type === 'boolean' && (text === 'true' || text === 'false')) {
		return text === 'true';
	}

	const isDecimal = (type === 'number' || type === 'integer') && decimal.test(text) && Number.isFinite(Number(text));
	return isDecimal ? Number(text) : written;
};

/** One sentence for each wrong setting, in their order. */
const faultsOf = (settings: Record<string, unknown>): string[] => {
	const sentences = new Map<string, string>();
	for (const {keyword, instancePath, message} of validator.Errors(settings)) {
		const name = instancePath.slice(1);
		if (!sentences.has(name)) {
			const need = keyword === '~refine' ? message : `needs ${needOf(Settings.properties[name as keyof Settings])}, not ${JSON.stringify(settings[name])}`;
			sentences.set(name, `${name} ${need}`);
		}
	}

	return [...sentences.values()];
};

const needOf = ({type, enum: words, minimum, exclusiveMinimum, maximum}: Described): string => {
	if (words) {
		return `one of ${words.join(', ')}`;
	}

	if (type === 'boolean') {
		return 'true or false';
	}

	const least = exclusiveMinimum === undefined ? `of at least ${minimum}` : `over ${exclusiveMinimum}`;
	const most = maximum === undefined ? '' : ` and at most ${maximum}`;
	return `${type === 'integer' ? 'a whole number' : 'a number'} in decimals, ${least}${most}`;
};
