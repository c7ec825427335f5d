/**
 * The keys of one identity: one for each source, one for texts without a source, and one for its states. Destroying a
 * key makes everything that it sealed unreadable, in every copy.
 *
 * A key is durable before the first record that needs it. A rewriting replaces keys in three steps: it records which, writes the
 * journal with new ones, and destroys the old ones. If a kill interrupts it, the next opening settles it.
 */
import {createCipheriv, createDecipheriv, createSecretKey, randomBytes, randomFillSync, type KeyObject} from 'node:crypto';
import {JournalError, withErrors} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';

export type StoredKey = {
	/** 16 random bytes in hexadecimal. */
	readonly key: string;
	/** 32 random bytes in base64. */
	readonly secret: string;
	/** Whose texts it seals: a source, or '' for texts without one; null for the states. */
	readonly of: string | null;
};

/** Keys that a rewriting replaces, and the id of its record. */
export type KeyReplacement = {readonly replaced: readonly string[]; readonly by: string};

/** The ids of keys that are destroyed, and the id of the record that replaced them. */
export type GoneKeys = {readonly keys: readonly string[]; readonly by: string};

/** If a source has several keys, the last one seals; the others only open what they sealed. */
export type KeyEntry = StoredKey | KeyReplacement;

/** The store of one identity's keys, apart from its journal. All methods throw {@link JournalError}. */
export interface KeyStore {
	/** How messages name it. */
	readonly place: string;
	/** Where copies of destroyed keys may be, in a sentence. */
	readonly copies: string;
	/** Null if it has none. */
	read(): Promise<readonly KeyEntry[] | null>;
	/** Resolves when they are durable. @param before The existing entries, which are written again if they were lost. */
	add(entries: readonly KeyEntry[], before: readonly KeyEntry[]): Promise<void>;
	/**
	 * Keeps only these entries and destroys the others.
	 *
	 * @param gone The entries to destroy, in a store that others write too: entries they added since stay.
	 * @returns where bytes of destroyed keys are left, in a sentence; null for nowhere
	 */
	replace(entries: readonly KeyEntry[], gone?: GoneKeys): Promise<string | null>;
}

/** A key store, and whether its keys seal new rows; if not, they only open what they sealed earlier. */
export type Keys = {readonly store: KeyStore; readonly seals: boolean};

/** No keys: reading sealed data throws an error that says so. */
export const noKeys: Keys = {
	seals: false,
	store: {
		copies: '',
		get place() {
			return `this journal, opened without a key file (${nameOf('journal.keys')}),`;
		},
		read: async () => null,
		async add() {},
		replace: async () => null,
	},
};

/** OpenSSL takes a secret six times as fast in this form. */
type LoadedKey = StoredKey & {readonly loaded: KeyObject};

const algorithm = 'aes-256-gcm';
const idBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;

/** The header of sealed bytes: the key's id, the nonce and the tag. */
const headBytes = idBytes + nonceBytes + tagBytes;

/** The key that sealed some data is missing. */
export class MissingKeyError extends JournalError {
	override readonly name = 'MissingKeyError';
}

export class KeyRing {
	/** How messages name the key store. */
	readonly place: string;
	/** By their ids. */
	readonly #keys = new Map<string, LoadedKey>();
	/** The keys that seal now, by name: the `of` of their entries. */
	readonly #sealing = new Map<string | null, LoadedKey>();
	#replacement: KeyReplacement | null = null;

	constructor(place: string, entries: readonly KeyEntry[] | null = null) {
		this.place = place;
		this.take(entries ?? []);
	}

	get isEmpty(): boolean {
		return this.#keys.size === 0;
	}

	/** The replacement that is not settled yet. */
	get replacement(): KeyReplacement | null {
		return this.#replacement;
	}

	/** Adds stored entries. */
	take(entries: readonly KeyEntry[]): void {
		for (const entry of entries) {
			if ('replaced' in entry) {
				this.#replacement = entry;
				for (const [name, {key}] of this.#sealing) {
					if (entry.replaced.includes(key)) {
						this.#sealing.delete(name);
					}
				}
			} else {
				const key = {...entry, loaded: createSecretKey(entry.secret, 'base64')};
				this.#keys.set(entry.key, key);
				this.#sealing.set(entry.of, key);
			}
		}
	}

	/** New keys for the names that lack a sealing key. They seal once they are taken. */
	make(names: Iterable<string | null>): StoredKey[] {
		return [...new Set(names)].filter(each => !this.#sealing.has(each)).map(each =>
			({key: randomBytes(idBytes).toString('hex'), secret: randomBytes(32).toString('base64'), of: each}));
	}

	/** All entries, as they are stored. */
	get entries(): KeyEntry[] {
		return [...this.without([]), ...this.#replacement ? [this.#replacement] : []];
	}

	/** All keys except these. */
	without(gone: readonly string[]): StoredKey[] {
		return [...this.#keys.values()].filter(({key}) => !gone.includes(key)).map(({key, secret, of}) => ({key, secret, of}));
	}

	/** The ids of all keys of these names; of all keys by default. */
	idsOf(names?: ReadonlySet<string | null>): string[] {
		return [...this.#keys.values()].filter(key => names?.has(key.of) ?? true).map(({key}) => key);
	}

	/** The name whose key sealed these bytes. The ring must have the key. */
	nameOf(sealed: Uint8Array): string | null {
		return this.#keys.get(idOf(sealed))!.of;
	}

	/** Whether the ring has the key of these sealed bytes. */
	opens(sealed: Uint8Array): boolean {
		return this.#keys.has(idOf(sealed));
	}

	/** Seals bytes with the key of a source, or of the states. The result has a separate buffer, for a transfer to another thread. */
	seal(name: string | null, bytes: Uint8Array): Uint8Array {
		const {key, loaded} = this.#sealing.get(name)!;
		const sealed = new Uint8Array(headBytes + bytes.length);
		sealed.set(Buffer.from(key, 'hex'));
		const nonce = randomFillSync(sealed.subarray(idBytes, idBytes + nonceBytes));
		const cipher = createCipheriv(algorithm, loaded, nonce);
		sealed.set(cipher.update(bytes), headBytes);
		cipher.final();
		sealed.set(cipher.getAuthTag(), idBytes + nonceBytes);
		return sealed;
	}

	/** @param what How messages name the data. @throws {MissingKeyError} without its key; {JournalError} if the key does not open it */
	open(sealed: Uint8Array, what: string): Uint8Array {
		const key = this.#keys.get(idOf(sealed));
		if (!key) {
			throw new MissingKeyError(`${what} cannot be read: it is sealed with the key ${idOf(sealed)}, and ${this.place} has no such key. `
				+ 'Put back the keys that belong to this journal; or, if a forgetting destroyed the key, restore a newer backup.');
		}

		const decipher = createDecipheriv(algorithm, key.loaded, sealed.subarray(idBytes, idBytes + nonceBytes));
		decipher.setAuthTag(sealed.subarray(idBytes + nonceBytes, headBytes));
		const bytes = new Uint8Array(sealed.length - headBytes);
		bytes.set(decipher.update(sealed.subarray(headBytes)));
		withErrors(() => decipher.final(), cause => new JournalError(`${what} cannot be read: the key ${key.key} in ${this.place} or the `
			+ 'record itself is damaged. Restore a copy of the keys.', {cause}));
		return bytes;
	}
}

/** The id of the key that sealed bytes. */
const idOf = (sealed: Uint8Array): string => Buffer.from(sealed.buffer, sealed.byteOffset, idBytes).toString('hex');
