/** A forgetting in PostgreSQL: the state is that of the life without the texts, and no file of the tables has a byte of them. */
import test from 'ava';
import {selectKernel} from '../../../src/kernel/select.ts';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {anyHistory, liveHistory, plainHistory} from '../../identity/forgetting-law.ts';
import {countInFiles, openMigrated, placeIn} from '../../journal/postgres/places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

test('no file of the tables has a byte of a forgotten text or vector, and the state is that of the life without it', async t => {
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const place = await placeIn(database);
		await liveHistory(t, steps, {place, kernel: selectKernel(), count: async passages => countInFiles(database, passages)}, met);
	}), {numRuns: often(4, 30), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});
