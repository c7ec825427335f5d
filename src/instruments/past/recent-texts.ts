/**
 * The newest texts of an identity, which a dry run compares a text with. They are read when they
 * are first asked for, and then only what is new.
 */
import type {NearText} from '../../generated/types.ts';
import {percentileAmong} from '../percentile.ts';
import {shownText} from '../run-ledger.ts';
import {saidAtOf} from '../source-of.ts';
import type {StoredCycle} from '../../journal/journal.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import {readBackwards, readPages, type PastJournal} from '../../journal/read-pages.ts';

/** How many texts are compared with: 2 MB of vectors. */
const maxTexts = 500;

/** How many of the nearest are named. */
const maxNearest = 5;

type RecentText = Pick<StoredCycle, 'id' | 'timestamp' | 'vector' | 'total'> & {content: string | null};

export class RecentTexts {
	readonly #journal: PastJournal;
	readonly #kernel: Kernel;
	#texts: RecentText[] = [];
	/** The same vectors at each search, so that the kernel knows them. */
	#vectors: Float32Array[] = [];
	#totals: number[] = [];
	/** The newest record that was read; null before the first. */
	#last: number | null = null;
	#reading: Promise<void> = Promise.resolve();
	/** How often texts were forgotten: what was read before that is dropped. */
	#forgotten = 0;

	/** @param kernel One that no other search uses: it keeps the vectors of its last search. */
	constructor(journal: PastJournal, kernel: Kernel) {
		this.#journal = journal;
		this.#kernel = kernel;
	}

	/** Reads what is new. @throws what {@link PastJournal.read} throws */
	async refresh(): Promise<void> {
		if (this.#last !== this.#journal.records) {
			const reading = this.#reading.then(async () => this.#read());
			this.#reading = reading.catch(() => {});
			await reading;
		}
	}

	/** Drops what was read, since texts of it may be forgotten and others have other measures now. The next refresh reads again. */
	forget(): void {
		this.#forgotten++;
		this.#last = null;
		[this.#texts, this.#vectors, this.#totals] = [[], [], []];
	}

	/** The share of the texts with a lower total of dissonance; null with fewer than 50. */
	percentileOf(total: number): number | null {
		return percentileAmong(this.#totals, total);
	}

	/** The texts nearest to a vector. */
	nearest(vector: Float32Array): NearText[] {
		return this.#kernel.nearest(vector, this.#vectors, maxNearest).map(({place, cosine}) => {
			const {id, timestamp, content} = this.#texts[place]!;
			return {id, timestamp, cosine, content};
		});
	}

	async #read(): Promise<void> {
		const {records} = this.#journal;
		const forgotten = this.#forgotten;
		const fresh: RecentText[] = [];
		if (this.#last === null) {
			for await (const {record} of readBackwards(this.#journal)) {
				if (record.kind === 'cycle' && fresh.push(toRecent(record)) === maxTexts) {
					break;
				}
			}

			fresh.reverse();
		} else {
			for await (const page of readPages(this.#journal, this.#last, records)) {
				fresh.push(...page.flatMap(({record}) => record.kind === 'cycle' ? [toRecent(record)] : []));
			}
		}

		if (forgotten !== this.#forgotten) {
			return this.#read();
		}

		this.#last = records;
		if (fresh.length > 0) {
			this.#texts = [...this.#texts, ...fresh].slice(-maxTexts);
			this.#vectors = this.#texts.map(({vector}) => vector);
			this.#totals = this.#texts.map(({total}) => total);
		}
	}
}

const toRecent = (cycle: StoredCycle): RecentText => {
	const {id, vector, total} = cycle;
	return {id, timestamp: saidAtOf(cycle), vector, total, content: shownText(cycle)};
};
