/**
 * The same claims as in every run, longer: tens of kills, hundreds of seeds and power cuts, ten thousand
 * requests, more runtimes; and what rests on a part of what there is, as all pages do. `scripts/test-long.ts` runs a
 * group when its inputs changed since it last passed.
 */
import fast, {inBrowser} from './ava.config.js';

/** By name: test files, and the files and folders whose change lets them run again, beside these tests and `package-lock.json`. */
export const groups = {
	journal: {
		files: [
			'test/slow/kill.test.ts', 'test/slow/kill-points.test.ts', 'test/long/power-cut.test.ts',
			'test/fault-injection/power-cut.test.ts', 'test/journal/{damage,journal,sequences}.test.ts',
		],
		inputs: [
			'src/journal', 'src/platform/files', 'src/platform/sqlite', 'test/fault-injection', 'test/journal',
			'test/helpers/compare-journal.ts', 'test/helpers/kill-rounds.ts', 'test/helpers/server-process.ts',
		],
	},
	instruments: {
		files: ['test/instruments/{drift/laws,past/digested}.test.ts', 'test/kernel/laws.test.ts', 'test/semiosis/run-cycle.test.ts'],
		inputs: [
			'src/instruments', 'src/kernel', 'src/semiosis', 'src/identity/digester.ts', 'src/journal/digest-store.ts', 'src/journal/sqlite/digest-file.ts',
			'assembly', 'test/instruments', 'test/kernel', 'test/semiosis',
		],
	},
	cluster: {
		files: ['test/slow/cluster.test.ts', 'test/journal/postgres/{fence,lost-history}.test.ts'],
		inputs: [
			'src/actors', 'src/host', 'src/journal', 'src/platform/postgres', 'src/http/forward.ts', 'src/http/peer-signature.ts', 'examples/cluster',
			'test/helpers/cluster*.ts', 'test/helpers/compare-journal.ts', 'test/helpers/link.ts', 'test/helpers/pooler.ts', 'test/helpers/postgres.ts',
		],
	},
	pages: {
		files: [inBrowser],
		inputs: [
			'inspector', 'src/generated', 'src/http', 'src/instruments', 'src/language', 'src/observe', 'src/wire', 'test/inspector-page', 'test/http/service.ts',
		],
	},
	cycles: {
		files: [
			'test/slow/memory.test.ts', 'test/identity/{forget,forget-keys,repeated-cycles,revise}-law.test.ts', 'test/actors/order.test.ts',
			'test/identity/instances.test.ts', 'test/host/loops.test.ts',
		],
		inputs: ['src/actors', 'src/host', 'src/identity', 'src/semiosis', 'test/actors', 'test/runtimes/journey.ts'],
	},
	requests: {
		files: ['test/long/fuzz.test.ts', 'test/http/fuzz.test.ts', 'test/http/json-syntax-error.test.ts'],
		inputs: ['src/http', 'src/wire', 'src/identity', 'test/http/fuzz.ts', 'test/helpers/real-service.ts'],
	},
	texts: {
		files: [
			'test/embedding/use-lite/original.test.ts', 'test/sources/{declared-profile,message-file}.test.ts',
			'test/sources/store/sqlite-store.test.ts', 'test/commands/transfer/import-file.test.ts', 'test/slow/real-model.test.ts',
			'test/embedding/transformers.test.ts',
		],
		inputs: [
			'src/embedding', 'src/sources', 'src/commands/import.ts', 'src/commands/transfer', 'src/platform/sqlite', 'data/directions.json',
			'test/embedding',
		],
	},
	runtimes: {
		files: ['test/slow/{applications,deno-bun}.test.ts', 'test/field/{plugins,transformers}.test.ts'],
		inputs: [
			'package.json', 'src/index.ts', 'src/agents', 'src/client', 'src/embedding', 'src/journal', 'src/kernel', 'src/platform', 'src/sources/store', 'assembly',
			'examples/embedding', 'plugins', 'test/runtimes',
		],
	},
	/** It takes six minutes and measures nothing, so a change of `src` alone waits for the run before a release. */
	benchmarks: {
		files: ['test/long/benchmarks.test.ts'],
		inputs: ['benchmarks/*.ts', 'benchmarks/peer', 'test/actors/fixtures.ts', 'test/helpers/postgres.ts', 'test/journal/records.ts'],
	},
	/** All of `ava.node-22.config.js`, of which every run makes a part. */
	node22: {
		files: [],
		inputs: ['src/platform', 'src/kernel', 'src/journal', 'src/sources/store', 'src/embedding', 'src/client', 'assembly', 'ava.node-22.config.js'],
	},
};

export default {
	...fast,
	files: Object.values(groups).flatMap(({files}) => files),
	environmentVariables: {...fast.environmentVariables, TEST_LENGTH: 'long'},
};
