/** Names settings where a message of the library names options: the users of the command set those. */
import type {Settings} from './settings.ts';

/** The options that messages name. */
export const settingOf = {
	'authority.file': 'AUTHORITY_FILE',
	'database.poolSize': 'DATABASE_POOL',
	'database.url': 'DATABASE_URL',
	'directions.file': 'DIRECTIONS_FILE',
	'directions.source': 'DIRECTIONS',
	'encoder.apiKey': 'EMBEDDING_API_KEY',
	'encoder.baseUrl': 'EMBEDDING_BASE_URL',
	'encoder.dtype': 'EMBEDDING_DTYPE',
	'encoder.model': 'EMBEDDING_MODEL',
	'encoder.offline': 'EMBEDDING_OFFLINE',
	'encoder.pooling': 'EMBEDDING_POOLING',
	'encoder.threads': 'EMBEDDING_THREADS',
	'encoder.timeoutSeconds': 'EMBEDDING_TIMEOUT_SECONDS',
	'encoder.truncate': 'EMBEDDING_TRUNCATE',
	'host.defaultName': 'IDENTITY',
	'host.maxIdentities': 'MAX_IDENTITIES',
	'http.cors': 'ALLOWED_ORIGINS',
	'http.maxMetadataBytes': 'METADATA_LIMIT',
	'journal.folder': 'DATA_DIR',
	'listen.host': 'HOST',
	'listen.port': 'PORT',
	'person.messagesFile': 'MESSAGES_FILE',
	'person.profileFile': 'PROFILE_FILE',
	'questions.maxSeconds': 'QUESTION_SECONDS',
	'requireInitialState': 'REQUIRE_STORE',
	'store.apiKey': 'WEAVIATE_API_KEY',
	'store.file': 'DATA_DIR',
	'store.url': 'WEAVIATE_URL',
	'translator.anthropicApiKey': 'ANTHROPIC_API_KEY',
	'translator.apiKey': 'LLM_API_KEY',
	'translator.baseUrl': 'LLM_BASE_URL',
	'translator.model': 'LLM_MODEL',
	'translator.timeoutSeconds': 'LLM_TIMEOUT_SECONDS',
	'translator: templateTranslator': 'TRANSLATOR=template',
} as const satisfies Record<string, keyof Settings | 'TRANSLATOR=template'>;

/** An option that stands alone: not a part of a path or of a longer word. */
const options = new RegExp(String.raw`(?<![\w./-])(?:${Object.keys(settingOf).join('|').replaceAll('.', String.raw`\.`)})(?![\w/-])`, 'g');

/** The message with settings in place of options. */
export const nameSettings = (message: string): string => message.replaceAll(options, option => settingOf[option as keyof typeof settingOf]);
