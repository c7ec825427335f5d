/**
 * A new journal that replaces an old one: a file beside it, with the unchanged records and the replacing ones. SQLite
 * leaves deleted data in free pages, in gaps of other pages and in its write-ahead log; a file that never had the data
 * has none of it.
 *
 * Until the new file gets the name of the old one, nothing has changed: a draft that a kill leaves is removed at the next
 * opening.
 */
import {renameSync} from 'node:fs';
import {orUndoNow} from '../../platform/errors.ts';
import {syncFolder} from '../../platform/files/folders.ts';
import type {EncodedRecord, NumberedRow} from '../rows.ts';
import {databasePath, draftFolder, removeDraft} from './database.ts';
import {removeDigests} from './digest-file.ts';
import type {DraftEnd} from './thread-messages.ts';
import {requireEmptyLog} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

const pageSize = 256;

export class JournalDraft {
	readonly #folder: string;
	readonly #original: JournalWriter;
	readonly #draft: JournalWriter;
	/** The newest record in the draft. */
	#last = 0;

	constructor(folder: string, original: JournalWriter) {
		removeDraft(folder);
		this.#folder = folder;
		this.#original = original;
		this.#draft = new JournalWriter(draftFolder(folder));
		orUndoNow(() => this.#draft.begin(original.describe().genesis), () => this.#draft.close());
	}

	/** Writes the records up to the last of the changes, which replace the original's. */
	write(changes: readonly NumberedRow[]): void {
		this.#copyUpTo(changes.at(-1)?.seq ?? this.#last, new Map(changes.map(row => [row.seq, row])));
	}

	/** Writes held texts: as their records in the draft are, or as given if those were compacted or are not written yet. */
	writeWaiting(rows: readonly NumberedRow[]): void {
		this.#draft.copy({held: rows.map(row => {
			const [record] = this.#draft.read('read', row.seq, 1);
			return record?.kind === 'held' && record.seq === row.seq ? record : row;
		})});
	}

	/** Writes the remaining records and the new one, and gives the file its name. Then both writers are closed. */
	finish(row: EncodedRecord, {revisions, validation}: DraftEnd): void {
		const {last, compacted} = this.#original.describe().head;
		this.#copyUpTo(last);
		const kept = validation === undefined ? this.#original.read('validation') : validation;
		this.#draft.copy({validation: kept, revisions, head: {last, compacted, validation: kept?.seq ?? 0}});
		this.#draft.append([row]);
		this.#draft.close();
		// Only the file gets the name. Data left in its log would be lost, and the original with it.
		requireEmptyLog(draftFolder(this.#folder), 'The journal stays as it was: the new one');
		this.#original.close();
		requireEmptyLog(this.#folder, 'The journal stays as it was: it');

		removeDigests(this.#folder);
		// The digests are certainly gone before the new file stands beside them.
		syncFolder(this.#folder);
		renameSync(databasePath(draftFolder(this.#folder)), databasePath(this.#folder));
		syncFolder(this.#folder);
		removeDraft(this.#folder);
	}

	/** Removes the draft: the original stays as it is. */
	cancel(): void {
		try {
			this.#draft.close();
		} finally {
			removeDraft(this.#folder);
		}
	}

	#copyUpTo(end: number, changed: ReadonlyMap<number, NumberedRow> = new Map()): void {
		while (this.#last < end) {
			const page = this.#original.read('read', this.#last + 1, Math.min(pageSize, end - this.#last)).filter(({seq}) => seq <= end);
			this.#last = page.at(-1)!.seq;
			const records = page.map(row => changed.get(row.seq) ?? row);
			this.#draft.copy({records, head: {last: this.#last, compacted: 0, validation: 0}});
		}
	}
}
