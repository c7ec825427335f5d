/** Three nodes behind haproxy, one round of each fault: nothing that was acknowledged is lost, doubled or out of order. */
import test, {type ExecutionContext} from 'ava';
import {clusterRounds, faults, type Fault} from '../helpers/cluster-rounds.ts';
import {hasBalancer, startCluster, type Cluster} from '../helpers/cluster.ts';
import {openLink, type Link} from '../helpers/link.ts';
import {hasPooler, startPooler} from '../helpers/pooler.ts';
import {clockSettings} from '../helpers/shift-clock.ts';

const run = hasBalancer() ? test.serial : test.serial.skip;

const hourMs = 3_600_000;

/** Three nodes, whose clocks are an hour slow, right, and an hour fast. */
const clocksApart = (node: number): Record<string, string> => clockSettings((node - 1) * hourMs);

const settings = {CYCLE_INTERVAL_SECONDS: '0.2'};

const survives = async (t: ExecutionContext, cluster: Cluster, rounds: Array<[string, Fault]>): Promise<void> => {
	const {gaps, acknowledged, loopCycles, ...wrong} = await clusterRounds({cluster, rounds});
	t.deepEqual(wrong, {lost: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0});
	t.true(acknowledged > 100 && loopCycles > 10, `${acknowledged} acknowledged, ${loopCycles} of the loop`);
	for (const [fault, values] of gaps) {
		t.log(`${fault}: ${values.map(Math.round).join(', ')} ms`);
	}
};

run('a cluster whose clocks are an hour apart survives each fault', async t => {
	t.timeout(600_000);
	await using cluster = await startCluster({isBalanced: true, settings, settingsOf: clocksApart});
	await survives(t, cluster, Object.entries(faults));
});

(hasPooler() ? run : test.skip)('a cluster behind a pooler survives its end, and networks that are slow or cut', async t => {
	t.timeout(600_000);
	await using stack = new AsyncDisposableStack();
	const links: Array<{pooled: Link; direct: Link}> = [];
	let pooling: ReturnType<typeof startPooler> | undefined;
	const cluster = stack.use(await startCluster({
		isBalanced: true,
		settings,
		async settingsOf(node, url) {
			const pooler = await (pooling ??= startPooler(url));
			const [pooled, direct] = [stack.use(await openLink(pooler.port)), stack.use(await openLink(Number(new URL(url).port)))];
			links[node] = {pooled, direct};
			const through = ({port}: Link): string => url.replace(/:\d+\//, `:${port}/`);
			return {DATABASE_URL: through(pooled), DATABASE_SESSION_URL: through(direct)};
		},
	}));
	const pooler = stack.use((await pooling)!);
	const linksOf = (owner: (typeof cluster.nodes)[number]): Link[] => Object.values(links[cluster.nodes.indexOf(owner)]!);
	const setAll = (changed: Link[], change: Partial<Pick<Link, 'delayMs' | 'isCut'>>): void => {
		for (const link of changed) {
			Object.assign(link, change);
		}
	};

	await survives(t, cluster, [
		['owner killed', faults['owner killed']!],
		['all sessions cut', faults['all sessions cut']!],
		['pooler killed', async () => pooler.restart()],
		['owner 150 ms away from the database', async (_, owner) => {
			setAll(linksOf(owner), {delayMs: 150});
			return async () => setAll(linksOf(owner), {delayMs: 0});
		}],
		['owner cut off from the database', async (_, owner) => {
			setAll(linksOf(owner), {isCut: true});
			return async () => setAll(linksOf(owner), {isCut: false});
		}],
	]);
});
