/** Converts the settings to the options of each part of the service. */
import path from 'node:path';
import type {GuardOptions} from '../actors/guard.ts';
import type {LoopConfig} from '../actors/loop.ts';
import type {EmbeddingOptions} from '../embedding/model-choice.ts';
import {ConfigurationError} from '../platform/errors.ts';
import type {HttpOptions} from '../http/http-options.ts';
import {defaultIdentityName, requireIdentityName} from '../platform/identity-name.ts';
import type {JournalOptions} from '../journal/journal-options.ts';
import {keyFileOf} from '../journal/sqlite/key-file.ts';
import type {DatabaseOptions} from '../platform/postgres/database.ts';
import type {LanguageModelOptions} from '../language/model-choice.ts';
import {readTokens} from './tokens.ts';
import type {Settings} from './settings.ts';
import type {WebhookOptions} from './webhook.ts';

/** The folder of all journals except the default identity's. */
export const toJournalsFolder = (settings: Settings): string => path.join(settings.DATA_DIR, 'identities');

/** The folder of an identity's journal. @throws {InputError} for an invalid name */
export const toJournalFolder = (settings: Settings, name = settings.IDENTITY): string => requireIdentityName(name) === defaultIdentityName
	? path.join(settings.DATA_DIR, 'journal')
	: path.join(toJournalsFolder(settings), name);

/** The file that holds the texts of a history until all its files are read. */
export const toStagingFile = ({DATA_DIR}: Settings): string => path.join(DATA_DIR, 'history-under-way.sqlite');

/** The folder of the keys for journals in files, and whether new texts are sealed. */
export const toKeys = ({DATA_DIR, FORGET_KEYS_DIR, FORGET_KEYS: seals}: Settings): {folder: string; seals: boolean} =>
	({folder: FORGET_KEYS_DIR ?? `${path.resolve(DATA_DIR)}-keys`, seals});

/** The keys of the identity that a command works on. */
export const toJournalKeys = (settings: Settings): {file: string; seals: boolean} => {
	const {folder, seals} = toKeys(settings);
	return {file: keyFileOf(folder, settings.IDENTITY), seals};
};

export type Heard = Pick<JournalOptions, 'logger' | 'onCommit'>;

export const toJournalOptions = (settings: Settings, heard: Heard): JournalOptions => ({
	content: settings.JOURNAL_CONTENT,
	compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
	...heard,
});

/** Null if journals are in files. */
export const toDatabaseOptions = ({
	DATABASE_URL: url, DATABASE_SESSION_URL: sessionUrl, DATABASE_POOL: poolSize,
}: Settings): DatabaseOptions | null =>
	url === undefined ? null : {url, sessionUrl, poolSize};

export const toEmbeddingOptions = (settings: Settings): EmbeddingOptions => ({
	model: settings.EMBEDDING_MODEL,
	pooling: settings.EMBEDDING_POOLING,
	prefix: settings.EMBEDDING_PREFIX,
	dtype: settings.EMBEDDING_DTYPE,
	threads: settings.EMBEDDING_THREADS,
	workers: settings.EMBEDDING_WORKERS,
	cacheSize: settings.EMBEDDING_CACHE_SIZE,
	truncate: settings.EMBEDDING_TRUNCATE,
	offline: settings.EMBEDDING_OFFLINE,
	cacheDir: path.join(settings.DATA_DIR, 'models'),
	baseUrl: settings.EMBEDDING_BASE_URL,
	apiKey: settings.EMBEDDING_API_KEY,
	timeoutSeconds: settings.EMBEDDING_TIMEOUT_SECONDS,
});

export const toLanguageModelOptions = (settings: Settings): LanguageModelOptions => ({
	anthropicApiKey: settings.ANTHROPIC_API_KEY,
	baseUrl: settings.LLM_BASE_URL,
	model: settings.LLM_MODEL,
	apiKey: settings.LLM_API_KEY,
	timeoutSeconds: settings.LLM_TIMEOUT_SECONDS,
});

export const toHttpOptions = (settings: Settings): HttpOptions => ({
	maxBodyBytes: settings.BODY_LIMIT,
	maxMetadataBytes: settings.METADATA_LIMIT,
	maxPendingBytes: settings.QUEUE_BYTES,
	cors: parseOrigins(settings.ALLOWED_ORIGINS),
	trustProxy: settings.TRUST_PROXY,
	...(settings.AUTH_TOKEN !== undefined && {token: settings.AUTH_TOKEN}),
	...(settings.SELF_TOKEN !== undefined && {selfToken: settings.SELF_TOKEN}),
	tokens: readTokens(settings),
	...(settings.RATE_LIMIT > 0 && {rateLimit: {requests: settings.RATE_LIMIT, seconds: 60}}),
});

const parseOrigins = (listed = '*'): '*' | string[] => listed.trim() === '*' ? '*' : listed.split(',').map(origin => origin.trim());

/** Null if no receiver is set. @throws {ConfigurationError} for a receiver without a signing key */
export const toWebhookOptions = ({
	ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret,
}: Settings): Pick<WebhookOptions, 'url' | 'secret'> | null => {
	if (url !== undefined && secret === undefined) {
		throw new ConfigurationError('ALERT_WEBHOOK_URL needs ALERT_WEBHOOK_SECRET, so that the receiver can verify the signatures of '
			+ 'this service. Make one with: openssl rand -base64 32');
	}

	return url === undefined ? null : {url, secret: secret!};
};

/** A node has a separate file: nodes on one machine may share DATA_DIR. */
export const toOutboxFile = ({DATA_DIR, DATABASE_URL, PORT}: Settings): string =>
	path.join(DATA_DIR, DATABASE_URL === undefined ? 'alerts.json' : `alerts-${PORT}.json`);

export const toGuardOptions = (settings: Settings): GuardOptions => ({
	named: settings.GUARD_NAMED, echoes: settings.GUARD_ECHOES, weight: settings.GUARD_WEIGHT, strangers: settings.GUARD_STRANGERS,
	unread: settings.GUARD_UNREAD,
	expireDays: settings.GUARD_EXPIRE_DAYS,
});

export const toLoopConfig = (settings: Settings): LoopConfig => ({
	cycleIntervalSeconds: settings.CYCLE_INTERVAL_SECONDS,
	probRuminationFree: settings.PROB_RUMINATION_FREE,
	probCorpus: settings.PROB_CORPUS,
	probUnresolved: settings.PROB_UNRESOLVED,
});
