/** Statements that are all done, or none of them. */
import type {Database, Query} from './database.ts';

/** Runs in one transaction, in a session. What is not committed ends with the session. */
export const inTransaction = async <Result>(database: Pick<Database, 'session'>, run: (query: Query) => Promise<Result>, options?: {isBounded: boolean}): Promise<Result> => {
	const session = await database.session(options);
	try {
		await session.query('begin');
		const result = await run(session.query);
		await session.query('commit');
		return result;
	} finally {
		await session.close();
	}
};
