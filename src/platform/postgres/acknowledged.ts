/**
 * The newest record of each identity that this program knows to be durable: a database without it has lost history.
 * Nothing else knows, so a loss that no running program remembers is not noticed.
 */

import type {Query} from './database.ts';

/** Identifies a record: no other has its number and the token of its writer. */
export type KnownRecord = {
	readonly name: string;
	readonly seq: number;
	/** The fence of the owner that wrote it; null if an older version did. */
	readonly fence: string | null;
	/** When it was made; null if it was found, not written here. */
	readonly timestamp: string | null;
};

/** About 25 MB; the oldest are dropped first. */
const maxKnown = 100_000;

export class Acknowledged {
	readonly #newest = new Map<string, KnownRecord>();
	/** How many identities were found to have lost records. */
	losses = 0;

	/** @param life The identity's token. */
	remember(life: string, record: KnownRecord): void {
		this.#newest.delete(life);
		if (record.seq > 0) {
			this.#newest.set(life, record);
		}

		if (this.#newest.size > maxKnown) {
			this.#newest.delete(this.#newest.keys().next().value!);
		}
	}

	/** The known record of one identity, or those of all. */
	known(life?: string): Array<[life: string, record: KnownRecord]> {
		const record = life === undefined ? undefined : this.#newest.get(life);
		return life === undefined ? [...this.#newest] : record ? [[life, record]] : [];
	}

	forget(life: string): void {
		this.#newest.delete(life);
	}
}

/** Settings that, when off, let a crash take what was acknowledged. */
const losses: Readonly<Record<string, string>> = {
	synchronous_commit: 'a crash takes what it acknowledged last',
	fsync: 'a crash of its machine can damage all of it',
	full_page_writes: 'a crash of its machine can leave torn pages, unless its file system cannot tear them',
};

/** A sentence for each of these settings that is off for this role in this database. */
export const findWeakSettings = async (query: Query): Promise<string[]> => {
	const rows = await query<{name: string}>(
		'select name from pg_settings where name = any($1) and setting = \'off\' order by name', [Object.keys(losses)],
	);
	return rows.map(({name}) => `The database runs with ${name} = off: ${losses[name]}. Set it to on.`);
};
