/**
 * A journal that is closed only by the identity that opened it. An application may give one journal
 * to two identities by mistake: the second is refused, and must not close it for the first.
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

	/** Closes the journal if `open` succeeded here; waits for an `open` in progress. */
	async release(): Promise<void> {
		await this.#opening;
		if (this.#isOpen) {
			await this.close();
		}
	}
}
