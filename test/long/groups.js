/** What can differ on a Node other than the pinned one (`ava.node-22.config.js`). */
const onOtherNode = {
	alone: [],
	longer: [],
	inputs: ['src/platform', 'src/kernel', 'src/journal', 'src/sources/store', 'src/embedding', 'src/client', 'assembly', 'ava.node-22.config.js'],
};

/**
 * The groups of long tests. A group runs when its inputs changed since it last passed (`scripts/test-long.ts`).
 *
 * `alone` are files that no other run has: each takes long, and depends on a part of the sources. `longer` are files of
 * every run that are longer here (`test/helpers/often.ts`). `inputs` are the files and folders whose change
 * lets a group run again, beside these tests and `package-lock.json`.
 */
export const groups = {
	journal: {
		alone: ['test/slow/{kill,kill-points}.test.ts', 'test/long/power-cut.test.ts', 'test/commands/faults.test.ts'],
		longer: ['test/fault-injection/power-cut.test.ts', 'test/journal/{damage,journal,sequences}.test.ts'],
		inputs: [
			'src/journal', 'src/platform/files', 'src/platform/sqlite', 'src/commands/serve.ts', 'src/commands/serve-folder.ts', 'test/fault-injection',
			'test/journal', 'test/helpers/compare-journal.ts', 'test/helpers/kill-rounds.ts', 'test/helpers/server-process.ts',
		],
	},
	instruments: {
		alone: ['test/instruments/{drift,drift/laws,drift/uptake,past/digested,story}.test.ts', 'test/kernel/select.test.ts', 'test/semiosis/calibration.test.ts'],
		longer: ['test/kernel/laws.test.ts', 'test/semiosis/run-cycle.test.ts'],
		inputs: [
			'src/instruments', 'src/kernel', 'src/semiosis', 'src/identity/digester.ts', 'src/journal/digest-store.ts', 'src/journal/sqlite/digest-file.ts',
			'assembly', 'test/instruments', 'test/kernel', 'test/semiosis',
		],
	},
	/** Texts from elsewhere, as they are imported and as `look` shows them. */
	history: {
		alone: ['test/commands/history/*.test.ts'],
		longer: [],
		inputs: [
			'src/commands/history', 'src/commands/look.ts', 'src/commands/import.ts', 'src/embedding', 'src/instruments', 'src/language',
			'src/semiosis', 'test/commands/history', 'test/commands/run-command.ts',
		],
	},
	cluster: {
		alone: [
			'test/slow/{cluster,cluster-rights,schema-versions}.test.ts', 'test/journal/postgres/{fence,journal,lost-history}.test.ts',
			'test/field/{fleet,nodes}.test.ts', 'test/host/{fleet,loops}.test.ts',
		],
		longer: [],
		inputs: [
			'src/actors', 'src/host', 'src/journal', 'src/platform/postgres', 'src/http/forward.ts', 'src/http/peer-signature.ts',
			'src/instruments/fleet.ts', 'src/commands/fleet.ts', 'src/commands/migrate.ts', 'src/commands/serve-node.ts', 'examples/cluster',
			'test/helpers/cluster*.ts', 'test/helpers/compare-journal.ts', 'test/helpers/link.ts', 'test/helpers/pooler.ts', 'test/helpers/postgres.ts',
			'test/host/fleet-in.ts', 'test/host/host-in.ts',
		],
	},
	/** Each of their many pages takes a browser seconds of processor time to open. `connection.test.ts` and `test/field/page.test.ts` have the page in every run. */
	pages: {
		alone: ['test/inspector-page/{access,drift,first-seconds,fleet,french,held,identities,machines,offline,path,person,revise,sequence}.test.ts'],
		longer: [],
		inputs: [
			'inspector', 'src/generated', 'src/http', 'src/instruments', 'src/language', 'src/observe', 'src/wire', 'test/inspector-page', 'test/http/service.ts',
		],
	},
	cycles: {
		alone: [
			'test/slow/memory.test.ts', 'test/identity/{forget-law,forget-keys-law,instances,repeated-cycles-law,revise-law,watch}.test.ts',
			'test/actors/validation.test.ts',
		],
		longer: ['test/actors/order.test.ts'],
		inputs: [
			'src/actors', 'src/host', 'src/identity', 'src/instruments/drift', 'src/instruments/watch-notices.ts', 'src/journal/validation.ts',
			'src/semiosis', 'test/actors', 'test/runtimes/journey.ts',
		],
	},
	requests: {
		alone: [
			'test/long/fuzz.test.ts', 'test/http/{bounded-answers,examples,fuzz,openapi-rules}.test.ts', 'test/field/{strain,strangers}.test.ts',
			'test/observe/frame-size.test.ts', 'test/slow/opentelemetry.test.ts',
		],
		longer: ['test/http/json-syntax-error.test.ts'],
		inputs: [
			'src/agents/tools', 'src/http', 'src/identity', 'src/instruments/answers', 'src/observe', 'src/wire', 'test/helpers/attacks.ts', 'test/helpers/real-service.ts',
			'test/helpers/server-process.ts', 'test/http/fuzz.ts', 'test/http/service.ts',
		],
	},
	texts: {
		alone: [
			'test/slow/{direction-vectors,real-model}.test.ts', 'test/embedding/transformers.test.ts', 'test/embedding/french/*.test.ts',
			'test/embedding/use-lite/{kernels,original}.test.ts', 'test/field/languages.test.ts', 'test/sources/directions/preferred.test.ts',
		],
		longer: [
			'test/sources/{declared-profile,message-file}.test.ts', 'test/sources/store/sqlite-store.test.ts', 'test/commands/transfer/import-file.test.ts',
		],
		inputs: [
			'src/embedding', 'src/sources', 'src/semiosis/contrast.ts', 'src/semiosis/quality.ts', 'src/commands/import.ts', 'src/commands/transfer',
			'src/platform/sqlite', 'assembly', 'data', 'test/embedding',
		],
	},
	runtimes: {
		alone: ['test/slow/applications.test.ts', 'test/examples/python-agent.test.ts', 'test/field/{bundled,plugins,transformers}.test.ts'],
		longer: ['test/slow/deno-bun.test.ts'],
		inputs: [
			'package.json', 'src/index.ts', 'src/agents', 'src/client', 'src/embedding', 'src/journal', 'src/kernel', 'src/platform', 'src/sources/store', 'assembly',
			'examples', 'plugins', 'test/runtimes',
		],
	},
	/** It takes six minutes and measures nothing, so a change of `src` alone waits for the run before a release. */
	benchmarks: {
		alone: ['test/long/benchmarks.test.ts'],
		longer: [],
		inputs: ['benchmarks/*.ts', 'benchmarks/peer', 'test/actors/fixtures.ts', 'test/helpers/postgres.ts', 'test/journal/records.ts'],
	},
	/** The oldest Node, on which every run tests a part; and one that is newer than the pinned one. */
	node22: onOtherNode,
	node26: onOtherNode,
};

/** The files that no other run has. */
export const onChange = Object.values(groups).flatMap(({alone}) => alone);
