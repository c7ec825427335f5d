/** The rows of identities: what a name stands for, and who has it. */
import {ConflictError, MovedError, UnknownIdentityError} from '../../platform/errors.ts';
import type {Database, Query} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {checksumOf} from '../checksum.ts';
import {genesisColumns, genesisFields, type GenesisRow} from '../genesis-codec.ts';
import type {OwnedHead} from './append.ts';

/**
 * Makes an identity, which nothing is known of yet.
 *
 * @throws {ConflictError} where there is one of that name
 */
export const createIdentityRow = async (database: Pick<Database, 'query'>, name: string): Promise<void> => {
	if (!await ensureIdentityRow(database, name)) {
		throw new ConflictError(`There is an identity “${name}” already. Choose another name, or put that one aside.`);
	}
};

/** Makes an identity, unless there is one of that name. @returns whether it did */
export const ensureIdentityRow = async ({query}: Pick<Database, 'query'>, name: string): Promise<boolean> =>
	(await query('insert into processual.identity (id) values ($1) on conflict (id) where not aside do nothing '
		+ 'returning no', [name])).length > 0;

/**
 * Takes an identity over: from now on, who had it writes nothing.
 *
 * @param node The number of this node; null where there are no others.
 * @throws {UnknownIdentityError} where there is none of that name
 * @throws {MovedError} while another node lives that has it
 */
export const takeOver = async (query: Query, name: string, node: number | null): Promise<OwnedHead> => {
	const [head] = await query<OwnedHead>(`
		update processual.identity set epoch = epoch + 1, node = $2
		where id = $1 and not aside and (node is null or node = $2 or not exists (select from ${nodeLocks} and objid::bigint = identity.node))
		returning no, epoch, seq, compacted, validation`, [name, node]);
	if (head) {
		return head;
	}

	const [found] = await query<{no: number}>('select no from processual.identity where id = $1 and not aside', [name]);
	throw found
		? await findNewOwner(
			query, found.no,
			node === null
				? `A node has the identity “${name}”, and would write on. Stop the nodes of this database and try again, or ask one of them.`
				: undefined,
		)
		: new UnknownIdentityError(`There is no identity “${name}”. PUT /identities/${name} begins one.`);
};

/** Says who has an identity. @param message What to do; by default to ask again */
export const findNewOwner = async (query: Query, no: number, message?: string): Promise<MovedError> => {
	const [found] = await query<{id: string; url: string | null}>('select identity.id, node.url from processual.identity '
		+ 'left join processual.node on node.no = identity.node where identity.no = $1', [no]);
	return new MovedError(message ?? `The identity “${found?.id ?? no}” is with another node now. Try again: `
		+ 'that node will answer.', {owner: found?.url ?? null});
};

/** Frees the name of an identity, as its owner. Nothing is erased. @throws {MovedError} where another owner has it now */
export const putAside = async (query: Query, {no, epoch}: OwnedHead): Promise<void> => {
	const [row] = await query('update processual.identity set aside = true, loop_on = false, node = null '
		+ 'where no = $1 and epoch = $2 returning no', [no, epoch]);
	if (!row) {
		throw await findNewOwner(query, no);
	}
};

/** Lets go of an identity, so that any node may have it at once. Where another one has it already, nothing happens. */
export const letGo = async (query: Query, {no, epoch}: OwnedHead): Promise<void> => {
	await query('update processual.identity set node = null where no = $1 and epoch = $2 and node is not null', [no, epoch]);
};

/** Writes what an identity begins with, as its owner. @throws {MovedError} where another owner has it now */
export const writeGenesis = async (query: Query, {no, epoch}: OwnedHead, row: GenesisRow): Promise<void> => {
	const values = genesisFields(row).map(value => value instanceof Uint8Array ? toBuffer(value) : value);
	const begun = await query(`
		with head as (update processual.identity set epoch = epoch where no = $1 and epoch = $2 returning no)
		insert into processual.genesis (identity, ${genesisColumns.join(', ')}, checksum)
		select no, ${[...genesisColumns, 'checksum'].map((_, i) => `$${i + 3}`).join(', ')} from head
		returning identity`, [no, epoch, ...values, checksumOf(genesisFields(row))]);
	if (begun.length === 0) {
		throw await findNewOwner(query, no);
	}
};

/** The name of an identity that is being made, which none can be given: it gets its own when it is whole. */
export const unfinished = (name: string): string => `${name}~new`;

/** Makes its row, instead of what an attempt left that was killed. */
export const createUnfinished = async (database: Pick<Database, 'query'>, name: string): Promise<void> => {
	await removeUnfinished(database, name);
	await createIdentityRow(database, unfinished(name));
};

export const removeUnfinished = async ({query}: Pick<Database, 'query'>, name: string): Promise<void> => {
	for (const table of ['record', 'validation', 'revision', 'genesis']) {
		await query(`delete from processual.${table} where identity in (select no from processual.identity where id = $1)`, [unfinished(name)]);
	}

	await query('delete from processual.identity where id = $1', [unfinished(name)]);
};
