/**
 * Makes records durable by commits. With `synchronous = full` SQLite syncs the write-ahead log in
 * each commit, so committed data survives a kill and a power cut.
 *
 * A failed commit leaves nothing: what it wrote to the log is cut off before its error is thrown.
 * If the cut fails too, `pendingCut` says where to cut before the log is read again.
 */
import type {DatabaseSync} from 'node:sqlite';
import {orUndoNow} from '../../platform/errors.ts';
import {CommitCounter, cutLog, findGoodPosition, type LogPosition} from './write-ahead-log.ts';

export class DurableCommits {
	readonly #folder: string;
	readonly #database: DatabaseSync;
	readonly #counter: CommitCounter;
	#pendingCut: LogPosition | null = null;

	/** @param database Its write-ahead log must be empty. */
	constructor(folder: string, database: DatabaseSync) {
		this.#folder = folder;
		this.#database = database;
		this.#counter = new CommitCounter(folder);
	}

	/** Where the log must be cut before it is read again; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/** Runs `work`, which must write something, in a transaction. When this returns, its writes are durable. */
	commit<Result>(work: () => Result): Result {
		this.#counter.catchUp();
		const result = orUndoNow(() => runTransaction(this.#database, work), () => this.#cut());
		this.#counter.increment();
		return result;
	}

	close(): void {
		this.#counter.close();
	}

	/** Tries twice: a disk that failed once may not fail again. */
	#cut(): void {
		for (let tries = 2; tries > 0; tries--) {
			try {
				this.#pendingCut ??= findGoodPosition(this.#folder, this.#counter.position);
				cutLog(this.#folder, this.#pendingCut);
				this.#pendingCut = null;
				return;
			} catch {
				// The next writer cuts at `pendingCut`.
			}
		}
	}
}

/** Commits what `work` writes, or rolls it back and throws. */
export const runTransaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
	database.exec('begin immediate');
	return orUndoNow(() => {
		const result = work();
		database.exec('commit');
		return result;
	}, () => {
		// After some errors, such as a full disk, SQLite has rolled back already.
		if (database.isTransaction) {
			database.exec('rollback');
		}
	});
};
