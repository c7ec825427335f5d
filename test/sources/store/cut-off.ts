/** A SQLite file as a kill in the middle of a write leaves it: with half of a transaction, and a rollback journal beside it. */
import {copyFile, rm} from 'node:fs/promises';
import {DatabaseSync} from 'node:sqlite';

export const cutOffWrite = async (file: string): Promise<void> => {
	const open = `${file}.open`;
	await copyFile(file, open);
	const database = new DatabaseSync(open);
	try {
		// The small cache makes the transaction reach the file before it ends.
		database.exec(
			'pragma journal_mode = delete; pragma cache_size = 1; begin immediate; create table cut_off (content blob); insert into '
				+ 'cut_off values (zeroblob(1000000))',
		);
		await copyFile(open, file);
		await copyFile(`${open}-journal`, `${file}-journal`);
	} finally {
		database.close();
		await rm(open);
	}
};
