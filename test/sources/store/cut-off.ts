/** A SQLite file as a kill in the middle of a write leaves it: half of a transaction in it, and the rollback journal beside it. */
import {copyFile, rm} from 'node:fs/promises';
import {DatabaseSync} from 'node:sqlite';

export const cutOffWrite = async (file: string): Promise<void> => {
	const living = `${file}.living`;
	await copyFile(file, living);
	const database = new DatabaseSync(living);
	try {
		// With so small a cache the transaction reaches the file before it ends.
		database.exec(
			'pragma journal_mode = delete; pragma cache_size = 1; begin immediate; create table cut_off (content blob); insert into '
				+ 'cut_off values (zeroblob(1000000))',
		);
		await copyFile(living, file);
		await copyFile(`${living}-journal`, `${file}-journal`);
	} finally {
		database.close();
		await rm(living);
	}
};
