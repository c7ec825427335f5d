/**
 * One process's hold on a journal that an application may hand to several by mistake. The journal
 * refuses to be opened twice; a process that was refused must not close it for the other.
 */
import type {Genesis, Journal, JournalRecord, RestoredJournal} from './journal.ts';

export class OwnedJournal implements Journal {
	readonly #journal: Journal;
	#opening: Promise<unknown> = Promise.resolve();
	#isOpen = false;

	constructor(journal: Journal) {
		this.#journal = journal;
	}

	async open(): Promise<RestoredJournal | null> {
		const opened = this.#journal.open();
		this.#opening = opened.catch(() => {});
		const restored = await opened;
		this.#isOpen = true;
		return restored;
	}

	async begin(genesis: Genesis): Promise<void> {
		return this.#journal.begin(genesis);
	}

	async append(record: JournalRecord): Promise<void> {
		return this.#journal.append(record);
	}

	async close(): Promise<void> {
		this.#isOpen = false;
		return this.#journal.close();
	}

	/** Closes the journal when this process has opened it; waits for an opening under way. */
	async release(): Promise<void> {
		await this.#opening;
		if (this.#isOpen) {
			await this.close();
		}
	}
}
