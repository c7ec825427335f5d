/** A journal in memory that behaves like one on disk. Its writes can be held, or made to fail. */
import {JournalError} from '../../src/platform/errors.ts';
import type {
	Genesis, HeldEntry, Journal, JournalEntry, JournalRecord, RestoredJournal, RevisionRecord, Rewriting, StoredCycle, StoredHeld,
} from '../../src/journal/journal.ts';
import {factsOf, type Validation, type ValidationRecord} from '../../src/journal/validation.ts';
import {isRevision, type TextsDecision} from '../../src/journal/revision.ts';
import {asStored} from '../../src/journal/memory-journal.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';

export class FakeJournal implements Journal {
	genesis: Genesis | null = null;
	/** The durable records. */
	records: JournalRecord[] = [];
	isClosed = false;
	#held: PromiseWithResolvers<void> | null = null;
	#trouble: JournalError | null = null;
	#isBroken = false;
	#rewriting: Promise<void> | null = null;
	/** Validations before this index are no longer valid. */
	#validFrom = 0;

	async open(): Promise<RestoredJournal | null> {
		if (this.#trouble) {
			throw this.#trouble;
		}

		this.#isBroken = false;
		if (!this.genesis) {
			return null;
		}

		const {initial} = this.genesis;
		const last = this.records.findLast(record => 'checkpoint' in record);
		const current = last && 'thirdness' in last
			? new StateTensor(last.stateId, 'stateTimestamp' in last ? last.stateTimestamp : last.timestamp, initial.rows.with(2, last.thirdness))
			: initial;
		const checkpoint = last?.checkpoint ?? {counters: {}, lastTrigger: null, cumulativeDrift: 0};
		const validation = this.#newestValidation();
		return {
			genesis: this.genesis, current, checkpoint, records: this.records.length, validation: validation && factsOf(validation),
			revision: (await this.decisions()).findLast(isRevision) ?? null, held: this.#waiting().length,
		};
	}

	async begin(genesis: Genesis): Promise<void> {
		this.genesis = genesis;
	}

	async append(record: JournalRecord): Promise<void> {
		await this.#held?.promise;
		if (this.#rewriting) {
			await this.#rewriting;
		}

		if (this.#isBroken) {
			throw new JournalError('the journal waits to be opened again');
		}

		if (this.#trouble) {
			this.#isBroken = true;
			throw this.#trouble;
		}

		this.records.push(record, ...('cycles' in record ? record.cycles as readonly JournalRecord[] : []));
	}

	async rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<void> {
		this.#rewriting = this.#rewrite(record, rewriting);
		await this.#rewriting;
	}

	async #rewrite(record: RevisionRecord, {changes, decisions, validation, onDone}: Rewriting): Promise<void> {
		await this.#held?.promise;
		const others: JournalEntry[] = [];
		for await (const page of changes()) {
			others.push(...page);
		}

		for (const {seq, record: other} of others) {
			this.records[seq - 1] = other as JournalRecord;
		}

		for (const {seq, ...facts} of decisions) {
			this.records[seq - 1] = {...this.records[seq - 1]!, facts} as JournalRecord;
		}

		if (validation) {
			this.records[validation.seq - 1] = validation;
		}

		this.#validFrom = validation === null ? this.records.length : this.#validFrom;
		this.records.push(record);
		this.#rewriting = null;
		onDone?.([]);
	}

	async read(from: number, count: number): Promise<JournalEntry[]> {
		return this.records.slice(from - 1, from - 1 + count)
			.map((record, i) => ({seq: from + i, record: asStored(record)}));
	}

	async find(id: string): Promise<StoredCycle | StoredHeld | null> {
		const found = this.records.find(record => (record.kind === 'cycle' || record.kind === 'held') && record.id === id);
		return found ? asStored(found) as StoredCycle | StoredHeld : null;
	}

	async validation(): Promise<Validation | null> {
		return this.#newestValidation();
	}

	async decisions(): Promise<TextsDecision[]> {
		return this.records.flatMap((record, i) => 'facts' in record ? [{...record.facts, seq: i + 1}] : []);
	}

	async held(after: number, count: number): Promise<HeldEntry[]> {
		return this.#waiting().filter(({seq}) => seq > after).slice(0, count);
	}

	#waiting(): HeldEntry[] {
		const settled = new Set(this.records.flatMap(record => 'settled' in record ? record.settled : []));
		return this.records.flatMap((record, i) => record.kind === 'held' && !settled.has(i + 1)
			? [{seq: i + 1, record: asStored(record) as StoredHeld}]
			: []);
	}

	async close(): Promise<void> {
		this.isClosed = true;
	}

	#newestValidation(): Validation | null {
		const at = this.records.findLastIndex(({kind}, i) => kind === 'validation' && i >= this.#validFrom);
		return at === -1 ? null : {...this.records[at] as ValidationRecord, seq: at + 1};
	}

	/** Holds every append until `release`. */
	hold(): void {
		this.#held = Promise.withResolvers();
	}

	release(): void {
		this.#held?.resolve();
		this.#held = null;
	}

	break(trouble: string | JournalError): void {
		this.#trouble = typeof trouble === 'string' ? new JournalError(trouble) : trouble;
	}

	mend(): void {
		this.#trouble = null;
	}
}
