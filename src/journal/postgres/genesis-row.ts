/** Writes what an identity begins with, as its owner. */
import type {Query} from '../../platform/postgres/database.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {checksumOf} from '../checksum.ts';
import {genesisColumns, genesisFields, type GenesisRow} from '../genesis-codec.ts';
import type {Head} from './append.ts';
import {movedError} from './identity-rows.ts';

/** @throws {MovedError} where another owner has the identity now */
export const writeGenesis = async (query: Query, {no, epoch}: Head, row: GenesisRow): Promise<void> => {
	const values = genesisFields(row).map(value => value instanceof Uint8Array ? toBuffer(value) : value);
	const begun = await query(`
		with head as (update processual.identity set epoch = epoch where no = $1 and epoch = $2 returning no)
		insert into processual.genesis (identity, ${genesisColumns.join(', ')}, checksum)
		select no, ${[...genesisColumns, 'checksum'].map((_, i) => `$${i + 3}`).join(', ')} from head
		returning identity`, [no, epoch, ...values, checksumOf(genesisFields(row))]);
	if (begun.length === 0) {
		throw await movedError(query, no);
	}
};
