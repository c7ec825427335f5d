/**
 * Rounds of kills: several clients drive the real service, which is killed at random moments and
 * started again on the same folder; its journal is compared with the clients' answers.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {mulberry32} from '../actors/fixtures.ts';
import {compareJournal, lastState, showsState, type Comparison, type Known, type Sent} from './compare-journal.ts';
import {postCycle, startServer, type ServerProcess} from './server-process.ts';

export type KillOptions = {
	rounds: number;
	seed: number;
	/** DATA_DIR of every start; empty at first. */
	folder: string;
	/** Called with every comparison. */
	onComparison?: (findings: KillFindings) => void;
};

/** Figures of a run; everything from `lost` on must be 0. */
export type KillFindings = Comparison & {
	rounds: number;
	/** Starts after which GET /state shows a state other than the journal's last. */
	restartMismatch: number;
	/** Answers other than 200, and connections that broke before the kill. */
	refused: number;
};

type KnownHere = Known & {refused: number};

/** Rounds between two comparisons of the whole journal; another one follows the last round. */
const compareEvery = 10;

/**
 * Runs the rounds. Each starts the service, lets 4 to 8 clients post as fast as they are
 * answered, and kills it up to 20 ms after a random number of answers, at most 40: answers are
 * counted because a busy machine may give none in a fixed time.
 *
 * @throws {JournalError} when the journal is damaged or has an incomplete record.
 */
export const killRounds = async ({rounds, seed, folder, onComparison}: KillOptions): Promise<KillFindings> => {
	const random = mulberry32(seed);
	const journal = path.join(folder, 'journal');
	const known: KnownHere = {cycles: new Map(), resets: {sent: 0, acknowledged: 0}, refused: 0};
	let restartMismatch = 0;
	for (let round = 1; ; round++) {
		const left = round === 1 ? null : lastState(journal);
		await using server = startServer(folder, {KERNEL: 'wasm'});
		const url = await server.ready();
		restartMismatch += Number(left !== null && !await showsState(url, left));
		// One start more than rounds, to check what the last kill left.
		const isOver = round > rounds;
		if (!isOver) {
			await driveAndKill(
				server,
				url,
				{round, clients: 4 + Math.floor(random() * 5), answers: Math.floor(random() * 41), milliseconds: random() * 20},
				known,
			);
		}

		await server.kill();
		if (isOver || round % compareEvery === 0) {
			const findings = {rounds: Math.min(round, rounds), ...await compareJournal(journal, known), refused: known.refused, restartMismatch};
			onComparison?.(findings);
			if (isOver) {
				return findings;
			}
		}
	}
};

type Round = {round: number; clients: number; answers: number; milliseconds: number};

const driveAndKill = async (
	server: ServerProcess,
	url: string,
	{round, clients, answers, milliseconds}: Round,
	known: KnownHere,
): Promise<void> => {
	let isKilled = false;
	let answered = 0;
	const {promise: isDue, resolve: setDue} = Promise.withResolvers<void>();
	const kill = async (driven: Promise<unknown>): Promise<void> => {
		await Promise.race([isDue, driven]);
		await setTimeout(milliseconds);
		isKilled = true;
		await server.kill();
	};

	/** Posts one request after another until the kill; in every third round the first client resets, at once or after its first cycle. */
	const drive = async (client: number): Promise<void> => {
		try {
			for (let n = 0; ; n++) {
				if (answered >= answers) {
					setDue();
				}

				await (client === 0 && round % 3 === 0 && n === round % 2
					? postReset(url, known)
					: postNext(url, client, `client ${client}, round ${round}, thought ${n}`, known));
				answered++;
			}
		} catch {
			known.refused += Number(!isKilled);
		}
	};

	const driven = Promise.all(Array.from({length: clients}, async (_, client) => drive(client)));
	await Promise.all([kill(driven), driven]);
};

const postNext = async (url: string, client: number, content: string, {cycles}: Known): Promise<void> => {
	const sent: Sent = {client, order: cycles.size, stateId: null, isRefused: false};
	cycles.set(content, sent);
	const {status, body} = await postCycle(url, content);
	assert.equal(status, 200);
	sent.stateId = body.state_id;
};

const postReset = async (url: string, {resets}: Known): Promise<void> => {
	resets.sent++;
	const response = await fetch(`${url}/reset`, {method: 'POST'});
	await response.json();
	assert.equal(response.status, 200);
	resets.acknowledged++;
};
