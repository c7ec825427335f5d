import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {onChange} from './test/long/groups.js';

const isOld = Number.parseInt(process.versions.node, 10) < 24;
const quiet = '--disable-warning=ExperimentalWarning';
const compiling = [quiet, `--import=${new URL('test/helpers/compile-on-node-22.ts', import.meta.url).href}`];

/** Each takes six seconds of processor time or more: many twins, services, kills or damaged files. Other files test the same rooms among the fast ones. */
const heavy = [
	'test/commands/{cli,cli-store,keys,many-identities,mcp,profile,reembed,serve,validate}.test.ts',
	'test/fault-injection/power-cut.test.ts',
	'test/inspector-page/site.test.ts',
	'test/journal/{compaction,damage,kill,sequences}.test.ts',
	'test/sources/store/weaviate{,-damaged}.test.ts',
];

/** Each starts a PostgreSQL. */
const onPostgres = ['test/commands/database*.test.ts', 'test/platform/postgres/*.test.ts', 'test/{host,journal}/postgres/*.test.ts', 'test/sources/store/postgres*.test.ts', 'test/sources/message-table.test.ts'];

const inMinutes = ['test/{field,slow}/**/*.test.ts', ...heavy, ...onPostgres];
const not = pattern => `!${pattern}`;

/** What takes minutes in all, and is in every run. */
export const slow = [...inMinutes, ...onChange.map(not)];

export default {
	files: ['test/**/*.test.ts', ...[...inMinutes, ...onChange].map(not)],
	extensions: ['ts'],
	require: ['./test/helpers/temporary-files.ts'],
	// One more than processors: a file that waits for a process or a server leaves its own to another.
	concurrency: availableParallelism() + 1,
	// How long nothing may come of any test: long enough for a machine with much else to do.
	timeout: '10m',
	// For the processes that a test starts, too.
	environmentVariables: {
		NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/processual-state/compiled', import.meta.url)),
		...(isOld && {NODE_OPTIONS: compiling.join(' ')}),
	},
	// Not `require`: threads inherit them. A path, which knip finds.
	nodeArguments: [...(isOld ? compiling : [quiet]), `--import=${fileURLToPath(new URL('test/helpers/load-quickly.ts', import.meta.url))}`],
};
