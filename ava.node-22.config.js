/**
 * What can differ on the oldest Node that `engines` allows: what is built on its SQLite, streams,
 * threads, files, HTTP and fetch, the kernels in its WebAssembly, and the command as a whole. The
 * rest is plain computation, whose language and library are the same.
 */
import fast from './ava.config.js';

export default {
	...fast,
	files: [
		'test/{client,commands,files,http,inspection,journal,language,sources,store}/**/*.test.ts',
		'!test/http/fuzz.test.ts',
		'test/embedding/{bundled-library,openai}.test.ts',
		'test/kernel/{golden,memory,select}.test.ts',
		'!test/commands/{cli,faults,reembed,serve}.test.ts',
		'test/bounded-fetch.test.ts',
		'test/identity/instances.test.ts',
	],
};
