/** An identity that is being made. It has a name that none can be given, until it is whole. */
import type {Database} from '../../platform/postgres/database.ts';
import {createIdentityRow} from './identity-rows.ts';

export const unfinished = (name: string): string => `${name}~new`;

/** Makes its row, instead of what an attempt left that was killed. */
export const createUnfinished = async (database: Pick<Database, 'query'>, name: string): Promise<void> => {
	await removeUnfinished(database, name);
	await createIdentityRow(database, unfinished(name));
};

export const removeUnfinished = async ({query}: Pick<Database, 'query'>, name: string): Promise<void> => {
	for (const table of ['record', 'validation', 'genesis']) {
		await query(`delete from processual.${table} where identity in (select no from processual.identity where id = $1)`, [unfinished(name)]);
	}

	await query('delete from processual.identity where id = $1', [unfinished(name)]);
};
