/**
 * What can differ on the oldest Node that `engines` allows, and on one newer than the pinned one: what is built on its SQLite,
 * streams, threads, files, HTTP and fetch, the kernels in its WebAssembly, and the command as a whole. The
 * rest is plain computation, whose language and library are the same. Of PostgreSQL it is the
 * connection and the journal's conformance; the others test its tables, not the runtime. Every run
 * has a file of each; `npm run test:long` has all.
 */
import fast from './ava.config.js';

export const inEveryRun = [
	'test/journal/{journal,lock,write-ahead-log}.test.ts',
	'test/sources/store/sqlite-store.test.ts',
	'test/platform/{bounded-fetch,waiting}.test.ts',
	'test/platform/files/*.test.ts',
	'test/kernel/{golden,memory}.test.ts',
	'test/embedding/bundled.test.ts',
	'test/http/server.test.ts',
	'test/client/{client,events}.test.ts',
	'test/commands/{doctor,stopping}.test.ts',
];

export const inLongRun = [
	'test/{client,journal,platform}/**/*.test.ts',
	'test/sources/store/*.test.ts',
	'!test/journal/postgres/fence.test.ts',
	'!test/sources/store/postgres-store.test.ts',
	'test/commands/{ask-text,describe-exposure,doctor,logging,permissions,settings,stopping}.test.ts',
	'test/commands/transfer/{export-lines,import-file}.test.ts',
	'test/http/{access,cors,costs,mounted,preparsed-body,server,valid-requests}.test.ts',
	'test/observe/{connect-inspector,event-stream,inspection}.test.ts',
	'test/language/model-translator.test.ts',
	'test/sources/message-file.test.ts',
	'test/wire/redact-paths.test.ts',
	'test/embedding/{bundled,openai}.test.ts',
	'test/kernel/{golden,memory,select}.test.ts',
	'test/identity/instances.test.ts',
];

export default {...fast, files: process.env.TEST_LENGTH === 'long' ? inLongRun : inEveryRun};
