/**
 * Proof by faults on a real cluster: three nodes behind a balancer (haproxy where it is installed) over a real PostgreSQL, whose nodes are
 * killed, frozen and stopped, sessions cut, and database killed, in turns, while clients write and a loop
 * runs: `npm run bench:cluster -- [ROUNDS]`. Ends with 1 when anything that was acknowledged is lost,
 * doubled, out of order, or not what the replay makes.
 *
 * Not measured: networks between machines, which partition and delay; a disk that forgets what it synced.
 */
import {clusterRounds, faults} from '../test/helpers/cluster-rounds.ts';
import {startCluster} from '../test/helpers/cluster.ts';

const [count = 28] = process.argv.slice(2).map(Number);
const kinds = Object.entries(faults);
/** Killing an owner is the commonest fault: it comes every other time. */
const others = kinds.slice(1);
const rounds = Array.from({length: count}, (_, i) => i % 2 === 0 ? kinds[0]! : others[(i >> 1) % others.length]!);

await using cluster = await startCluster({isBalanced: true, settings: {CYCLE_INTERVAL_SECONDS: '0.2'}});
const {gaps, ...findings} = await clusterRounds({
	cluster,
	rounds,
	onRound(fault, gapMs) {
		process.stderr.write(`${fault}: ${Math.round(gapMs)} ms\n`);
	},
});

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const {acknowledged, loopCycles, ...wrong} = findings;
console.log([`${count} faults, ${acknowledged} cycles acknowledged, ${loopCycles} of the loop.`, '',
	'| must be 0 | |', '| --- | ---: |',
	...Object.entries({lost: wrong.lost, doubled: wrong.doubled, 'out of order': wrong.outOfOrder, 'with another state id': wrong.misnamed, 'not what the replay makes': wrong.replayMismatch}).map(([name, value]) => `| ${name} | ${value} |`), '',
	'| fault | rounds | gap ms, median | most |', '| --- | ---: | ---: | ---: |',
	...[...gaps].map(([fault, values]) => `| ${fault} | ${values.length} | ${Math.round(median(values))} | ${Math.round(Math.max(...values))} |`)].join('\n'));
if (Object.values(wrong).some(Boolean)) {
	process.exitCode = 1;
}
