/**
 * The owners of identities: read from the database, and cached while they live. Then a request for
 * another node's identity costs no query.
 */
import {ConfigurationError} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';
import type {Database, Query, Session} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import {unknownError} from '../beginning.ts';

/** A node that has identities. */
export type Owner = {readonly number: number; readonly url: string};

/** About 10 MB; the oldest are dropped first. */
const maxKept = 100_000;

export class Owners {
	readonly #database: Database;
	readonly #kept = new Map<string, Owner>();
	readonly #asking = new Map<string, Promise<Owner | null>>();
	/** For each known node, by its address, a controller that aborts when the node is gone. */
	readonly #lives = new Map<string, {number: number; end: AbortController}>();

	constructor(database: Database) {
		this.#database = database;
	}

	find(name: string): Owner | null {
		return this.#kept.get(name) ?? null;
	}

	/** Asks the database for the living owner; null if there is none. Concurrent calls share one query. @throws {UnknownIdentityError} */
	async ask(name: string): Promise<Owner | null> {
		const asking = this.#asking.get(name) ?? this.#ask(name).finally(() => this.#asking.delete(name));
		this.#asking.set(name, asking);
		return asking;
	}

	forget(name: string): void {
		this.#kept.delete(name);
	}

	/** Aborts when the node at an address is gone. An unknown address belonged to a node that is gone. */
	lifeOf(url: string): AbortSignal {
		return this.#lives.get(url)?.end.signal ?? AbortSignal.abort();
	}

	/** Aborts the signals of nodes that are gone. */
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
			// A node that restarted at the same address is another one.
			life?.end.abort();
			this.#lives.set(owner.url, {number: owner.number, end: new AbortController()});
		}

		return owner;
	}
}

// How a node is reached: by other nodes at its address, and by the database on its channel.

/** The channel for names of identities that other nodes ask for, because they cannot reach this one at its address. */
export const channelOf = (node: number): string => `processual_node_${node}`;

/** Of two nodes that start with the same address, the later one is rejected. @throws {ConfigurationError} */
export const requireOwnAddress = async ({query}: Pick<Session, 'query'>, number: number, url: string): Promise<void> => {
	const [other] = await query(
		`select no from processual.node where url = $1 and no < $2 and no in (select objid::int8 from ${nodeLocks})`, [url, number],
	);
	if (other) {
		throw new ConfigurationError(`Another live node has the address ${url}: requests for one would reach the other. `
			+ `Give each node its own ${nameOf('node.url')}.`);
	}
};

/** Asks another node for an identity. Its session is notified at once. */
export const askNode = async (query: Query, node: number, name: string): Promise<void> => {
	await query('select pg_notify($1, $2)', [channelOf(node), name]);
};
