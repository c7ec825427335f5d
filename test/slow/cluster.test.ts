/** Three nodes behind haproxy, one round of each fault: nothing that was acknowledged is lost, doubled or out of order. */
import test from 'ava';
import {clusterRounds, faults, type Fault} from '../helpers/cluster-rounds.ts';
import {hasBalancer, startCluster} from '../helpers/cluster.ts';

const run = hasBalancer() ? test : test.skip;

run('a cluster survives each fault', async t => {
	t.timeout(600_000);
	await using cluster = await startCluster({isBalanced: true, settings: {CYCLE_INTERVAL_SECONDS: '0.2'}});
	const {gaps, acknowledged, loopCycles, ...wrong} = await clusterRounds({cluster, rounds: Object.keys(faults) as Fault[]});
	t.deepEqual(wrong, {lost: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0});
	t.true(acknowledged > 100 && loopCycles > 10, `${acknowledged} acknowledged, ${loopCycles} of the loop`);
	for (const [fault, values] of gaps) {
		t.log(`${fault}: ${values.map(Math.round).join(', ')} ms`);
	}
});
