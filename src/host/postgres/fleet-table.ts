/**
 * The rows of a database's fleet: each is written by the node that has its identity. Every node answers from a copy in memory, and
 * first adds what has changed since the last question.
 */
import {emptyRow, type FleetEntry, type FleetRow} from '../../instruments/fleet.ts';
import {isWhole} from '../../journal/postgres/identity-rows.ts';
import type {Time} from '../../platform/clock.ts';
import type {Query} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import type {FleetStore} from '../fleet.ts';

/** How much later than its timestamp a statement may become visible. */
const overlapMs = 10_000;

/** How long an identity that was opened for its row is left alone, and how often rows that are behind are looked for. */
const [retryMs, compareMs] = [600_000, 60_000];

type Kept = {readonly text: string; readonly entry: FleetEntry};

/** A row, when it changed, and when it was read, by the database's clock; milliseconds since 1970. */
type Changed = {readonly name: string; readonly row: string; readonly aside: boolean; readonly changed: number; readonly now: number};

/** SQL for identities that have begun and whose row does not have their newest record. */
const staleRows = `
	from processual.identity left join processual.fleet on fleet.identity = no
	where ${isWhole} and exists (select from processual.genesis where genesis.identity = no) and fleet.seq is distinct from identity.seq`;

export class FleetTable implements FleetStore {
	readonly #query: Query;
	readonly #node: () => number;
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #kept = new Map<string, Kept>();
	/** When each identity was taken for its row, by name; the oldest first. */
	readonly #taken = new Map<string, number>();
	#since = 0;
	#entries: {readonly key: string; readonly list: readonly FleetEntry[]} = {key: '', list: []};
	#refreshing: Promise<readonly FleetEntry[]> | null = null;
	#comparedAt = -Infinity;

	/** @param node Gives the number of this node. */
	constructor(query: Query, node: () => number, time: Pick<Time, 'elapsed'>) {
		this.#query = query;
		this.#node = node;
		this.#time = time;
	}

	async get(names: readonly string[]): Promise<ReadonlyMap<string, FleetRow>> {
		const rows = await this.#query<{name: string; row: string}>(
			'select id as name, row from processual.fleet join processual.identity on no = fleet.identity where id = any($1) and not aside',
			[names],
		);
		return new Map(rows.map(({name, row}) => [name, JSON.parse(row) as FleetRow]));
	}

	/** If another node has an identity by now, its row stays as it is. */
	async put(entries: readonly FleetEntry[]): Promise<void> {
		await this.#query(`
			insert into processual.fleet (identity, seq, ends_at, row)
			select no, r.seq, to_timestamp(r.ends_at / 1000), r.row
			from unnest($2::text[], $3::bigint[], $4::float8[], $5::text[]) as r(name, seq, ends_at, row)
			join processual.identity on id = r.name and not aside and (node = $1 or (node is null and identity.seq = r.seq))
			on conflict (identity) do update
			set seq = excluded.seq, ends_at = excluded.ends_at, row = excluded.row, changed = clock_timestamp()`, [
			this.#node(), entries.map(({name}) => name), entries.map(({row}) => row.records),
			entries.map(({row}) => row.watch?.endsAt ?? null), entries.map(({row}) => JSON.stringify(row)),
		]);
	}

	/** Concurrent calls share one read of the table. */
	async entries(): Promise<readonly FleetEntry[]> {
		this.#refreshing ??= this.#refresh().finally(() => {
			this.#refreshing = null;
		});
		return this.#refreshing;
	}

	/**
	 * Gives this node at most `limit` identities that no living node has: a conversation of theirs ends, or their row is behind.
	 * Nodes that ask at the same time get different ones.
	 */
	async take(limit: number): Promise<string[]> {
		const now = this.#time.elapsed();
		for (const [name, takenAt] of this.#taken) {
			if (takenAt > now - retryMs) {
				break;
			}

			this.#taken.delete(name);
		}

		const ended = 'from processual.identity join processual.fleet on fleet.identity = no where ends_at <= now() and not aside';
		const names = await this.#takeFrom(ended, limit);
		if (names.length < limit && now - this.#comparedAt >= compareMs) {
			names.push(...await this.#takeFrom(staleRows, limit - names.length));
			this.#comparedAt = names.length < limit ? now : this.#comparedAt;
		}

		return names;
	}

	async #takeFrom(which: string, limit: number): Promise<string[]> {
		const rows = await this.#query<{id: string}>(`
			update processual.identity set node = $1 where no = any(array(
				select no ${which} and lost is null and id <> all($3)
					and (node is null or node <> all(array(select objid::int from ${nodeLocks})))
				limit $2 for update of identity skip locked)) returning id`, [this.#node(), limit, [...this.#taken.keys()]]);
		return rows.map(({id}) => {
			this.#taken.set(id, this.#time.elapsed());
			return id;
		});
	}

	/** The rows that have changed since the last call; all rows, if the database's clock was set back: changes may then seem older. */
	async #readChanged(): Promise<readonly Changed[]> {
		const changed = await this.#query<Changed>(`
			select id as name, row, aside, (extract(epoch from changed) * 1000)::float8 as changed,
				(extract(epoch from now()) * 1000)::float8 as now
			from processual.fleet join processual.identity on no = fleet.identity
			where changed > to_timestamp($1::float8 / 1000) order by changed`, [this.#since - overlapMs]);
		// The newest is read again each time.
		const last = changed.at(-1);
		const wasSetBack = last !== undefined && last.now < this.#since;
		this.#since = wasSetBack ? 0 : Math.min(last?.changed ?? this.#since, last?.now ?? Infinity);
		return wasSetBack ? this.#readChanged() : changed;
	}

	async #refresh(): Promise<readonly FleetEntry[]> {
		const [changed, late] = await Promise.all([
			this.#readChanged(),
			this.#query<{name: string; seq: number; isNew: boolean}>(
				`select id as name, identity.seq, fleet.seq is null as "isNew" ${staleRows} order by id`,
			),
		]);
		let isSame = true;
		for (const {name, row: text, aside} of changed) {
			if (aside) {
				isSame = !this.#kept.delete(name) && isSame;
			} else if (this.#kept.get(name)?.text !== text) {
				isSame = false;
				this.#kept.set(name, {text, entry: {name, row: JSON.parse(text) as FleetRow, isCurrent: true}});
			}
		}

		const key = JSON.stringify(late);
		if (!isSame || key !== this.#entries.key) {
			const rows = new Map(Array.from(this.#kept, ([name, {entry}]) => [name, entry]));
			for (const {name, seq, isNew} of late) {
				rows.set(name, {name, row: rows.get(name)?.row ?? emptyRow, isCurrent: isNew && seq === 0});
			}

			this.#entries = {key, list: [...rows.values()]};
		}

		return this.#entries.list;
	}
}
