/**
 * The settings: ONE schema for name, type, default, bounds and description. A key is the name of an
 * environment variable. The command line's options and the table in `docs/configuration.md` are derived from it.
 */
import {Type, type Static} from '../platform/typebox.ts';
import {defaultLoop} from '../actors/loop.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import {defaultAnthropicModel} from '../language/model-choice.ts';
import {defaultIdentityName, isIdentityName} from '../platform/identity-name.ts';
import {defaultQuestions} from '../instruments/past/turns.ts';
import {ranges, type Range} from '../platform/ranges.ts';
import {isHeaderSafe, plainUrl, signingKeyOf} from '../platform/server-access.ts';

const text = (description: string) => Type.String({description});
const flag = (value: boolean, description: string) => Type.Boolean({default: value, description});
const count = (value: number, range: Range, description: string) => Type.Integer({default: value, ...range, description});
const choice = <const Words extends string[]>(words: [...Words], value: Words[number], description: string) =>
	Type.Enum(words, {default: value, description});
const seconds = (value: number, description: string) => Type.Number({default: value, ...ranges.seconds, description});
const probability = (value: number, description: string) => Type.Number({default: value, ...ranges.share, description});
const optional = Type.Optional;

const minTokenLength = 16;

/** A text that may contain a secret, so messages never show it. */
const checkedText = (isAllowed: (value: string) => boolean, fault: string) => (description: string) =>
	Type.Refine(Type.String({description}), isAllowed, () => fault);

/** A token of another server. */
const headerText = checkedText(isHeaderSafe, 'needs visible ASCII characters without blanks: others cannot be sent');

/** A bearer token. */
const secretToken = (description: string) => Type.Refine(
	headerText(description),
	value => value.length >= minTokenLength || !isHeaderSafe(value),
	value => `needs at least ${minTokenLength} characters; this one has ${String(value).length}`,
);

const serviceUrl = checkedText(
	address => plainUrl(address) !== null, 'needs an http or https address without credentials and query, such as http://127.0.0.1:8100',
);

const webSocketUrl = checkedText(
	address => URL.canParse(address) && /^wss?:[^#]*$/.test(new URL(address).href),
	'needs the address of a WebSocket, such as ws://127.0.0.1:8080',
);

const httpUrl = checkedText(address => {
	const url = URL.parse(address);
	return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}, 'needs an http or https address without a name and a password');

const originList = checkedText(
	list => list.trim() === '*' || list.split(',').every(origin => /^(?:|null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+)$/.test(origin.trim())),
	'needs origins as browsers send them, such as https://app.example, http://localhost:3000; or * for all',
);

const databaseUrl = checkedText(
	address => /^postgres(?:ql)?:\/\//.test(address) && URL.canParse(address),
	'needs the address of a PostgreSQL database, such as postgres://user:password@host/database; special characters of the password are '
		+ 'percent-encoded, as %23 for #',
);

const signingSecret = checkedText(
	value => signingKeyOf(value) !== null, 'needs at least 24 bytes in base64; make some with: openssl rand -base64 32',
);

const identityName = (description: string) =>
	Type.Refine(Type.String({default: defaultIdentityName, description}), isIdentityName, () => 'needs 1 to 100 lower-case letters, '
		+ 'digits, “-”, “_” and “.”; the first and the last are a letter or a digit');

export const Settings = Type.Object({
	// The service.
	HOST: Type.String({default: '0.0.0.0', description: 'Address to listen on.'}),
	PORT: Type.Integer({default: 8100, minimum: 0, maximum: 65_535, description: 'Port to listen on; 0 takes any free port.'}),
	DATA_DIR: Type.String({default: '.processual', description: 'Folder of the journal, the store and downloaded models.'}),
	IDENTITY: identityName('Identity that commands use, and requests that name none.'),
	MAX_IDENTITIES: count(10_000, ranges.count, 'Maximum number of identities, including those put aside; creating a '
		+ 'further one gets status 409.'),
	MAX_LIVE: count(1000, ranges.count, 'Maximum number of identities in memory at each '
		+ 'node. A further one replaces the one that has been idle longest or, if none is idle, the one that has been live longest, '
		+ 'after at least a second and once its requests are done. Otherwise requests get status 429.'),
	IDLE_SECONDS: seconds(300, 'How long an idle identity stays in memory; the one of IDENTITY always stays. '
		+ 'With DATABASE_URL every idle identity leaves, and the next node that is asked for it loads it.'),
	LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info', 'Lowest level to log.'),
	KERNEL: choice(['auto', 'wasm', 'js'], 'auto', 'Tensor kernel: WebAssembly with SIMD, TypeScript, or (`auto`) the first that runs here.'),
	SHUTDOWN_SECONDS: Type.Number({default: 10, ...ranges.waitSeconds, description: 'How long shutdown waits for accepted requests.'}),
	INSPECTOR_URL: optional(webSocketUrl('WebSocket of a Stately inspector that receives all events, '
		+ 'for example `ws://127.0.0.1:8080`. The service\'s own inspector is at `/inspector`.')),

	// Limits and access.
	BODY_LIMIT: count(1_048_576, ranges.bytes, 'Largest request body, in bytes.'),
	METADATA_LIMIT: count(65_536, ranges.bytes, 'Largest metadata of a cycle, in bytes.'),
	QUEUE_LIMIT: count(1000, ranges.count, 'Cycles of one identity in progress at once; further ones get status 429.'),
	QUEUE_BYTES: count(67_108_864, ranges.bytes, 'Bytes of bodies and texts in progress at once; further requests get status 429.'),
	TRANSLATE_LIMIT: count(4, ranges.count, 'Translations in progress at once; further ones get status 429.'),
	QUESTION_LIMIT: count(defaultQuestions.maxRunning, ranges.count, 'Questions about the past that run at once, over all identities, '
		+ 'each in a thread. A short queue waits, shared fairly among identities; further ones get status 429.'),
	QUESTION_SECONDS: seconds(defaultQuestions.maxSeconds, 'How long one question about the past may run before it gets status 503.'),
	RATE_LIMIT: count(0, ranges.number, 'Requests per minute for each client address; 0 for no limit.'),
	TRUST_PROXY: flag(false, 'Take the client\'s address from the last entry of X-Forwarded-For. '
		+ 'Only safe behind exactly one proxy that writes this header.'),
	AUTH_TOKEN: optional(secretToken('Bearer token that every request must carry, except probes and pages.')),
	SELF_TOKEN: optional(secretToken('Bearer token of the agent\'s own clients, in addition to `AUTH_TOKEN`: only with it may a text '
		+ 'have the source `self`. Without it every client may speak as the agent.')),
	TOKENS_FILE: optional(text('File of further tokens, hashed, each with its rights; `processual token` adds one. Needs `AUTH_TOKEN`.')),
	ALLOWED_ORIGINS: optional(originList('Origins, separated by commas, whose pages may read answers and change the state. Default: '
		+ 'all, the same as `*`, except for `/mcp`, which answers pages of listed origins only.')),

	// The journal.
	JOURNAL_CONTENT: choice(['text', 'hash'], 'text', 'Keep texts and metadata in the journal, or only their hashes. '
		+ 'With `hash` the state cannot be rebuilt under another model.'),
	JOURNAL_KEEP_RECORDS: Type.Integer({
		default: 100_000, ...ranges.number, title: 'a whole number from 0 on, or all', words: {all: Number.MAX_SAFE_INTEGER},
		description: 'Number of newest records that stay complete; older ones become snapshots of the state, and their texts can neither '
			+ 'be undone nor taken back. `all` keeps journals whole.',
	}),
	JOURNAL_KEEP_DAYS: Type.Number({default: 0, ...ranges.number, description: 'Records younger than this also stay complete; '
		+ '0 for no such limit.'}),
	FORGET_KEYS: flag(false, 'Seal the texts of each source with a separate key, which a forgetting destroys, so that they cannot be read '
		+ 'in a backup either. Without the keys nothing can be read.'),
	FORGET_KEYS_DIR: optional(text('Folder of the keys, one file per identity; keep it, and keep it out of backups of DATA_DIR. '
		+ 'Default: the path of DATA_DIR with `-keys` appended. With DATABASE_URL the keys are in the database.')),

	// Many nodes.
	DATABASE_URL: optional(databaseUrl('PostgreSQL database that holds the journals, the store and the messages instead of DATA_DIR, '
		+ 'for example `postgres://user:password@host/database?sslmode=verify-full`. Run `processual migrate` once.')),
	DATABASE_SESSION_URL: optional(databaseUrl('The same database without a pooler, if DATABASE_URL leads to one that pools '
		+ 'transactions.')),
	DATABASE_POOL: count(10, ranges.count, 'Maximum number of connections to the database, besides one for the node itself.'),
	ADVERTISED_URL: optional(httpUrl('Address at which the other nodes of the same database reach this one, '
		+ 'for example `http://10.0.0.7:8100`, without a path. Required unless HOST is a loopback address.')),
	PEER_TOKEN: optional(secretToken('Key with which the nodes of one database sign requests to each other: the same on all nodes, never '
		+ 'sent. Without it a node answers only for its own identities.')),

	// The watch on drift.
	ALERT_WEBHOOK_URL: optional(httpUrl('Address that receives drift alarms, notices about sources and notices of held texts, as signed '
		+ 'POST requests. Those that a stop leaves undelivered are kept in DATA_DIR, and sent after the next start.')),
	ALERT_WEBHOOK_SECRET: optional(signingSecret('Key of these signatures (Standard Webhooks): at least 24 bytes in base64. '
		+ 'Required with ALERT_WEBHOOK_URL.')),

	// The guard: texts of others that wait until a person releases them.
	GUARD_NAMED: flag(false, 'Hold further texts of a source that was noticed: it pushes an unusual drift more than any one source does '
		+ 'by chance.'),
	GUARD_ECHOES: optional(Type.Integer({...ranges.number, description: 'Hold further texts of a source after more than this many of '
		+ 'its texts were nearly the identity\'s own words. Default: no such rule.'})),
	GUARD_WEIGHT: optional(Type.Number({...ranges.share, description: 'Hold further texts of a source whose texts since the validation '
		+ 'make up more than this share of the present, from 0 to 1. Default: no such rule.'})),
	GUARD_STRANGERS: flag(false, 'Hold texts of a new source while its conversation lies beyond 999 of 1,000 ordinary ones.'),
	GUARD_UNREAD: flag(false, 'Hold texts that the embedding model reads badly: cut off, very short, code, links, other languages.'),
	GUARD_EXPIRE_DAYS: optional(Type.Number({...ranges.days, description: 'Drop a held text after this many days. Default: '
		+ 'it waits until a person decides.'})),

	// A service elsewhere.
	PROCESSUAL_URL: optional(serviceUrl('Address of the service that commands ask, and whose identity `processual mcp` '
		+ 'serves; `--data-dir` has priority over it in the environment. Default: the service that runs on DATA_DIR; without one, '
		+ 'the command opens the identity itself.')),
	PROCESSUAL_TOKEN: optional(headerText('Bearer token for that service.')),

	// The embedding model.
	EMBEDDING_MODEL: Type.String({default: bundledModel, description: 'Embedding model: the bundled one, '
		+ 'or with `-fr` appended the one that also reads French; '
		+ '`owner/name` of the hub or `./folder` for transformers.js; or `openai:name` for a server with OpenAI\'s API.'}),
	EMBEDDING_POOLING: optional(Type.Enum(['mean', 'cls', 'last_token', 'none'], {description: 'How token vectors become one vector. '
		+ 'Default: the model\'s own if it is known, else `mean`.'})),
	EMBEDDING_PREFIX: optional(text('Text put before every text. Default: the model\'s own if it is known, else none.')),
	EMBEDDING_DTYPE: Type.String({default: 'fp32', description: 'Number format of a transformers.js model: fp32, fp16, q8, q4 …'}),
	EMBEDDING_THREADS: optional(Type.Integer({...ranges.count, description: 'Threads within one inference of a transformers.js '
		+ 'model. Default: one per core.'})),
	EMBEDDING_WORKERS: optional(Type.Integer({...ranges.workers, description: 'Maximum number of worker threads '
		+ 'for embedding. Those of the bundled model share its weights; each worker of a transformers.js model has a copy. '
		+ 'Default: for the bundled model one less than the cores, or all cores in commands that embed a history, at most 4; otherwise 1.'})),
	EMBEDDING_CACHE_SIZE: count(1000, ranges.cached, 'Number of texts whose vectors are cached.'),
	EMBEDDING_TRUNCATE: flag(false, 'Truncate vectors wider than 1024. Only right for Matryoshka models.'),
	EMBEDDING_OFFLINE: flag(false, 'Never download a model: it must be in DATA_DIR/models, or be given as a folder.'),
	EMBEDDING_BASE_URL: optional(text('Server of an `openai:` model, for example `http://localhost:11434/v1`; '
		+ 'for a hub model, a mirror of the hub. Default: `https://api.openai.com/v1`; for a hub model, the hub.')),
	EMBEDDING_API_KEY: optional(text('Bearer key for the server of an `openai:` model.')),
	EMBEDDING_TIMEOUT_SECONDS: seconds(30, 'Timeout of one request to that server.'),

	// What an identity begins with.
	WEAVIATE_URL: optional(text('Weaviate server that stores states, thoughts and directions, for example `http://localhost:8080`. '
		+ 'Default: the database of DATABASE_URL, else `store.sqlite` in DATA_DIR.')),
	WEAVIATE_API_KEY: optional(text('Bearer key for that server.')),
	REQUIRE_STORE: flag(false, 'Refuse to start, instead of making a random identity, when the store fails or has no state.'),
	MESSAGES_FILE: optional(text('SQLite file with the reference person\'s conversations. Default: '
		+ 'the database of DATABASE_URL, else `messages.sqlite` in DATA_DIR.')),
	PROFILE_FILE: optional(text('JSON file with the reference person\'s declared profile: category → direction → −10 to 10, or null.')),
	CALIBRATE: flag(true, 'Adjust the reference to the declared profile.'),
	DIRECTIONS: choice(['auto', 'store', 'file', 'built-in'], 'auto', 'Source of the directions; '
		+ '`auto` takes the first that has any, in this order.'),
	DIRECTIONS_FILE: optional(text('Your own catalogue of directions, in the form of `data/directions.json`.')),
	LANGUAGE: choice(['en', 'fr'], 'en', 'Language of everything that people read: the pages, the commands, sentences and notes in '
		+ 'answers, '
		+ 'the poles of the built-in directions, the theme sentences of the daemon, and TRANSLATOR=template. An environment variable of '
		+ 'the system with a list of locales, such as `en_US:en`, has no effect.'),
	AUTHORITY_FILE: optional(text('JSON file with the articles and anchors of authority. Default: none.')),
	CORROBORATING_THOUGHTS: Type.Integer({default: 0, minimum: 0, maximum: 100, description: 'Number of nearest stored thoughts that '
		+ 'science compares a text with; 0 for none. A store other than Weaviate then keeps all thought vectors in memory, 8 KB each.'}),

	// The language model.
	TRANSLATOR: choice(['model', 'template'], 'model', 'How the state is put into words: '
		+ 'by the configured language model, or by a template that needs none.'),
	ANTHROPIC_API_KEY: optional(text('Anthropic API key; selects Anthropic as the language model.')),
	LLM_BASE_URL: optional(text('Server with OpenAI\'s chat completions API, for example `http://localhost:11434/v1`.')),
	LLM_MODEL: optional(text(`Name of the language model; required with LLM_BASE_URL. Default for Anthropic: \`${defaultAnthropicModel}\`.`)),
	LLM_API_KEY: optional(text('Bearer key for the server at LLM_BASE_URL.')),
	LLM_TIMEOUT_SECONDS: seconds(60, 'Timeout of one request to the language model.'),

	// The daemon.
	RESUME_DAEMON: flag(false, 'Start the autonomous mode of the daemon of IDENTITY with the service. '
		+ 'With DATABASE_URL loops continue by themselves, and this has no effect.'),
	CYCLE_INTERVAL_SECONDS: seconds(defaultLoop.cycleIntervalSeconds, 'Wait between two cycles of autonomous mode; '
		+ '864 gives about 100 cycles a day.'),
	PROB_RUMINATION_FREE: probability(defaultLoop.probRuminationFree, 'Share of free rumination among autonomous cycles.'),
	PROB_CORPUS: probability(defaultLoop.probCorpus, 'Share of corpus themes among autonomous cycles.'),
	PROB_UNRESOLVED: probability(defaultLoop.probUnresolved, 'Share of unresolved themes, which are free rumination too. '
		+ 'The three shares must sum to 1.'),
});

export type Settings = Static<typeof Settings>;
