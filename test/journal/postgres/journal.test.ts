/** The journal in PostgreSQL: the port's conformance. */
import test from 'ava';
import {startPostgres} from '../../helpers/postgres.ts';
import {testStorage} from '../conformance.ts';
import {testHeld} from '../held-conformance.ts';
import {testRewriting} from '../rewriting-conformance.ts';
import {openMigrated, placeIn} from './places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

testStorage('a journal in PostgreSQL', async () => placeIn(database));
testHeld('a journal in PostgreSQL', async () => placeIn(database));
testRewriting('a journal in PostgreSQL', async () => placeIn(database));
