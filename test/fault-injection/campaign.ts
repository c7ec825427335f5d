/**
 * A random campaign: the real service under load, while syncs and writes of its journal fail, are
 * cut short or torn, and sometimes a kill. Then the faults end, it is started again, and its journal is
 * compared with the answers to its clients.
 */
import {mkdir, rename, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {mulberry32} from '../actors/fixtures.ts';
import {compareJournal, lastState, showsState, type Comparison, type Known, type Sent} from '../helpers/compare-journal.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {startFakeModel, type FakeModel} from './fake-model.ts';
import {environmentOf, readOperations, type Fault, type Rule} from './shim.ts';

export type CampaignOptions = {
	rounds: number;
	seed: number;
	/** Empty at first. The folders of journals that could not be started or read are left in it. */
	folder: string;
	/** After each round. */
	onRound?: (findings: CampaignFindings) => void;
};

/** Sums of all rounds; `lost` and every field after it must be 0. */
export type CampaignFindings = Omit<Comparison, 'resets'> & {
	rounds: number;
	kills: number;
	/** Operations that failed, were cut short or torn. */
	faults: number;
	/** Cycles that were answered with an error. */
	refused: number;
	/** Rounds in which the service took cycles again, without a restart, after the faults. */
	recovered: number;

	/** Starts after which GET /state shows another state than the journal's last. */
	restartMismatch: number;
	/** Why the service could not be started, or its journal not be read, with the round. */
	startsRefused: string[];
};

/** Runs the rounds, each with 8 to 16 clients. A journal that cannot be opened is put aside, and a new one begun. */
export const runCampaign = async ({rounds, seed, folder, onRound}: CampaignOptions): Promise<CampaignFindings> => {
	const random = mulberry32(seed);
	await using model = await startFakeModel();
	const sums: CampaignFindings = {
		rounds: 0, kills: 0, faults: 0, acknowledged: 0, refused: 0, recovered: 0, cutOffAndKept: 0, cutOffAndGone: 0,
		lost: 0, doubled: 0, refusedAndKept: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0, restartMismatch: 0, startsRefused: [],
	};
	// The sums of earlier journals, which were put aside.
	let before = {...sums};
	let dataDir = newDataDir(folder, 0);
	for (let round = 1; ; round++) {
		// One more start than rounds, to check what the last round left.
		const isOver = round > rounds;
		try {
			const {kills, faults, recovered, restartMismatch} = await runRound(dataDir, isOver ? null : round, random, model);
			sums.rounds = Math.min(round, rounds);
			sums.kills += kills;
			sums.faults += faults;
			sums.recovered += recovered;
			sums.restartMismatch += restartMismatch;
			const {resets: _, ...found} = await compareJournal(path.join(dataDir.data, 'journal'), dataDir.known);
			for (const [name, value] of Object.entries(found) as Array<[keyof typeof found, number]>) {
				sums[name] = before[name] + value;
			}

			sums.refused = before.refused + [...dataDir.known.cycles.values()].filter(({isRefused}) => isRefused).length;
		} catch (error) {
			sums.startsRefused.push(`round ${round}: ${(error as Error).message}`);
			await mkdir(dataDir.data, {recursive: true});
			await rename(dataDir.data, path.join(folder, `refused-in-round-${round}`));
			before = {...sums};
			dataDir = newDataDir(folder, round);
		}

		if (isOver) {
			return sums;
		}

		onRound?.(sums);
	}
};

/** A DATA_DIR and its expected content. */
type DataDir = {data: string; known: Known};

const newDataDir = (folder: string, round: number): DataDir =>
	({data: path.join(folder, `begun-after-round-${round}`), known: {cycles: new Map(), resets: {sent: 0, acknowledged: 0}}});

const pick = <Item>(items: readonly Item[], random: () => number): Item => items[Math.floor(random() * items.length)]!;

/** Two failures in a row hit a commit, and the close of the database after it. */
const rulesOf = (random: () => number): Rule[] => {
	const fault = pick<Fault>(['EIO', 'ENOSPC'], random);
	return pick<() => Rule[]>([
		() => [{operations: ['sync'], file: '-wal', fault, when: [1, pick([1, 2, 3], random)]}],
		() => [{operations: ['sync'], fault, when: 0.3}],
		() => [{operations: ['write'], fault: pick<Fault>(['short', 'torn', fault], random), when: 0.05}],
		() => [{operations: ['write'], file: 'journal.mark', fault: pick<Fault>(['short', 'torn', fault], random), when: 0.2}],
		() => [{operations: ['sync', 'truncate', 'unlink'], fault, when: 0.2}, {operations: ['write'], fault: 'torn', when: 0.02}],
	], random)();
};

type RoundFindings = {kills: number; faults: number; recovered: number; restartMismatch: number};

/** Starts the service, and checks that it shows the state that was left; without a round's number, that is all. */
const runRound = async ({data, known}: DataDir, round: number | null, random: () => number, model: FakeModel): Promise<RoundFindings> => {
	const control = `${data}.control`;
	const log = `${data}.${round}.log`;
	await mkdir(data, {recursive: true});
	await writeFile(control, '0');
	const left = known.cycles.size === 0 ? null : lastState(path.join(data, 'journal'));
	const shim = environmentOf({under: data, control, log, seed: round ?? 0, rules: rulesOf(random)});
	await using server = startServer(data, {...model.settings(), KERNEL: 'wasm', DIRECTIONS: 'store', ...shim});
	const url = await server.ready();
	const restartMismatch = Number(left !== null && !await showsState(url, left));
	if (round === null) {
		await server.stop();
		return {kills: 0, faults: 0, recovered: 0, restartMismatch};
	}

	const ending = pick(['kill under faults', 'kill after healing', 'kill after recovery', 'stop after recovery'], random);
	const load = postUntilClosed(url, 8 + Math.floor(random() * 9), round, known);
	const flip = async (to: '0' | '1'): Promise<void> => writeFile(control, to, {flag: 'r+'});

	await until(() => load.acknowledged() > 10 + random() * 40);
	await flip('1');
	await setTimeout(50 + random() * 500);
	// On a machine under load that may be too short for a fault, and for an answer after it.
	await until(async () => (await faultsIn(log)) > 0);
	const answered = load.answered();
	await until(() => load.answered() > answered);
	let recovered = 0;
	if (ending !== 'kill under faults') {
		await flip('0');
		await setTimeout(random() * 100);
		if (ending !== 'kill after healing') {
			const healed = load.acknowledged();
			recovered = Number(await until(() => load.acknowledged() > healed + 10));
		}
	}

	load.stop();
	await (ending === 'stop after recovery' ? server.stop() : server.kill());
	await load.ended;
	return {kills: Number(ending !== 'stop after recovery'), faults: await faultsIn(log), recovered, restartMismatch};
};

const faultsIn = async (log: string): Promise<number> =>
	(await readOperations(log)).filter(({outcome}) => outcome !== 'done').length;

/** Whether the condition holds within half a minute. */
const until = async (isTrue: () => boolean | Promise<boolean>): Promise<boolean> => {
	for (let tries = 0; tries < 1500; tries++) {
		if (await isTrue()) {
			return true;
		}

		await setTimeout(20);
	}

	return false;
};

/** Clients that post one text after another, each a different one, until the connection breaks. */
const postUntilClosed = (
	url: string,
	clients: number,
	round: number,
	{cycles}: Known,
): {stop: () => void; acknowledged: () => number; answered: () => number; ended: Promise<unknown>} => {
	let [acknowledged, answered] = [0, 0];
	const leaving = new AbortController();
	const drive = async (client: number): Promise<void> => {
		try {
			for (let n = 0; !leaving.signal.aborted; n++) {
				const sent: Sent = {client, order: cycles.size, stateId: null, isRefused: false};
				const content = `client ${client}, round ${round}, thought ${n}`;
				cycles.set(content, sent);
				const {status, body} = await postCycle(url, content);
				answered++;
				if (status === 200) {
					sent.stateId = body.state_id;
					acknowledged++;
				} else {
					sent.isRefused = true;
					// A halted service refuses at once, and more refusals would add nothing.
					await setTimeout(50);
				}
			}
		} catch {
			// The kill, or the end of the service, cut the answer off.
		}
	};

	return {
		stop() {
			leaving.abort();
		},
		acknowledged: () => acknowledged,
		answered: () => answered,
		ended: Promise.all(Array.from({length: clients}, async (_, client) => drive(client))),
	};
};
