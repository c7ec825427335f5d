/** Reads the present of an identity that another node may have: what a copy of it begins with. */
import type {Genesis} from '../../journal/journal.ts';
import type {Database} from '../../platform/postgres/database.ts';
import {RowReader} from '../../journal/postgres/row-reader.ts';
import {decodeRestored} from '../../journal/record-storage.ts';
import {unknownError} from '../guarded-journal.ts';

/** @throws {UnknownIdentityError} where there is none, or it has not begun */
export const readPresent = async ({query}: Pick<Database, 'query'>, name: string): Promise<Genesis> => {
	const [head] = await query<{no: number; seq: number}>('select no, seq from processual.identity where id = $1 and not aside', [name]);
	const reader = head && new RowReader(query, head.no, name);
	const genesis = await reader?.genesis();
	if (!reader || !genesis) {
		throw unknownError(name);
	}

	const {state, standing} = await reader.standingAfter(head.seq);
	const {current, genesis: {reference, passport, isRandom}} = decodeRestored({genesis, state, standing, records: head.seq, validation: null});
	return {initial: current, reference, passport, isRandom};
};
