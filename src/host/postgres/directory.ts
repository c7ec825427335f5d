/** What the database knows of identities besides their journals: which there are, who owns them, and whose loop is on. */
import type {Genesis} from '../../journal/journal.ts';
import {isWhole} from '../../journal/postgres/identity-rows.ts';
import {readPostgresJournal} from '../../journal/postgres/postgres-view.ts';
import type {Database, Query} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import {fullError, unknownError} from '../beginning.ts';
import type {IdentityInfo} from '../host.ts';
import {dueRetryMs} from '../due-runner.ts';

/** SQL for the rows that a node may take to run their loops. Other nodes skip them while it takes them. */
const dueLoops = (when: string): string => `array(
	select no from processual.identity
	where loop_on and ${isWhole} and lost is null and loop_at ${when}
		and (node is null or node <> all(array(select objid::int from ${nodeLocks})) or (node = $1 and id <> all($5)))
	order by loop_at limit $3 for update skip locked)`;

export class Directory {
	readonly #query: Query;
	readonly #cycleIntervalMs: number;

	/** @param cycleIntervalMs The wait between two cycles of a loop. */
	constructor(query: Query, cycleIntervalMs: number) {
		this.#query = query;
		this.#cycleIntervalMs = cycleIntervalMs;
	}

	/** Which node has an identity, and in how many milliseconds its loop's next cycle is due; null without a loop. */
	async standing(name: string): Promise<{node: number | null; dueMs: number | null} | undefined> {
		const [row] = await this.#query<{node: number | null; dueMs: number | null}>(`
			select node, case when loop_on
				then least($2, greatest(0, $2 - 1000 * extract(epoch from now() - loop_at)))::float8
			end as "dueMs"
			from processual.identity where id = $1 and not aside`, [name, this.#cycleIntervalMs]);
		return row;
	}

	/** Which of these identities the node has. */
	async ownedBy(node: number, names: readonly string[]): Promise<ReadonlySet<string>> {
		const rows = await this.#query<{id: string}>(
			'select id from processual.identity where node = $1 and id = any($2) and not aside',
			[node, names],
		);
		return new Set(rows.map(({id}) => id));
	}

	/**
	 * Gives a node at most `limit` identities whose loop's next cycle is due and that no living node has, the oldest first.
	 * Nodes that ask at the same time get different ones. A time that is later than any loop can be due was written before
	 * the clock was set back.
	 *
	 * @param here The identities that the node has in memory. Others may be registered for it, because an answer to this was lost,
	 * or it could not release them. No other node would run their loops while it lives.
	 */
	async takeDueLoops(node: number, limit: number, here: readonly string[]): Promise<string[]> {
		const rows = await this.#query<{id: string}>(
			`update processual.identity set node = $1 where no = any(
				${dueLoops('<= now() - $2 * interval \'1 ms\'')} || ${dueLoops('> now() + $4 * interval \'1 ms\'')}) returning id`,
			[node, this.#cycleIntervalMs, limit, dueRetryMs, here],
		);
		return rows.map(({id}) => id);
	}

	/**
	 * Postpones the next cycle of the loop of an identity that a node has; null leaves its time as it was.
	 *
	 * @param frees Whether any node may have the identity from then on.
	 */
	async putLoopOff(name: string, node: number, dueMs: number | null, {frees}: {frees: boolean}): Promise<void> {
		await this.#query(`
			update processual.identity
			set loop_at = coalesce(now() + ($3::float8 - $4) * interval '1 ms', loop_at), node = case when $5 then null else node end
			where id = $1 and node = $2 and not aside`, [name, node, dueMs, this.#cycleIntervalMs, frees]);
	}

	/** Looks for the genesis: the row alone exists before the beginning, and stays if that fails. */
	async hasBegun(name: string): Promise<boolean> {
		const rows = await this.#query(
			'select 1 from processual.genesis join processual.identity on no = identity where id = $1 and not aside',
			[name],
		);
		return rows.length > 0;
	}

	/** Creations by several nodes at the same time may exceed the limit by their number. @throws {ConflictError} */
	async requireRoom(name: string, maxIdentities: number): Promise<void> {
		const [row] = await this.#query<{isFull: boolean}>(`
			select count(*) >= $2 and not coalesce(bool_or(id = $1 and not aside), false) as "isFull"
			from processual.identity`, [name, maxIdentities]);
		if (row!.isFull) {
			throw fullError(maxIdentities);
		}
	}

	/** The identities that have begun and whose names come after `after`, in the order of their names. */
	async list(after: string | null, limit: number): Promise<IdentityInfo[]> {
		return this.#query<IdentityInfo>(`
			select id as name, coalesce(node in (select objid::int8 from ${nodeLocks}), false) as "isLive"
			from processual.identity
			where ${isWhole} and id collate "C" > $1 and exists (select from processual.genesis where genesis.identity = no)
			order by id collate "C" limit $2`, [after ?? '', limit]);
	}
}

/**
 * What a copy of an identity begins with, even if another node has the identity: its present state.
 *
 * @throws {UnknownIdentityError} if there is none, or it has not begun
 */
export const readPresent = async (database: Database, name: string): Promise<Genesis> => {
	const view = await readPostgresJournal(database, name);
	if (!view) {
		throw unknownError(name);
	}

	const {current, genesis: {reference, passport, isRandom}} = view;
	return {initial: current, reference, passport, isRandom};
};
