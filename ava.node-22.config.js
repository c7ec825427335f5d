/**
 * What can differ on the oldest Node that `engines` allows: what is built on its SQLite, streams,
 * threads, files, HTTP and fetch, the kernels in its WebAssembly, and the command as a whole. The
 * rest is plain computation, whose language and library are the same. Of PostgreSQL it is the
 * connection and the journal's conformance; the others test its tables, not the runtime.
 */
import fast from './ava.config.js';

export default {
	...fast,
	files: [
		'test/{client,files,journal,postgres,store}/**/*.test.ts',
		'!test/journal/postgres/fence.test.ts',
		'!test/sources/store/postgres-store.test.ts',
		'test/commands/{doctor,logging,permissions,settings,stopping}.test.ts',
		'test/commands/transfer/{export-lines,import-file}.test.ts',
		'test/http/{access,cors,costs,describe-exposure,mounted,preparsed-body,server,valid-requests}.test.ts',
		'test/observe/{connect-inspector,event-stream,inspection}.test.ts',
		'test/language/model-translator.test.ts',
		'test/sources/message-file.test.ts',
		'test/wire/redact-paths.test.ts',
		'test/embedding/{bundled,openai}.test.ts',
		'test/kernel/{golden,memory,select}.test.ts',
		'test/platform/bounded-fetch.test.ts',
		'test/identity/instances.test.ts',
	],
};
