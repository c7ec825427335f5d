/** Nodes behind a balancer, one round of each fault: nothing that was acknowledged is lost, doubled or out of order. */
import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {faults, type Fault} from '../helpers/cluster-faults.ts';
import {clusterRounds} from '../helpers/cluster-rounds.ts';
import {startCluster, type Cluster} from '../helpers/cluster.ts';
import {openLink, type Link} from '../helpers/link.ts';
import {isLongRun} from '../helpers/often.ts';
import {hasPooler, startPooler} from '../helpers/pooler.ts';
import {clockSettings} from '../helpers/shift-clock.ts';

const hourMs = 3_600_000;

/** Three nodes, whose clocks are an hour slow, right, and an hour fast. */
const clocksApart = (node: number): Record<string, string> => clockSettings((node - 1) * hourMs);

const inShortRun = new Set(['owner killed', 'all sessions cut']);
const longRun = isLongRun ? test.serial : test.skip;

const settings = {CYCLE_INTERVAL_SECONDS: '0.2'};

const survives = async (t: ExecutionContext, cluster: Cluster, rounds: Array<[string, Fault]>): Promise<void> => {
	const {wrong, gaps, acknowledged, loopCycles, reads} = await clusterRounds({cluster, rounds});
	t.deepEqual(wrong, {lost: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0, unpublished: 0, staleReads: 0});
	t.true(reads > 100);
	t.true(acknowledged > 100 && loopCycles > 10, `${acknowledged} acknowledged, ${loopCycles} of the loop`);
	for (const [fault, values] of gaps) {
		t.log(`${fault}: ${values.map(Math.round).join(', ')} ms`);
	}
};

test.serial('a cluster whose clocks are an hour apart survives each fault', async t => {
	t.timeout(600_000);
	await using cluster = await startCluster({isBalanced: true, settings, settingsOf: clocksApart});
	await survives(t, cluster, Object.entries(faults).filter(([name]) => isLongRun || inShortRun.has(name)));
	const [spread] = await cluster.server.queryIn<{hours: number}>(
		cluster.url,
		'select extract(epoch from max(timestamp::timestamptz) - min(timestamp::timestamptz))::float8 / 3600 as hours from processual.record',
	);
	t.true(spread!.hours > 0.9, `clocks were ${spread!.hours} hours apart`);
});

longRun('a loop resumes at its due time on a node whose clock is two hours behind', async t => {
	const intervalMs = 4000;
	await using cluster = await startCluster({
		nodes: 2,
		settings: {CYCLE_INTERVAL_SECONDS: String(intervalMs / 1000)},
		settingsOf: node => clockSettings((1 - 2 * node) * hourMs),
	});
	await cluster.settle();
	const [first] = cluster.nodes;
	t.is((await fetch(`${first!.url}/daemon/start`, {method: 'POST'})).status, 200);
	/** The first run of the loop after a moment, by the database's clock, which all nodes share. */
	const turnAfter = async (moment: number): Promise<number> => {
		for (;;) {
			const [turn] = await cluster.server.queryIn<{at: number}>(
				cluster.url,
				'select extract(epoch from loop_at)::float8 * 1000 as at from processual.identity where extract(epoch from '
					+ 'loop_at)::float8 * 1000 > $1::float8',
				[moment],
			);
			if (turn) {
				return turn.at;
			}

			await setTimeout(20);
		}
	};

	const before = await turnAfter(await turnAfter(0));
	t.is(await cluster.ownerOf('default'), first!);
	await first!.process.kill();
	const after = await turnAfter(before);
	t.is(await cluster.ownerOf('default'), cluster.nodes[1]!);
	t.true(after - before > intervalMs * 0.9, `${after - before} ms: too early`);
	t.true(after - before < hourMs, `${after - before} ms: by the clock of the node that is gone`);
	t.log(`${Math.round(after - before)} ms after the last turn`);
});

longRun('two hundred loops of a killed node resume on other nodes', async t => {
	t.timeout(600_000);
	const intervalSeconds = 20;
	await using cluster = await startCluster({isBalanced: 'ours', settings: {CYCLE_INTERVAL_SECONDS: String(intervalSeconds)}});
	await cluster.settle();
	const [first] = cluster.nodes;
	const ask = async (method: string, below: string): Promise<void> => {
		for (;;) {
			const response = await fetch(`${first!.url}/identities/${below}`, {method});
			const text = await response.text();
			if (response.ok) {
				return;
			}

			t.is(response.status, 503, text);
			await setTimeout(100);
		}
	};
	for (let i = 0; i < 200; i++) {
		await ask('PUT', `loop-${i}`);
		await ask('POST', `loop-${i}/daemon/start`);
	}

	const timeOf = 'extract(epoch from loop_at)::float8';
	/** Loops with a cycle since, by the database's clock. */
	const loopsSince = async (since: number) => cluster.server.queryIn<{name: string; at: number}>(
		cluster.url, `select id as name, ${timeOf} as at from processual.identity where loop_on and ${timeOf} > $1`, [since],
	);
	const [clock] = await cluster.server.queryIn<{now: number}>(cluster.url, 'select extract(epoch from now())::float8 as now');
	const killedAt = clock!.now;
	const before = new Map((await loopsSince(0)).map(({name, at}) => [name, at]));
	await first!.process.kill();
	/** The first cycle of each: early loops may run twice before the last one resumes. */
	const after = new Map<string, number>();
	while (after.size < 200) {
		await setTimeout(200);
		for (const {name, at} of await loopsSince(killedAt)) {
			after.set(name, after.get(name) ?? at);
		}
	}

	const late = Array.from(after, ([name, at]) => at - Math.max(killedAt, before.get(name)! + intervalSeconds)).toSorted((a, b) => a - b);
	t.log(`seconds late: median ${late[100]!.toFixed(2)}, 95 % ${late[190]!.toFixed(2)}, most ${late.at(-1)!.toFixed(2)}`);
	t.is(before.size, 200);
});

(hasPooler() ? longRun : test.skip)('a cluster behind a pooler survives a restart of the pooler, and slow or cut networks', async t => {
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
