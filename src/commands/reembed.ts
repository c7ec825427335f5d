/**
 * The state under another model: the journal's texts are embedded anew, and every cycle is run
 * again in its order, from the same beginning, into a new journal. The old one is kept beside.
 *
 * Ids, times, triggers and counters stay as they were; vectors, scores, rows and drift are the
 * new model's. The initial state and the reference are taken as they stand.
 */
import {existsSync, statSync} from 'node:fs';
import {copyFile, link, mkdir, rename, rm} from 'node:fs/promises';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, JournalError} from '../errors.ts';
import {folderMode} from '../files/folders.ts';
import {findFreeName} from '../files/free-name.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import type {CycleRecord, Journal} from '../journal/journal.ts';
import {highWaterMarkPath} from '../journal/sqlite/high-water-mark.ts';
import {JournalReader} from '../journal/sqlite/journal-reader.ts';
import type {StoredCycle} from '../journal/sqlite/codec.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {logPath} from '../journal/sqlite/write-ahead-log.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {minimalAuthority, type Authority} from '../semiosis/fixation.ts';
import {runCycle, type WorkingState} from '../semiosis/run-cycle.ts';
import {startVigilance} from '../semiosis/vigilance.ts';

type Options = {
	/** The journal's folder; no process may have it open. */
	folder: string;
	encoder: Encoder;
	kernel: Kernel;
	/** Under the new model, as the service has it; the minimal one unless given. */
	authority?: Authority;
	/** What science asks, as the service does; nothing unless given. */
	corroborate?: ((vector: Float32Array) => Promise<ReadonlyArray<Float32Array | null>>) | null;
	onProgress?: ((done: number, total: number) => void) | undefined;
};

export type Reembedded = {
	cycles: number;
	stateId: number;
	/** Where the old journal is kept. */
	kept: string;
};

/**
 * @throws {ConfigurationError} when the journal is this model's already, or texts that it would need are gone.
 * @throws {JournalError} when the journal cannot be read or the new one cannot be written; the old one then stands as it was.
 */
export const reembed = async ({folder, ...means}: Options): Promise<Reembedded> => {
	await settle(folder);
	const fresh = `${folder}.new`;
	// Left by an attempt that was cut off before it took the old journal's place.
	await rm(fresh, {recursive: true, force: true});

	const journal = createSqliteJournal({folder: fresh});
	// As long as it is open no service can open the old journal: what that acknowledged would be lost with it.
	const reader = new JournalReader(folder);
	try {
		requireSettled(folder);
		let outcome: Omit<Reembedded, 'kept'>;
		try {
			await requireTexts(reader, means.encoder);
			outcome = await runAgain(reader, journal, means);
		} finally {
			await journal.close();
		}

		if (hasLog(fresh)) {
			throw new JournalError(`The new journal ${fresh} could not be written whole. Check the disk and the room on it, then try again.`, {retryable: true});
		}

		const kept = findFreeName(folder);
		await keep(folder, kept);
		// One rename puts the new journal in place: a kill before it leaves the old one, after it the new one.
		await rename(databasePath(fresh), databasePath(folder));
		await rm(fresh, {recursive: true, force: true});
		return {...outcome, kept};
	} finally {
		reader.close();
	}
};

/**
 * Gives the old journal a second name. A copy would have to open the file, and closing it again
 * would drop the reader's lock with it: it is left for file systems without such names.
 */
const keep = async (folder: string, kept: string): Promise<void> => {
	await mkdir(kept, folderMode);
	try {
		await link(databasePath(folder), databasePath(kept));
	} catch {
		await copyFile(databasePath(folder), databasePath(kept));
	}

	if (existsSync(highWaterMarkPath(folder))) {
		await copyFile(highWaterMarkPath(folder), highWaterMarkPath(kept));
	}
};

/**
 * Brings what a kill left in the write-ahead log into the file: the log would be taken for the
 * new file's, once that has the old one's name.
 */
const settle = async (folder: string): Promise<void> => {
	// Says so when there is no journal, where opening it to write would make one.
	new JournalReader(folder).close();
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.close();
};

/** @throws {JournalError} when there is something in the log all the same, of a service that was killed since. */
const requireSettled = (folder: string): void => {
	if (hasLog(folder)) {
		throw new JournalError(`The journal in ${folder} keeps its write-ahead log. Start the service on it once, stop it, and try again.`);
	}
};

/** Whether a journal that no process has open keeps something in its write-ahead log. */
const hasLog = (folder: string): boolean => Boolean(statSync(logPath(folder), {throwIfNoEntry: false})?.size);

const requireTexts = async (reader: JournalReader, {passport}: Encoder): Promise<void> => {
	if (JSON.stringify(reader.genesis.passport) === JSON.stringify(passport)) {
		throw new ConfigurationError(`The journal is that of “${passport.model}” already. Name the new model with EMBEDDING_MODEL.`);
	}

	let missing = reader.compacted;
	for await (const {record} of reader.replay({from: reader.compacted + 1})) {
		if (record.kind === 'cycle' && record.isHashed) {
			missing++;
		}
	}

	if (missing > 0) {
		throw new ConfigurationError(`The texts of ${missing} of ${reader.records} records are gone (hashed or compacted), so the state cannot be rebuilt under another model. Keep the first model, or begin anew in another DATA_DIR.`);
	}
};

const runAgain = async (reader: JournalReader, journal: Journal, {encoder, kernel, authority = minimalAuthority, corroborate, onProgress}: Omit<Options, 'folder'>): Promise<Omit<Reembedded, 'kept'>> => {
	const {initial, reference, isRandom} = reader.genesis;
	const beginning: WorkingState = {state: initial, vigilance: startVigilance(kernel, initial.rows, reference.rows)};
	let working = beginning;
	let cycles = 0;
	await journal.open();
	await journal.begin({initial, reference, passport: encoder.passport, isRandom});

	for await (const {seq, record} of reader.replay()) {
		if (record.kind === 'cycle') {
			const vector = await encoder.embed(record.content);
			const text = {vector, corroborating: await corroborate?.(vector)};
			const {state, vigilance, measures} = runCycle({kernel, authority, reference}, working, text, record.timestamp);
			working = {state, vigilance};
			cycles++;
			await journal.append({
				...cycleOf(record),
				vector,
				...measures,
				stateId: state.stateId,
				thirdness: state.row('thirdness'),
				standing: {...record.standing, cumulativeDrift: vigilance.report.cumulativeDrift},
			});
		} else if (record.kind === 'reset') {
			working = beginning;
			await journal.append(record);
		} else if (record.kind !== 'snapshot') {
			await journal.append(record);
		}

		onProgress?.(seq, reader.records);
	}

	return {cycles, stateId: working.state.stateId};
};

/** The record as it was, with its texts, which are known to be there. */
const cycleOf = (record: StoredCycle): CycleRecord => {
	if (record.isHashed) {
		throw new ConfigurationError('The text of a record is gone.');
	}

	return record;
};
