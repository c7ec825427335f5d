/**
 * What can differ on the oldest Node that `engines` allows: what is built on its SQLite, streams,
 * threads, files, HTTP and fetch, the kernels in its WebAssembly, and the command as a whole. The
 * rest is plain computation, whose language and library are the same.
 */
import fast from './ava.config.js';

export default {
	...fast,
	files: [
		'test/{client,journal}/**/*.test.ts',
		'test/http/{cors,costs,front-door,mounted,parsed-body,reach,requests,server,without-places}.test.ts',
		'test/inspector/{event-stream,inspection,web-socket}.test.ts',
		'test/language/model-client.test.ts',
		'test/store/{messages,sqlite-store,weaviate}.test.ts',
		'test/transfer/{export,import,new-file}.test.ts',
		'test/embedding/{bundled-library,openai}.test.ts',
		'test/kernel/{golden,memory,select}.test.ts',
		'test/{bounded-fetch,config,doctor,folders,instances,logging,permissions,stopping}.test.ts',
	],
};
