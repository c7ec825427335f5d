/**
 * A journal that takes the place of another one: a new file beside it, with the records that stay as they are and those
 * that others take the place of. SQLite leaves what was deleted in free pages, in the gaps of others and in its
 * write-ahead log; in a file that never had it there is none of it.
 *
 * Until the new file gets the name of the old one, nothing has changed: what a kill leaves of a draft is removed at the
 * next opening.
 */
import {existsSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {orUndoNow} from '../../platform/errors.ts';
import {syncFolder} from '../../platform/files/folders.ts';
import type {EncodedRecord, NumberedRow} from '../record-codec.ts';
import {databasePath} from './database.ts';
import {removeDigests} from './digest-file.ts';
import type {DraftEnd} from './thread-messages.ts';
import {requireEmptyLog} from './write-ahead-log.ts';
import type {JournalWriter} from './writer.ts';

const pageSize = 256;

const draftFolder = (folder: string): string => path.join(folder, '.draft');

/** Removes what a kill left. */
export const removeDraft = (folder: string): void => {
	if (existsSync(draftFolder(folder))) {
		rmSync(draftFolder(folder), {recursive: true});
		syncFolder(folder);
	}
};

export class JournalDraft {
	readonly #folder: string;
	readonly #original: JournalWriter;
	readonly #draft: JournalWriter;
	/** The newest record that is written. */
	#last = 0;
	/** Whether the texts that wait are written. */
	#hasWaiting = false;

	/** @param open Opens a journal in a folder. */
	constructor(folder: string, original: JournalWriter, open: (folder: string) => JournalWriter) {
		removeDraft(folder);
		this.#folder = folder;
		this.#original = original;
		this.#draft = open(draftFolder(folder));
		orUndoNow(() => this.#draft.begin(original.describe().genesis), () => this.#draft.close());
	}

	/** Writes the records up to the last of these, which take the place of the original's. */
	write(changes: readonly NumberedRow[]): void {
		const changed = new Map(changes.map(row => [row.seq, row]));
		const end = changes.at(-1)?.seq ?? this.#last;
		while (this.#last < end) {
			const page = this.#original.read('read', this.#last + 1, Math.min(pageSize, end - this.#last)).filter(({seq}) => seq <= end);
			this.#copy(page.map(row => changed.get(row.seq) ?? row));
		}
	}

	/** Writes what is left, and the last record, and gives the file its name. Both writers are closed then. */
	finish(row: EncodedRecord, {revisions, validation, settled}: DraftEnd): void {
		const {last, compacted} = this.#original.describe().head;
		while (this.#last < last) {
			this.#copy(this.#original.read('read', this.#last + 1, pageSize));
		}

		if (!this.#hasWaiting) {
			this.#copyHeld(new Set(settled));
		}

		const kept = validation === undefined ? this.#original.read('validation') : validation;
		this.#draft.copy([], {last, compacted, validation: kept?.seq ?? 0}, {validation: kept, revisions});
		this.#draft.append([row]);
		this.#draft.close();
		// The file alone gets the name. What is left in its log would be lost, and the original with it.
		requireEmptyLog(draftFolder(this.#folder), 'The journal stays as it was: the new one');
		this.#original.close();
		requireEmptyLog(this.#folder, 'The journal stays as it was: it');

		removeDigests(this.#folder);
		// Both are gone for certain before another file stands beside them.
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

	/** Texts that wait are records too: as they are from then on, unless theirs were compacted. */
	writeWaiting(rows: readonly NumberedRow[]): void {
		this.#hasWaiting = true;
		this.#draft.copyHeld(rows.map(row => {
			const [record] = this.#draft.read('read', row.seq, 1);
			return record?.kind === 'held' && record.seq === row.seq ? record : row;
		}));
	}

	#copyHeld(gone: ReadonlySet<number>): void {
		const read = (after: number) => this.#original.read('held', after, pageSize);
		for (let page = read(0); page.length > 0; page = read(page.at(-1)!.seq)) {
			this.writeWaiting(page.filter(({seq}) => !gone.has(seq)));
		}
	}

	#copy(page: readonly NumberedRow[]): void {
		this.#last = page.at(-1)!.seq;
		this.#draft.copy(page, {last: this.#last, compacted: 0, validation: 0});
	}
}
