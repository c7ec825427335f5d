/**
 * Rebuilds the state under another model: embeds the journal's texts again and replays every cycle
 * in order, from the same initial state, into a new journal. The old one is kept beside it.
 *
 * Ids, times, triggers and counters stay the same; vectors, scores, rows and drift are the
 * new model's. The initial state and the reference stay as they are. A validation is made again from
 * the same texts.
 */
import {existsSync, statSync} from 'node:fs';
import {copyFile, link, mkdir, rename, rm} from 'node:fs/promises';
import {passportOf, type Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, JournalError} from '../errors.ts';
import {folderMode} from '../files/folders.ts';
import {findFreeName} from '../files/free-name.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import type {BaselineText, CycleRecord, Journal, StoredCycle} from '../journal/journal.ts';
import {highWaterMarkPath} from '../journal/sqlite/high-water-mark.ts';
import {JournalReader} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {logPath} from '../journal/sqlite/write-ahead-log.ts';
import {defaultBaseline, toBaselineText} from '../instruments/baseline.ts';
import {replay, startReplay} from '../instruments/replay.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {minimalAuthority, proposalsOf, type Authority} from '../semiosis/fixation.ts';

type Options = {
	/** The journal's folder, which no other process may have open. */
	folder: string;
	encoder: Encoder;
	kernel: Kernel;
	/** Authority, embedded with the new model; the minimal authority by default. */
	authority?: Authority;
	/** Finds the vectors that science compares a text with; none by default. */
	corroborate?: ((vector: Float32Array) => Promise<ReadonlyArray<Float32Array | null>>) | null;
	onProgress?: ((done: number, total: number) => void) | undefined;
};

type Reembedded = {
	cycles: number;
	stateId: number;
	/** Folder of the old journal. */
	oldFolder: string;
};

/**
 * @throws {ConfigurationError} if the journal already belongs to this model, or texts are missing.
 * @throws {JournalError} if the old journal cannot be read or the new one cannot be written; the old one is then unchanged.
 */
export const reembedJournal = async ({folder, ...deps}: Options): Promise<Reembedded> => {
	await checkpointLog(folder);
	const fresh = `${folder}.new`;
	// An earlier attempt that was killed may have left it.
	await rm(fresh, {recursive: true, force: true});

	const journal = createSqliteJournal({folder: fresh});
	// While it is open, no service can open the old journal: records that it acknowledged would be lost.
	const reader = new JournalReader(folder);
	try {
		requireEmptyLog(folder);
		let outcome: Omit<Reembedded, 'oldFolder'>;
		try {
			await requireTexts(reader, deps.encoder);
			outcome = await replayCycles(reader, journal, deps);
		} finally {
			await journal.close();
		}

		if (hasLog(fresh)) {
			throw new JournalError(`The new journal ${fresh} could not be written completely. Check the disk and its free space, then try again.`, {retryable: true});
		}

		const oldFolder = findFreeName(folder);
		await linkOld(folder, oldFolder);
		// One rename replaces the journal: a kill before it leaves the old one, after it the new one.
		await rename(databasePath(fresh), databasePath(folder));
		await rm(fresh, {recursive: true, force: true});
		return {...outcome, oldFolder};
	} finally {
		reader.close();
	}
};

/**
 * Gives the old journal a second name, by a hard link: closing a copied file would release the
 * reader's lock on it. Only file systems without hard links get a copy.
 */
const linkOld = async (folder: string, oldFolder: string): Promise<void> => {
	await mkdir(oldFolder, folderMode);
	try {
		await link(databasePath(folder), databasePath(oldFolder));
	} catch {
		await copyFile(databasePath(folder), databasePath(oldFolder));
	}

	if (existsSync(highWaterMarkPath(folder))) {
		await copyFile(highWaterMarkPath(folder), highWaterMarkPath(oldFolder));
	}
};

/**
 * Moves what a kill left in the write-ahead log into the database. After the rename, SQLite would
 * apply the old log to the new file.
 */
const checkpointLog = async (folder: string): Promise<void> => {
	// Throws if there is no journal; opening it for writing would make one.
	new JournalReader(folder).close();
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.close();
};

/** @throws {JournalError} if a service was started and killed since, which leaves records in the log. */
const requireEmptyLog = (folder: string): void => {
	if (hasLog(folder)) {
		throw new JournalError(`The journal in ${folder} has records in its write-ahead log. Start the service on it once, stop it, and try again.`);
	}
};

/** Whether a closed journal has records in its write-ahead log. */
const hasLog = (folder: string): boolean => Boolean(statSync(logPath(folder), {throwIfNoEntry: false})?.size);

const requireTexts = async (reader: JournalReader, encoder: Encoder): Promise<void> => {
	const passport = passportOf(encoder);
	if (JSON.stringify(reader.genesis.passport) === JSON.stringify(passport)) {
		throw new ConfigurationError(`The journal already belongs to “${passport.model}”. Set EMBEDDING_MODEL to the new model.`);
	}

	let missing = reader.compacted;
	for await (const {record} of reader.replay({from: reader.compacted + 1})) {
		if (record.kind === 'cycle' && record.isHashed) {
			missing++;
		}
	}

	if (missing > 0) {
		throw new ConfigurationError(`The texts of ${missing} of ${reader.records} records are gone (hashed or compacted), so the state cannot be rebuilt under another model. Keep the first model, or start a new identity in another DATA_DIR.`);
	}
};

const replayCycles = async (reader: JournalReader, journal: Journal, {encoder, kernel, authority = minimalAuthority, corroborate, onProgress}: Omit<Options, 'folder'>): Promise<Omit<Reembedded, 'oldFolder'>> => {
	const {initial, reference, isRandom} = reader.genesis;
	const rules = {kernel, authority, reference, initial};
	let working = startReplay(rules);
	/** The texts that the next validation may be made of. */
	let recent: BaselineText[] = [];
	let cycles = 0;
	await journal.open();
	await journal.begin({initial, reference, passport: passportOf(encoder), isRandom});

	for await (const {seq, record} of reader.replay()) {
		if (record.kind === 'cycle') {
			const vector = await encoder.embed(record.content);
			const text = {kind: record.kind, timestamp: record.timestamp, vector, corroborating: await corroborate?.(vector)};
			let appended: Promise<void> | undefined;
			working = replay(rules, working, [text], ({state, vigilance, measures, fixation}) => {
				const made: CycleRecord = {
					...withText(record),
					vector,
					...measures,
					proposals: proposalsOf(fixation),
					stateId: state.stateId,
					thirdness: state.row('thirdness'),
					checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
				};
				recent = [...recent, toBaselineText({...made, isHashed: false})].slice(-defaultBaseline);
				appended = journal.append(made);
			});
			await appended;
			cycles++;
		} else if (record.kind === 'validation') {
			const {timestamp} = working.state;
			await journal.append({...record, anchor: {timestamp, thirdness: working.state.row('thirdness')}, texts: recent.slice(-record.baseline.texts)});
		} else if (record.kind !== 'snapshot') {
			working = replay(rules, working, [record]);
			await journal.append(record);
		}

		onProgress?.(seq, reader.records);
	}

	return {cycles, stateId: working.state.stateId};
};

/** @throws {ConfigurationError} for a record without its text, which {@link requireTexts} excludes. */
const withText = (record: StoredCycle): CycleRecord => {
	if (record.isHashed) {
		throw new ConfigurationError('The text of a record is gone.');
	}

	return record;
};
