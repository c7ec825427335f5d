/** The law of revisions and holds over a journal in PostgreSQL. */
import test from 'ava';
import {selectKernel} from '../../../src/kernel/select.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {often} from '../../helpers/often.ts';
import {testLaw} from '../../identity/revise-law.ts';
import {openMigrated, placeIn} from './places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

testLaw('in PostgreSQL', selectKernel(), async () => placeIn(database), often(16, 100));
