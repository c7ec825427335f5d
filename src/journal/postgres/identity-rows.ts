/** The rows of identities: their names and their owners. */
import {setTimeout} from 'node:timers/promises';
import {MovedError, type JournalError, UnknownIdentityError} from '../../platform/errors.ts';
import type {Database, Query} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {checksumOf, genesisColumns, genesisFields, type GenesisRow} from '../rows.ts';
import type {OwnedHead} from './append.ts';
import {findLosses, lostHistoryOf, type Loss} from './lost-history.ts';

/** Creates the row of an identity, unless there is one of that name. */
export const ensureIdentityRow = async ({query}: Pick<Database, 'query'>, name: string): Promise<void> => {
	await query('insert into processual.identity (id) values ($1) on conflict (id) where not aside do nothing', [name]);
};

/** Whether there is an identity of that name, even one that has not begun. */
export const isNameTaken = async ({query}: Pick<Database, 'query'>, name: string): Promise<boolean> =>
	(await query('select from processual.identity where id = $1 and not aside', [name])).length > 0;

/**
 * How long a node answers from memory after it asked for the locks. No identity is taken from it earlier, whatever ended
 * its lock. So its readers never see a state that another node has superseded.
 */
export const leaseMs = 1000;

/** The node or the program that takes identities over. */
export type Taker = {
	/** The number of this node; null for a program that is no node. */
	node: number | null;
	/** Resolves when a node that does not hold its lock no longer answers from memory. */
	untilGone: (node: number) => Promise<void>;
};

/** A program that is no node does not know how long a lock has been free, so it waits a whole lease. */
const alone: Taker = {node: null, untilGone: async () => setTimeout(leaseMs)};

type Taken = OwnedHead & {writer: string | null};

/**
 * Takes an identity over: from now on, an earlier owner writes nothing.
 *
 * @throws {UnknownIdentityError} if there is none of that name
 * @throws {LostHistoryError} if the database has lost acknowledged records of it
 * @throws {MovedError} while another living node has it
 */
export const takeOver = async (
	{query, acknowledged}: Pick<Database, 'query' | 'acknowledged'>, name: string, {node, untilGone} = alone,
): Promise<OwnedHead> => {
	for (let gone: number | null = null; ;) {
		const [taken] = await query<Taken>(`
			update processual.identity set fence = gen_random_uuid(), node = $2
			where id = $1 and not aside and lost is null
				and (node is null or node = $2 or (node = $3 and not exists (select from ${nodeLocks} and objid::bigint = identity.node)))
			returning no, life, fence, seq, tip, compacted, validation,
				(select fence from processual.record where identity = no and record.seq = identity.seq) as writer`, [name, node, gone]);
		if (taken) {
			const {writer, ...head} = taken;
			const [[, known] = []] = acknowledged.known(head.life);
			// Compared before the found values replace the known ones.
			if (known && (known.seq !== head.seq || known.fence !== writer)) {
				const [lost] = await findLosses({query, acknowledged}, {life: head.life, fence: null});
				if (lost) {
					throw lost;
				}
			}

			acknowledged.remember(head.life, {name, seq: head.seq, fence: writer, timestamp: null});
			return head;
		}

		const [found] = await query<{no: number; left: number | null}>(`
			select no, case when lost is null and not exists (select from ${nodeLocks} and objid::bigint = identity.node) then node end as left
			from processual.identity where id = $1 and not aside`, [name]);
		if (!found) {
			throw new UnknownIdentityError(`There is no identity “${name}”. PUT /identities/${name} begins one.`);
		}

		if (found.left === null || found.left === gone) {
			throw await findNewOwner(
				query, found.no,
				node === null
					? `A node has the identity “${name}” and would keep writing. Stop the nodes of this database and try again, or ask one of them.`
					: undefined,
			);
		}

		await untilGone(found.left);
		gone = found.left;
	}
};

/** Says why an identity cannot be written: it lost records, or another node has it. @param message What to do; by default to ask again */
export const findNewOwner = async (query: Query, no: number, message?: string): Promise<JournalError> => {
	const [found] = await query<{id: string; url: string | null; lost: Loss | null}>('select identity.id, node.url, lost from '
		+ 'processual.identity left join processual.node on node.no = identity.node where identity.no = $1', [no]);
	return found?.lost
		? lostHistoryOf(found.id, found.lost)
		: new MovedError(message ?? `The identity “${found?.id ?? no}” is with another node now. Try again: `
			+ 'that node will answer.', {owner: found?.url ?? null});
};

/** The message for a command, which is not a node, when a node has taken its identity over. */
export const takenFromCommand = (name: string): string =>
	`A node took “${name}” over during this command, and nothing has changed. Stop the nodes of this database and try again.`;

/**
 * Frees the name of an identity, as its owner. Nothing is erased.
 *
 * @param message The way out; by default to ask again.
 * @throws {MovedError} if another owner has it now
 */
export const putAside = async (query: Query, {no, fence}: OwnedHead, message?: string): Promise<void> => {
	const [row] = await query(`
		with head as (update processual.identity set aside = true, loop_on = false, node = null where no = $1 and fence = $2 returning no),
		fleet as (update processual.fleet set changed = clock_timestamp() from head where fleet.identity = head.no)
		select no from head`, [no, fence]);
	if (!row) {
		throw await findNewOwner(query, no, message);
	}
};

/** Releases an identity, so that any node may have it at once. Does nothing if another one already has it. */
export const letGo = async (query: Query, {no, fence}: OwnedHead): Promise<void> => {
	await query('update processual.identity set node = null where no = $1 and fence = $2 and node is not null', [no, fence]);
};

/** Writes the genesis of an identity, as its owner. @throws {MovedError} if another owner has it now */
export const writeGenesis = async (query: Query, {no, fence}: OwnedHead, row: GenesisRow): Promise<void> => {
	const values = genesisFields(row).map(value => value instanceof Uint8Array ? toBuffer(value) : value);
	const begun = await query(`
		with head as (update processual.identity set fence = fence where no = $1 and fence = $2 returning no)
		insert into processual.genesis (identity, ${genesisColumns.join(', ')}, checksum)
		select no, ${[...genesisColumns, 'checksum'].map((_, i) => `$${i + 3}`).join(', ')} from head
		returning identity`, [no, fence, ...values, checksumOf(genesisFields(row))]);
	if (begun.length === 0) {
		throw await findNewOwner(query, no);
	}
};

/** The temporary name of an identity that is being made. It is no valid name, and is replaced once the identity is whole. */
export const unfinished = (name: string): string => `${name}~new`;

/** SQL for identities that nodes may have: not put aside, and not being made. */
export const isWhole = `not aside and id not like '${unfinished('%')}'`;

/** Creates its row, in place of one that a killed attempt left. */
export const createUnfinished = async (database: Pick<Database, 'query'>, name: string): Promise<void> => {
	await removeUnfinished(database, name);
	await ensureIdentityRow(database, unfinished(name));
};

/** In one statement, so that an identity that gets its name at the same moment stays whole. */
export const removeUnfinished = async ({query}: Pick<Database, 'query'>, name: string): Promise<void> => {
	const rows = ['record', 'held', 'validation', 'revision', 'digest', 'kept', 'genesis'].map(table =>
		`, ${table}_rows as (delete from processual.${table} using gone where identity = gone.no)`);
	await query(
		`with gone as (delete from processual.identity where id = $1 returning no)${rows.join('')} select no from gone`, [unfinished(name)],
	);
};
