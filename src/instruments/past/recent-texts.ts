/** The newest texts of an identity, with which a dry run compares a text. They are read on first use, and then only what is new. */
import type {NearText} from '../../generated/types.ts';
import {percentileAmong} from '../percentile.ts';
import {shownText} from '../run-ledger.ts';
import {saidAtOf} from '../source-of.ts';
import type {StoredCycle} from '../../journal/journal.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import {readBackwards, type PastJournal} from '../../journal/read-pages.ts';

/** The number of texts that are kept: 2 MB of vectors. */
const maxTexts = 500;

/** The number of nearest texts that are named. */
const maxNearest = 5;

type RecentText = Pick<StoredCycle, 'id' | 'timestamp' | 'vector' | 'total'> & {content: string | null};

export class RecentTexts {
	readonly #journal: PastJournal;
	readonly #kernel: Kernel;
	#texts: RecentText[] = [];
	/** The newest record that was read; 0 before the first. */
	#last = 0;
	#reading: Promise<void> = Promise.resolve();
	/** The number of forgettings so far. A read that one overtakes is dropped and repeated. */
	#forgotten = 0;

	/** @param kernel A kernel that no other search uses, because it caches the vectors of its last search. */
	constructor(journal: PastJournal, kernel: Kernel) {
		this.#journal = journal;
		this.#kernel = kernel;
	}

	/** Reads what is new. @throws the errors of {@link PastJournal.read} */
	async refresh(): Promise<void> {
		if (this.#last !== this.#journal.records) {
			const reading = this.#reading.then(async () => this.#read());
			this.#reading = reading.catch(() => {});
			await reading;
		}
	}

	/** Drops all texts after a forgetting: some are gone, and others have new measures. The next refresh reads again. */
	forget(): void {
		this.#forgotten++;
		this.#last = 0;
		this.#texts = [];
	}

	/** The share of the texts with a lower dissonance total; null with fewer than 50 texts. */
	percentileOf(total: number): number | null {
		return percentileAmong(this.#texts.map(text => text.total), total);
	}

	nearest(vector: Float32Array): NearText[] {
		return this.#kernel.nearest(vector, this.#texts.map(text => text.vector), maxNearest).map(({place, cosine}) => {
			const {id, timestamp, content} = this.#texts[place]!;
			return {id, timestamp, cosine, content};
		});
	}

	async #read(): Promise<void> {
		const {records} = this.#journal;
		const forgotten = this.#forgotten;
		const fresh: RecentText[] = [];
		for await (const {record} of readBackwards(this.#journal, undefined, {after: this.#last, upTo: records})) {
			if (record.kind === 'cycle' && fresh.push(toRecent(record)) === maxTexts) {
				break;
			}
		}

		if (forgotten !== this.#forgotten) {
			return this.#read();
		}

		this.#last = records;
		this.#texts = [...this.#texts, ...fresh.toReversed()].slice(-maxTexts);
	}
}

const toRecent = (cycle: StoredCycle): RecentText => {
	const {id, vector, total} = cycle;
	return {id, timestamp: saidAtOf(cycle), vector, total, content: shownText(cycle)};
};
