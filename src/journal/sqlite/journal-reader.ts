/**
 * Reads a journal that no process has open, and never changes it: the state after any record, and
 * the records themselves, for a replay with other weights or another model.
 */
import {existsSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {JournalError, orUndoNow} from '../../platform/errors.ts';
import type {StateTensor} from '../../kernel/state-tensor.ts';
import type {DigestStore} from '../digest-store.ts';
import type {Checkpoint, Genesis, HeldEntry, JournalEntry} from '../journal.ts';
import type {Validation, ValidationFacts} from '../validation.ts';
import {decodeCheckpoint, decodeDecision, decodeEntry, decodeFacts, decodeGenesis, decodeState, decodeValidation} from '../record-codec.ts';
import type {TextsDecision} from '../revision.ts';
import {databasePath, describeJournal, openJournalToRead, verifyOpened} from './database.ts';
import {digestsIn} from './digest-file.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {lossError, toJournalError, withJournalErrors} from './journal-errors.ts';
import {KeyRing, noKeys} from '../key-ring.ts';
import {readOnlyDigests} from '../sealed-digests.ts';
import {openEncodedState, openRevision, openRow, openValidation} from '../sealing.ts';
import {ringInFile} from './key-file.ts';
import type {VerifiedReader} from './verified-reader.ts';

/** How many records are read at a time; other work gets the event loop between two batches. */
const batchSize = 64;

/**
 * Reads the journal in a folder, which no process may have open at the same time.
 *
 * @example
 * ```ts
 * import {JournalReader} from 'processual-state/journal';
 *
 * const reader = new JournalReader('./identity');
 * const {stateId, timestamp} = reader.stateAfter(reader.records);
 * console.log(`${reader.records} records; state ${stateId} since ${timestamp}`);
 * reader.close();
 * ```
 */
export class JournalReader {
	/** A copy: writing into it changes no state that is read. */
	readonly genesis: Genesis;
	/** How many records there are, compacted ones included. */
	readonly records: number;
	/** How many of the oldest records were compacted to snapshots. */
	readonly compacted: number;
	/** The newest validation in short; null without one. */
	readonly validated: ValidationFacts | null;
	/** Digests of its records; never written. */
	readonly digests: DigestStore;
	readonly #place: string;
	readonly #genesis: Genesis;
	readonly #database: DatabaseSync;
	readonly #reader: VerifiedReader;
	readonly #keys: KeyRing;

	/**
	 * @param options `keyFile`: the file with its keys, if texts are sealed.
	 * @throws {JournalError} when there is no journal in the folder, a process has it open, or it is damaged or of another version.
	 */
	constructor(folder: string, {keyFile}: {keyFile?: string | undefined} = {}) {
		this.#keys = keyFile === undefined ? new KeyRing(noKeys.store.place) : ringInFile(keyFile);
		this.#place = describeJournal(folder);
		const opened = withJournalErrors(this.#place, () => open(folder, this.#place));
		({database: this.#database, reader: this.#reader, genesis: this.#genesis, validated: this.validated} = opened);
		({last: this.records, compacted: this.compacted} = opened.head);
		const digests = {...digestsIn(folder, false), vectors: async (...asked: Parameters<VerifiedReader['vectors']>) =>
			withJournalErrors(this.#place, () => this.#reader.vectors(...asked))};
		this.digests = readOnlyDigests(digests, () => this.#keys);
		const {initial, reference} = this.#genesis;
		this.genesis = {...this.#genesis, initial: initial.copy(), reference: reference.copy()};
	}

	/**
	 * The state after a record, bit for bit; 0 gives the initial state. The caller owns its rows.
	 *
	 * @throws {JournalError} when there is no such record, it was compacted (the message names the nearest states), or it is damaged.
	 */
	stateAfter(seq: number): StateTensor {
		return withJournalErrors(this.#place, () => {
			const {state} = this.#reader.readAfter(seq);
			return decodeState(this.#genesis.initial, openEncodedState(this.#keys, state)).copy();
		});
	}

	/** The checkpoint after a record; null when no record up to it has one. @throws the errors of `stateAfter` */
	checkpointAfter(seq: number): Checkpoint | null {
		return withJournalErrors(this.#place, () => decodeCheckpoint(this.#reader.readAfter(seq).standing));
	}

	/** The state after the newest record. */
	get current(): StateTensor {
		return this.stateAfter(this.records);
	}

	/** The checkpoint after the newest record; null when no record has one. */
	get checkpoint(): Checkpoint | null {
		return this.checkpointAfter(this.records);
	}

	/**
	 * The records from a number onwards, in order, each verified. Compacted records come as snapshots.
	 *
	 * @throws {JournalError} at a damaged record, after those before it.
	 */
	async * replay({from = 1} = {}): AsyncGenerator<JournalEntry> {
		for (let seq = from - 1; seq < this.records;) {
			for (const entry of this.#readBatch(seq, batchSize)) {
				yield entry;
				seq = entry.seq;
			}

			await setImmediate();
		}
	}

	/** Reads as {@link Journal.read} does. */
	async read(from: number, count: number): Promise<JournalEntry[]> {
		return [...this.#readBatch(from - 1, count)];
	}

	/** Reads as {@link Journal.validation} does. */
	async validation(): Promise<Validation | null> {
		return withJournalErrors(this.#place, () => {
			const row = this.#reader.validation();
			return row && decodeValidation(openValidation(this.#keys, row));
		});
	}

	/** Reads as {@link Journal.decisions} does. */
	async decisions(): Promise<TextsDecision[]> {
		return withJournalErrors(this.#place, () => this.#reader.revisions().map(row => decodeDecision(openRevision(this.#keys, row))));
	}

	/** Reads as {@link Journal.held} does. */
	async held(after: number, count: number): Promise<HeldEntry[]> {
		return withJournalErrors(this.#place, () =>
			this.#reader.held(after, count).map(row => decodeEntry(openRow(this.#keys, row)) as HeldEntry));
	}

	/** How many texts wait. */
	countHeld(): number {
		return withJournalErrors(this.#place, () => this.#reader.countHeld());
	}

	/** Frees the file. */
	close(): void {
		this.#database.close();
	}

	/** Does what `close` does, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	* #readBatch(seq: number, count: number): Generator<JournalEntry> {
		try {
			for (const row of this.#reader.readForwards(seq, count)) {
				yield decodeEntry(openRow(this.#keys, row));
			}
		} catch (error) {
			throw toJournalError(error, this.#place);
		}
	}
}

/** No journal was begun in the folder. */
class MissingJournalError extends JournalError {
	override readonly name = 'MissingJournalError';
}

/**
 * Opens the journal in a folder if one was begun: a rejected start leaves an empty file.
 *
 * @returns null if no journal was begun and no record was acknowledged
 * @throws {JournalError} as {@link JournalReader} does for a journal that was begun
 */
export const openExistingJournal = (folder: string, keyFile?: string): JournalReader | null => {
	try {
		return new JournalReader(folder, {keyFile});
	} catch (error) {
		if (error instanceof MissingJournalError) {
			return null;
		}

		throw error;
	}
};

/** Reads a journal as {@link openExistingJournal} opens it, and closes it. */
export const readExistingJournal = <Result>(folder: string, read: (reader: JournalReader) => Result): Result | null => {
	using reader = openExistingJournal(folder);
	return reader && read(reader);
};

const open = (folder: string, place: string) => {
	const highWaterMark = readHighWaterMark(folder);
	const missingError = (what: string): JournalError => highWaterMark === null
		? new MissingJournalError(`${place} ${what}: no journal was begun in this folder.`)
		: lossError(place, null, highWaterMark);
	if (!existsSync(databasePath(folder))) {
		throw missingError('does not exist');
	}

	const opened = verifyOpened(openJournalToRead(folder), folder, place);
	if (!opened) {
		throw missingError('is empty');
	}

	return orUndoNow(() => ({
		...opened, genesis: decodeGenesis(opened.genesis), validated: opened.validation && decodeFacts(opened.validation),
	}), () => opened.database.close());
};
