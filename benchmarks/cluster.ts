/**
 * Faults in a real cluster: three nodes behind a load balancer (haproxy if it is installed) over a real PostgreSQL. In turns,
 * nodes are killed, frozen, stopped and cut off from each other, sessions are cut, and the database is killed, restored from an
 * older dump, and killed while it acknowledges before it syncs. At the same time clients write, a loop runs, streams listen and
 * readers ask each node: `npm run bench:cluster -- [ROUNDS]`. Exits with 1 if anything acknowledged is lost without a report,
 * doubled, out of order, or different from the replay, if a stream missed a cycle, or if a read was stale.
 *
 * Not measured: networks between machines, which delay and lose packets; a disk that loses what it has synced.
 */
import {faults} from '../test/helpers/cluster-faults.ts';
import {clusterRounds} from '../test/helpers/cluster-rounds.ts';
import {startCluster} from '../test/helpers/cluster.ts';
import {markdown, median} from './report.ts';

const [count = 40] = process.argv.slice(2).map(Number);
const kinds = Object.entries(faults);
/** A killed owner is the most common fault, so it is every other one. */
const others = kinds.slice(1);
const rounds = Array.from({length: count}, (_, i) => i % 2 === 0 ? kinds[0]! : others[(i >> 1) % others.length]!);

await using cluster = await startCluster({isBalanced: true, settings: {CYCLE_INTERVAL_SECONDS: '0.2'}});
const {wrong, acknowledged, reportedLost, reads, loopCycles, gaps} = await clusterRounds({
	cluster,
	rounds,
	onRound(fault, gapMs) {
		process.stderr.write(`${fault}: ${Math.round(gapMs)} ms\n`);
	},
});

const names: Record<keyof typeof wrong, string> = {
	lost: 'lost, and not reported', doubled: 'doubled', outOfOrder: 'out of order', misnamed: 'with another state id',
	replayMismatch: 'different from the replay', unpublished: 'missed by a stream', staleReads: 'stale reads',
};
console.log(`${count} faults; ${acknowledged} cycles acknowledged, of which ${reportedLost} lost by the database and reported; ${loopCycles} cycles of the loop; ${reads} reads.\n`);
console.log(markdown([['must be 0', ''], ...Object.entries(wrong).map(([name, value]) => [names[name as keyof typeof wrong], String(value)])]));
console.log(`\n${markdown([
	['fault', 'rounds', 'gap ms, median', 'most'],
	...[...gaps].map(([fault, values]) => [fault, ...[values.length, median(values), Math.max(...values)].map(value => Math.round(value).toLocaleString('en'))]),
])}`);
if (Object.values(wrong).some(Boolean)) {
	process.exitCode = 1;
}
