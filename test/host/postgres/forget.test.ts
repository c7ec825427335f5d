/** A forgetting in PostgreSQL: the state is that of the life without the texts, and no file of the tables has a byte of them. */
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {selectKernel} from '../../../src/kernel/select.ts';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {anyHistory, liveHistory, plainHistory} from '../../identity/forgetting-law.ts';
import {openMigrated, placeIn} from '../../journal/postgres/places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

/** The files of tables, indexes and statistics; the write-ahead log is not among them. */
const countIn = async (passages: readonly Buffer[]): Promise<number> => {
	const [{folder}] = await database.query<{folder: string}>('select current_setting(\'data_directory\') as folder') as [{folder: string}];
	await database.query('checkpoint');
	const base = path.join(folder, 'base');
	const files = readdirSync(base, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
	const contents = files.map(({parentPath, name}) => readFileSync(path.join(parentPath, name)));
	return passages.filter(passage => contents.some(bytes => bytes.includes(passage))).length;
};

test('no file of the tables has a byte of a forgotten text or vector, and the state is that of the life without it', async t => {
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const place = await placeIn(database);
		await liveHistory(t, steps, {place, kernel: selectKernel(), count: countIn}, met);
	}), {numRuns: often(4, 30), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});
