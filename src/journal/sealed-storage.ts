/**
 * Seals rows before a storage gets them and opens them when they are read, in the same way over every database. Rows that were
 * written without keys stay as they are until a rewriting, which writes all rows by the settings of that time.
 */
import {orUndo, reasonOf, UnknownOutcomeError, withErrors} from '../platform/errors.ts';
import type {DigestStore} from './digest-store.ts';
import {KeyRing, MissingKeyError, type GoneKeys, type KeyEntry, type Keys} from './key-ring.ts';
import {readAll, readPages, readStillHeld} from './read-pages.ts';
import type {EncodedRecord, NumberedRow, NumberedValidationRow} from './rows.ts';
import type {RecordStorage, RestoredRows, RowRewriting, StorageUser, Unreached} from './record-storage.ts';
import {decodeDecision} from './record-codec.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {takeTurns} from '../platform/waiting.ts';
import {sealedDigests} from './sealed-digests.ts';
import {
	findUnread, isSealed, keyNamesOf, openEncodedState, openRevision, openRow, openValidation, sealRevision, sealRow, sealValidation,
} from './sealing.ts';

export class SealedStorage implements RecordStorage {
	readonly digests?: DigestStore;
	readonly #storage: RecordStorage;
	readonly #keys: Keys;
	#ring: KeyRing;
	/** Keys are written one after another. */
	readonly #inTurn = takeTurns();

	constructor(storage: RecordStorage, keys: Keys) {
		this.#storage = storage;
		this.#keys = keys;
		this.#ring = new KeyRing(keys.store.place);
		if (storage.digests) {
			this.digests = sealedDigests(storage.digests, () => this.#ring, keys.seals ? this.#sealDigest : null);
		}
	}

	async open(user: StorageUser): Promise<RestoredRows | null> {
		const restored = await this.#storage.open(user);
		return orUndo(async () => {
			const {store, seals} = this.#keys;
			const entries = await store.read();
			this.#ring = new KeyRing(store.place, entries);
			if (!restored) {
				return null;
			}

			if (seals && entries === null) {
				await this.#requireKeys();
				// This key shows the next opening that no keys are lost, so it need not read the records to find out.
				await this.#provide([null]);
			}

			const opened = await this.#openRestored(restored);
			await this.#settle(opened);
			return opened;
		}, this.close);
	}

	begin: RecordStorage['begin'] = async genesis => this.#storage.begin(genesis);

	async append(rows: EncodedRecord[]): Promise<void> {
		await this.#storage.append(await this.#asSet(rows));
	}

	async rewrite(row: EncodedRecord, rewriting: RowRewriting): Promise<Unreached> {
		const {seals} = this.#keys;
		if (!seals && this.#ring.isEmpty) {
			return this.#storage.rewrite(row, rewriting);
		}

		const {names, unsealed} = await this.#findKeys(rewriting.forgotten);
		await this.#add(() => [{replaced: this.#ring.idsOf(seals ? names.add(null) : undefined), by: row.id}]);
		const unreached = await this.#rewriteAll(row, rewriting);
		const {replaced, by} = this.#ring.replacement!;
		const left = await withErrors(async () => this.#destroy({keys: replaced, by}), error =>
			new UnknownOutcomeError(`The texts are gone, but their keys are not destroyed yet. ${reasonOf(error)}`, {cause: error}));
		return describe(unreached, {texts: rewriting.forgotten.length, unsealed, copies: this.#keys.store.copies, left});
	}

	read: RecordStorage['read'] = async (...asked) => (await this.#storage.read(...asked)).map(this.#open);
	held: RecordStorage['held'] = async (...asked) => (await this.#storage.held(...asked)).map(this.#open);
	revisions: RecordStorage['revisions'] = async () => (await this.#storage.revisions()).map(row => openRevision(this.#ring, row));

	async find(id: string): Promise<NumberedRow | null> {
		const row = await this.#storage.find(id);
		return row && this.#open(row);
	}

	async validation(): Promise<NumberedValidationRow | null> {
		const row = await this.#storage.validation();
		return row && openValidation(this.#ring, row);
	}

	close: RecordStorage['close'] = async () => this.#storage.close();

	readonly #open = (row: NumberedRow): NumberedRow => openRow(this.#ring, row);

	readonly #sealDigest = async (bytes: Uint8Array): Promise<Uint8Array> => {
		await this.#provide([null]);
		return this.#ring.seal(null, bytes);
	};

	/** Rows as the present settings write them: if sealed, then with keys that are already durable. */
	async #asSet<Row extends EncodedRecord>(rows: Row[]): Promise<Row[]> {
		if (!this.#keys.seals) {
			return rows;
		}

		await this.#provide(keyNamesOf(rows));
		return rows.map(row => sealRow(this.#ring, row));
	}

	async #provide(names: Iterable<string | null>): Promise<void> {
		const missing = [...names];
		if (this.#ring.make(missing).length > 0) {
			await this.#add(() => this.#ring.make(missing));
		}
	}

	/** @param make Makes the entries to add, when it is its turn. */
	async #add(make: () => readonly KeyEntry[]): Promise<void> {
		await this.#inTurn(async () => {
			const entries = make();
			await this.#keys.store.add(entries, this.#ring.entries);
			this.#ring.take(entries);
		});
	}

	/** @returns where bytes of the keys are left */
	async #destroy(gone: GoneKeys): Promise<string | null> {
		return this.#inTurn(async () => {
			const others = this.#ring.without(gone.keys);
			const left = await this.#keys.store.replace(others, gone);
			this.#ring = new KeyRing(this.#keys.store.place, others);
			return left;
		});
	}

	/** @throws {MissingKeyError} if the state's key is missing; the message counts the records whose keys are missing */
	async #openRestored(restored: RestoredRows): Promise<RestoredRows> {
		try {
			return {
				...restored, state: openEncodedState(this.#ring, restored.state),
				revisions: restored.revisions.map(row => openRevision(this.#ring, row)),
			};
		} catch (error) {
			if (error instanceof MissingKeyError) {
				await this.#requireKeys();
			}

			throw error;
		}
	}

	/** Settles a rewriting that a kill interrupted: the replaced keys are destroyed if it was written, and stay if it was not. */
	async #settle({revisions}: RestoredRows): Promise<void> {
		const {replacement} = this.#ring;
		if (replacement) {
			const {replaced, by} = replacement;
			await this.#destroy({keys: revisions.some(row => decodeDecision(row).id === by) ? replaced : [], by});
		}
	}

	/** @throws {MissingKeyError} if the keys of some records are missing */
	async #requireKeys(): Promise<void> {
		const unread = await findUnread(this.#storage, this.#ring);
		if (unread.size > 0) {
			const numbers = [...unread.keys()].toSorted((a, b) => a - b);
			const [first, last] = [numbers[0]!, numbers.at(-1)!];
			throw new MissingKeyError(`${countInEnglish(unread.size, 'record')} of the journal cannot be read, from number ${first} of `
				+ `${unread.get(first)!} to ${last} of ${unread.get(last)!}: ${this.#ring.place} does not have the keys that they are `
				+ 'sealed with. Put the keys back there; two such files can be joined into one. If a forgetting destroyed the keys, '
				+ 'this copy is older than the forgetting: restore a newer one.');
		}
	}

	/** The names of the forgotten texts' keys, and how many of the texts are not sealed. */
	async #findKeys(forgotten: readonly number[]): Promise<{names: Set<string | null>; unsealed: number}> {
		const gone = new Set(forgotten);
		const unsealed = new Set<number>();
		const names = new Set<string | null>();
		for await (const page of readAll(this.#storage)) {
			const texts = page.filter(({seq, vector}) => vector && gone.has(seq));
			texts.filter(isSealed).forEach(({vector}) => names.add(this.#ring.nameOf(vector!)));
			texts.filter(row => !isSealed(row)).forEach(({seq}) => unsealed.add(seq));
		}

		return {names, unsealed: unsealed.size};
	}

	async #rewriteAll(row: EncodedRecord, {changes, settled, revisions, ...rewriting}: RowRewriting): Promise<Unreached> {
		const validation = rewriting.validation === undefined ? await this.validation() : rewriting.validation;
		const [record] = await this.#asSet([row]);
		const {seals} = this.#keys;
		return this.#storage.rewrite(record!, {
			...rewriting,
			settled,
			changes: () => this.#rewritten(changes()),
			revisions: seals ? revisions.map(each => sealRevision(this.#ring, each)) : revisions,
			validation: validation && seals ? sealValidation(this.#ring, validation) : validation,
			waiting: () => this.#stillWaiting(settled),
		});
	}

	/** All rows, with the changed ones in place of the originals. */
	async * #rewritten(changes: AsyncIterable<NumberedRow[]>): AsyncGenerator<NumberedRow[]> {
		let last = 0;
		for await (const page of changes) {
			const changed = new Map(page.map(row => [row.seq, row]));
			const end = page.at(-1)!.seq;
			for await (const rows of readPages(this.#storage, last, end)) {
				yield this.#asSet(rows.map(row => changed.get(row.seq) ?? this.#open(row)));
			}

			last = end;
		}

		for await (const rows of readPages(this.#storage, last, Infinity)) {
			yield this.#asSet(rows.map(this.#open));
		}
	}

	async * #stillWaiting(settled: readonly number[]): AsyncGenerator<NumberedRow[]> {
		for await (const page of readStillHeld(this.#storage, settled)) {
			yield this.#asSet(page.map(this.#open));
		}
	}
}

/** What a forgetting does not reach, after it destroyed keys. */
const describe = (
	unreached: Unreached, {texts, unsealed, copies, left}: {texts: number; unsealed: number; copies: string; left: string | null},
): Unreached => ({
	copies: [
		`Backups, copies and archives of the journal from before: ${texts - unsealed} of ${texts} texts are sealed there, and their keys are `
			+ `destroyed, as is that of all states there. ${copies}`,
		unsealed > 0 ? `${unsealed} of the texts were not sealed. ${unreached.copies}` : 'Exports have texts in plain text.',
	].join(' '),
	elsewhere: [...left === null ? [] : [left], ...unreached.elsewhere],
});
