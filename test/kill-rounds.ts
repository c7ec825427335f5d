/**
 * Proof by killing: the real service is driven by several clients, killed at random moments and
 * started again on the same folder; its journal is compared with what the clients were told.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {JournalReader} from '../src/journal/reader.ts';
import type {ReadCycle} from '../src/journal/rows.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {measureDissonance} from '../src/semiosis/dissonance.ts';
import {applyFixation, fixate} from '../src/semiosis/fixation.ts';
import {dimensions} from '../src/tensor/dimensions.ts';
import type {StateTensor} from '../src/tensor/state-tensor.ts';
import {mulberry32} from './actors/fixtures.ts';
import {postCycle, startServer, type ServerProcess} from './server-process.ts';

export type KillOptions = {
	rounds: number;
	seed: number;
	/** DATA_DIR of every start; empty at first. */
	folder: string;
	/** Rounds between two comparisons of the whole journal; there is one after the last in any case. */
	compareEvery?: number;
	/** Hears of every comparison. */
	onComparison?: (findings: KillFindings) => void;
};

/** Figures of a run; everything from `lost` on must be 0. */
export type KillFindings = {
	rounds: number;
	/** Cycles that a client was told to be done. */
	acknowledged: number;
	/** Cycles whose answer was cut off by a kill: wholly in the journal, or not at all. */
	cutOffAndKept: number;
	cutOffAndGone: number;
	/** In the journal. */
	resets: number;

	/** Acknowledged cycles and resets that are not in the journal. */
	lost: number;
	/** Cycles that are in the journal more than once, and resets more than were sent. */
	doubled: number;
	/** Records of one client in another order than that in which it sent them. */
	outOfOrder: number;
	/** Cycles that were acknowledged with another state id than their record's. */
	misnamed: number;
	/** Records whose row or measures are not, bit for bit, what the rules make of the genesis and all inputs up to them. */
	replayMismatch: number;
	/** Starts after which GET /state tells another state than the journal's last. */
	restartMismatch: number;
	/** Answers but 200, and connections that broke before the kill. */
	refused: number;
};

/** A cycle that a client sent: its place among all that were sent, and the state id it was answered with, null without an answer. */
type Sent = {client: number; order: number; stateId: number | null};

/** What the clients know. */
type Known = {
	/** By content. */
	cycles: Map<string, Sent>;
	resets: {sent: number; acknowledged: number};
	refused: number;
};

/**
 * Runs the rounds. Each starts the service, lets 4 to 8 clients post as fast as they are
 * answered, and kills it 20 to 400 ms after it was ready.
 *
 * @throws {JournalError} when the journal is damaged or has a record that is not whole.
 */
export const killRounds = async ({rounds, seed, folder, compareEvery = 10, onComparison}: KillOptions): Promise<KillFindings> => {
	const random = mulberry32(seed);
	const journal = path.join(folder, 'journal');
	const known: Known = {cycles: new Map(), resets: {sent: 0, acknowledged: 0}, refused: 0};
	let restartMismatch = 0;
	for (let round = 1; ; round++) {
		const left = round === 1 ? null : lastState(journal);
		await using server = startServer(folder, {KERNEL: 'wasm'});
		const url = await server.ready();
		restartMismatch += Number(left !== null && !await tells(url, left));
		// One start more than rounds: what the last kill left must be found, too.
		const isOver = round > rounds;
		if (!isOver) {
			await driveAndKill(server, url, {round, clients: 4 + Math.floor(random() * 5), milliseconds: 20 + random() * 380}, known);
		}

		await server.kill();
		if (isOver || round % compareEvery === 0) {
			const findings = {rounds: Math.min(round, rounds), ...await compare(journal, known), restartMismatch};
			onComparison?.(findings);
			if (isOver) {
				return findings;
			}
		}
	}
};

type Round = {round: number; clients: number; milliseconds: number};

const driveAndKill = async (server: ServerProcess, url: string, {round, clients, milliseconds}: Round, known: Known): Promise<void> => {
	let isKilled = false;
	const kill = async (): Promise<void> => {
		await setTimeout(milliseconds);
		isKilled = true;
		await server.kill();
	};

	/** One thing after another until the kill; in every third round the first client resets, at once or after its first cycle. */
	const drive = async (client: number): Promise<void> => {
		try {
			for (let n = 0; ; n++) {
				await (client === 0 && round % 3 === 0 && n === round % 2
					? postReset(url, known)
					: postNext(url, client, `client ${client}, round ${round}, thought ${n}`, known));
			}
		} catch {
			known.refused += Number(!isKilled);
		}
	};

	await Promise.all([kill(), ...Array.from({length: clients}, async (_, client) => drive(client))]);
};

const postNext = async (url: string, client: number, content: string, {cycles}: Known): Promise<void> => {
	const sent: Sent = {client, order: cycles.size, stateId: null};
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

const lastState = (journal: string): StateTensor => {
	using reader = new JournalReader(journal);
	return reader.stateAfter(reader.records);
};

/** Whether GET /state shows this state. */
const tells = async (url: string, {stateId, timestamp, rows}: StateTensor): Promise<boolean> => {
	const told = await (await fetch(`${url}/state`)).json();
	const shown = Object.fromEntries(dimensions.map((dimension, d) => [dimension, [...rows[d]!.subarray(0, 10)]]));
	return isDeepStrictEqual(told, {state_id: stateId, timestamp, dimensions: shown});
};

/** Reads the whole journal: every record against what the clients know, and against the replay from genesis on. */
const compare = async (journal: string, {cycles, resets, refused}: Known): Promise<Omit<KillFindings, 'rounds' | 'restartMismatch'>> => {
	using reader = new JournalReader(journal);
	const found = {resets: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0};
	const seen = new Set<Sent>();
	const newest = new Map<number, number>();
	let state = reader.genesis.initial;
	for await (const {record} of reader.replay()) {
		if (record.kind === 'reset') {
			found.resets++;
			state = reader.genesis.initial;
			continue;
		}

		assert(record.kind === 'cycle', `nobody asked for a record of the kind ${record.kind}`);
		const sent = cycles.get(record.words.content);
		assert(sent, `nobody sent “${record.words.content}”`);
		found.doubled += Number(seen.has(sent));
		found.outOfOrder += Number(sent.order < (newest.get(sent.client) ?? 0));
		found.misnamed += Number(sent.stateId !== null && sent.stateId !== record.stateId);
		seen.add(sent);
		newest.set(sent.client, sent.order);

		const {next, ...measures} = follow(state, record);
		const isSame = next.stateId === record.stateId
			&& isDeepStrictEqual(next.row('thirdness'), record.thirdness)
			&& isDeepStrictEqual(measures, measuresOf(record));
		found.replayMismatch += Number(!isSame);
		state = next;
	}

	const acknowledged = [...cycles.values()].filter(({stateId}) => stateId !== null);
	const cutOffAndKept = [...seen].filter(({stateId}) => stateId === null).length;
	return {
		...found,
		refused,
		acknowledged: acknowledged.length,
		cutOffAndKept,
		cutOffAndGone: cycles.size - acknowledged.length - cutOffAndKept,
		lost: acknowledged.filter(sent => !seen.has(sent)).length + Math.max(0, resets.acknowledged - found.resets),
		doubled: found.doubled + Math.max(0, found.resets - resets.sent),
	};
};

/** The servers' kernel: bits are only comparable between the same. */
const kernel = selectKernel('wasm');

type Measures = Pick<ReadCycle, 'scores' | 'total' | 'choc' | 'deltaMagnitude' | 'contributions'>;

const measuresOf = ({scores, total, choc, deltaMagnitude, contributions}: ReadCycle): Measures =>
	({scores, total, choc, deltaMagnitude, contributions});

/** What the rules make of a state and a recorded input. */
const follow = (state: StateTensor, {vector, timestamp}: ReadCycle): {next: StateTensor} & Measures => {
	const {scores, total, choc, comparison} = measureDissonance(kernel, state.rows, vector);
	const {state: next, deltaMagnitude, contributions} = applyFixation(kernel, state, vector, fixate(kernel, vector, comparison), timestamp);
	return {next, scores, total, choc, deltaMagnitude, contributions};
};
