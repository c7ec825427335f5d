/** The journal in PostgreSQL: the port's conformance. */
import test from 'ava';
import {startPostgres} from '../../helpers/postgres.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {testStorage, type Place} from '../conformance.ts';
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

/** One whose keys are in the database too. */
const sealedPlace = async (): Promise<Place> => {
	const place = await placeIn(database);
	return options => createPostgresJournal({database, name: place.identity, seals: true, ...options});
};

testStorage('a journal in PostgreSQL with keys', sealedPlace);
testHeld('a journal in PostgreSQL with keys', sealedPlace);
testRewriting('a journal in PostgreSQL with keys', sealedPlace);
