/** Compares a journal with the answers of clients, and with a replay of its inputs from genesis on. */
import assert from 'node:assert/strict';
import {isDeepStrictEqual} from 'node:util';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import type {Genesis, JournalEntry, StoredCycle} from '../../src/journal/journal.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {runCycle, type CycleMeasures, type WorkingState} from '../../src/semiosis/run-cycle.ts';
import {startVigilance} from '../../src/semiosis/vigilance.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';

/**
 * A cycle that a client sent: its place among all that were sent, the state id of its answer,
 * null without one, whether it was answered with an error, and whether its loss was reported.
 */
export type Sent = {client: number; order: number; stateId: number | null; isRefused: boolean; isReportedLost?: boolean};

/** What the clients know. */
export type Known = {
	/** By content. */
	cycles: Map<string, Sent>;
	resets: {sent: number; acknowledged: number};
};

/** Everything from `lost` on must be 0. */
export type Comparison = {
	/** Cycles that were answered with a state. */
	acknowledged: number;
	/** Cycles whose answer was cut off by a kill: wholly in the journal, or not at all. */
	cutOffAndKept: number;
	cutOffAndGone: number;
	/** In the journal. */
	resets: number;

	/** Acknowledged cycles and resets that are not in the journal, and whose loss was not reported. */
	lost: number;
	/** Cycles that are in the journal more than once, and resets more than were sent. */
	doubled: number;
	/** Cycles that were answered with an error and are in the journal. */
	refusedAndKept: number;
	/** Records of one client in an order other than that in which it sent them. */
	outOfOrder: number;
	/** Cycles that were acknowledged with a state id other than their record's. */
	misnamed: number;
	/** Records whose row or measures differ in any bit from a replay of the genesis and all inputs up to them. */
	replayMismatch: number;
};

export const lastState = (journal: string): StateTensor => {
	using reader = new JournalReader(journal);
	return reader.stateAfter(reader.records);
};

/** Whether GET /state shows this state. */
export const showsState = async (url: string, {stateId, timestamp, rows}: StateTensor): Promise<boolean> => {
	const shownState = await (await fetch(`${url}/state`)).json();
	const shown = Object.fromEntries(dimensions.map((dimension, d) => [dimension, [...rows[d]!.subarray(0, 10)]]));
	return isDeepStrictEqual(shownState, {state_id: stateId, timestamp, dimensions: shown});
};

/** Reads the whole journal in a folder, as {@link compareRecords} does. */
export const compareJournal = async (journal: string, known: Known): Promise<Comparison> => {
	using reader = new JournalReader(journal);
	// Awaited, so that the reader is open until all is read.
	return await compareRecords(reader.genesis, reader.replay(), known);
};

/**
 * Compares every record with what the clients know, and with a replay from genesis on. Cycles of the loop are
 * only replayed, since no client knows them.
 */
export const compareRecords = async (
	{initial, reference}: Genesis,
	records: AsyncIterable<JournalEntry>,
	{cycles, resets}: Known,
): Promise<Comparison> => {
	const found = {resets: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0};
	const seen = new Set<Sent>();
	const newest = new Map<number, number>();
	const rules = {kernel, authority: minimalAuthority, reference};
	const beginning: WorkingState = {state: initial, vigilance: startVigilance(kernel, initial.rows, reference.rows)};
	let working = beginning;
	for await (const {record} of records) {
		if (record.kind === 'daemon.started' || record.kind === 'daemon.stopped') {
			continue;
		}

		if (record.kind === 'reset') {
			found.resets++;
			working = beginning;
			continue;
		}

		assert(record.kind === 'cycle', `no request was for a record of the kind ${record.kind}`);
		if (record.origin === 'caller') {
			const sent = cycles.get(record.content);
			assert(sent, `no request sent “${record.content}”`);
			found.doubled += Number(seen.has(sent));
			found.outOfOrder += Number(sent.order < (newest.get(sent.client) ?? 0));
			found.misnamed += Number(sent.stateId !== null && sent.stateId !== record.stateId);
			seen.add(sent);
			newest.set(sent.client, sent.order);
		}

		const {measures, ...next} = runCycle(rules, working, record, record.timestamp);
		const isSame = next.state.stateId === record.stateId
			&& next.vigilance.report.cumulativeDrift === record.checkpoint.cumulativeDrift
			&& isDeepStrictEqual(next.state.row('thirdness'), record.thirdness)
			&& isDeepStrictEqual(measures, measuresOf(record));
		found.replayMismatch += Number(!isSame);
		working = next;
	}

	const acknowledged = [...cycles.values()].filter(({stateId}) => stateId !== null);
	const refused = [...cycles.values()].filter(({isRefused}) => isRefused);
	const refusedAndKept = refused.filter(sent => seen.has(sent)).length;
	const cutOffAndKept = [...seen].filter(({stateId, isRefused}) => stateId === null && !isRefused).length;
	return {
		...found,
		acknowledged: acknowledged.length,
		cutOffAndKept,
		cutOffAndGone: cycles.size - acknowledged.length - refused.length - cutOffAndKept,
		refusedAndKept,
		lost: acknowledged.filter(sent => !seen.has(sent) && !sent.isReportedLost).length + Math.max(0, resets.acknowledged - found.resets),
		doubled: found.doubled + Math.max(0, found.resets - resets.sent),
	};
};

/** The servers' kernel: only the same kernel gives the same bits. */
const kernel = selectKernel('wasm');

const measuresOf = ({scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level}: StoredCycle): CycleMeasures =>
	({scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level});
