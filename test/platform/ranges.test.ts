/** A number has one range, whether a program gives it as an option or an operator as a setting. */
import test from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {chooseModel} from '../../src/embedding/model-choice.ts';
import {createEmbeddedHost} from '../../src/host/embedded-host.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {requireIdentityOptions} from '../../src/identity/options.ts';
import {Questions} from '../../src/instruments/past/questions.ts';
import {checkCompaction} from '../../src/journal/journal-options.ts';
import {openLanguageModel} from '../../src/language/model-translator.ts';
import {fakeIdentity} from '../http/fake-identity.ts';

const host = (options: object) => createEmbeddedHost({journals: {}, open() {}, ...options} as never);
const http = (options: object) => createHttp(fakeIdentity(), options);

const pairs: Record<string, (value: number) => unknown> = {
	BODY_LIMIT: maxBodyBytes => http({maxBodyBytes}),
	METADATA_LIMIT: maxMetadataBytes => http({maxMetadataBytes}),
	QUEUE_BYTES: maxPendingBytes => [http({maxPendingBytes}), requireIdentityOptions({maxPendingBytes})],
	QUEUE_LIMIT: maxPendingCycles => requireIdentityOptions({maxPendingCycles}),
	TRANSLATE_LIMIT: maxPendingTranslations => requireIdentityOptions({maxPendingTranslations}),
	SHUTDOWN_SECONDS: seconds => requireIdentityOptions({drainTimeoutMs: 1000 * seconds}),
	MAX_IDENTITIES: maxIdentities => host({maxIdentities}),
	MAX_LIVE: maxLive => host({maxLive}),
	IDLE_SECONDS: seconds => host({idleMs: 1000 * seconds}),
	QUESTION_LIMIT: maxRunning => new Questions({maxRunning}),
	QUESTION_SECONDS: maxSeconds => new Questions({maxSeconds}),
	JOURNAL_KEEP_RECORDS: keepRecords => checkCompaction({keepRecords}),
	JOURNAL_KEEP_DAYS: keepDays => checkCompaction({keepDays}),
	EMBEDDING_WORKERS: workers => chooseModel({workers}),
	EMBEDDING_THREADS: threads => chooseModel({threads}),
	EMBEDDING_CACHE_SIZE: cacheSize => chooseModel({cacheSize}),
	EMBEDDING_TIMEOUT_SECONDS: timeoutSeconds => chooseModel({timeoutSeconds}),
	LLM_TIMEOUT_SECONDS: timeoutSeconds => openLanguageModel({timeoutSeconds}),
};

const isRefused = (use: () => unknown): boolean => {
	try {
		use();
		return false;
	} catch {
		return true;
	}
};

for (const [setting, use] of Object.entries(pairs)) {
	test(`${setting} and its option allow the same numbers`, t => {
		const values = [-1, 0, 0.5, 1, 2, 19, 20, 64, 65, 100_000, 100_001, 1_000_001, 2_000_000, 2_000_001];
		const refused = values.filter(value => isRefused(() => use(value)));
		t.deepEqual(refused, values.filter(value => isRefused(() => readSettings({}, {[setting]: String(value)}, false))));
		t.true(refused.includes(-1) && refused.length < values.length);
	});
}
