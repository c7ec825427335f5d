/**
 * Who owns an identity: asked of the database, and kept while the owner lives. A request for another
 * node's identity costs no question then.
 */
import type {Database} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import {unknownError} from '../beginning.ts';

/** A node that has identities. */
export type Owner = {readonly number: number; readonly url: string};

/** About 10 MB; the oldest are forgotten first. */
const maxKept = 100_000;

export class Owners {
	readonly #database: Database;
	readonly #kept = new Map<string, Owner>();
	readonly #asking = new Map<string, Promise<Owner | null>>();
	/** For each node that is known, what aborts when it is gone. */
	readonly #lives = new Map<string, {number: number; end: AbortController}>();

	constructor(database: Database) {
		this.#database = database;
	}

	find(name: string): Owner | null {
		return this.#kept.get(name) ?? null;
	}

	/** Asks the database for the living owner; null where there is none. Of many who ask at once, one asks. @throws {UnknownIdentityError} */
	async ask(name: string): Promise<Owner | null> {
		const asking = this.#asking.get(name) ?? this.#ask(name).finally(() => this.#asking.delete(name));
		this.#asking.set(name, asking);
		return asking;
	}

	forget(name: string): void {
		this.#kept.delete(name);
	}

	/** Aborts when the node at an address is gone. An address that is not known was that of a node which is gone. */
	lifeOf(url: string): AbortSignal {
		return this.#lives.get(url)?.end.signal ?? AbortSignal.abort();
	}

	/** Ends what waits for nodes that are gone. */
	end(living: ReadonlySet<number>): void {
		for (const [url, {number, end}] of this.#lives) {
			if (!living.has(number)) {
				this.#lives.delete(url);
				end.abort();
			}
		}
	}

	async #ask(name: string): Promise<Owner | null> {
		const [row] = await this.#database.query<{number: number | null; url: string | null}>(`
			select node.no as number, node.url
			from processual.identity
			left join processual.node on node.no = identity.node and node.no in (select objid::int8 from ${nodeLocks})
			where identity.id = $1 and not identity.aside`, [name]);
		if (!row) {
			throw unknownError(name);
		}

		return row.number === null ? null : this.#keep(name, {number: row.number, url: row.url!});
	}

	#keep(name: string, owner: Owner): Owner {
		this.#kept.delete(name);
		this.#kept.set(name, owner);
		if (this.#kept.size > maxKept) {
			this.#kept.delete(this.#kept.keys().next().value!);
		}

		const life = this.#lives.get(owner.url);
		if (life?.number !== owner.number) {
			// A node that began again at the same address is another one.
			life?.end.abort();
			this.#lives.set(owner.url, {number: owner.number, end: new AbortController()});
		}

		return owner;
	}
}
