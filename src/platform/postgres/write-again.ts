/**
 * Writes tables again without their dead rows: a deleted or replaced row stays in its page until another row needs
 * the space, even after a plain `vacuum`.
 */
import {JournalError, reasonOf} from '../errors.ts';
import type {Database, Query} from './database.ts';

/** How often it tries to get an exclusive lock on a table. */
const maxTries = 30;

/** In seconds. While it waits for a lock, later users of the table wait too: after each try, they have as much time. */
const maxWait = 0.5;

/**
 * Other users of the tables wait as long as it takes. If this role may not write one of them again, all stay as they are.
 *
 * @returns what is left for their owner to do, in a sentence; null for nothing
 * @throws {JournalError} if they are in use for too long
 */
export const writeAgain = async ({session: open}: Pick<Database, 'session'>, tables: readonly string[]): Promise<string | null> => {
	const session = await open({isBounded: false});
	try {
		const found = await session.query<{name: string; isOurs: boolean}>(
			'select oid::regclass::text as name, pg_has_role(relowner, \'USAGE\') as "isOurs" from pg_class '
				+ 'where oid = any($1::text[]::regclass[]::oid[]) order by 1', [tables],
		);
		const others = found.filter(({isOurs}) => !isOurs).map(({name}) => name);
		if (others.length > 0) {
			return `Dead rows: this role may not rewrite the tables. As their owner, run ${statementsFor(others)}.`;
		}

		await untilAlone(session.query);
		await session.query(`set lock_timeout = '${maxWait}s'`);
		for (const {name} of found) {
			await tryOften(session.query, `vacuum full ${name}`);
		}

		return null;
	} finally {
		await session.close();
	}
};

/** @throws {JournalError} */
const tryOften = async (query: Query, statement: string, tried = 1): Promise<void> => {
	try {
		await query(statement);
	} catch (error) {
		if (tried === maxTries || !isLocked(error)) {
			throw error;
		}

		await query(`select pg_sleep(${maxWait})`);
		await tryOften(query, statement, tried + 1);
	}
};

/** `lock_not_available`: others held the lock for too long. */
const isLocked = (error: unknown): boolean => String((error as JournalError).cause).startsWith('55P03');

/** How often it checks, every 50 ms, whether earlier transactions are over. */
const maxAsked = 600;

/**
 * Dead rows that a transaction can still see are copied as dead rows. Such a transaction writes, in any database of the server, or has
 * an older snapshot, in this database or for a standby, even without an id or a lock on a table. A plain `vacuum` keeps none.
 *
 * @see https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW `backend_xmin`
 */
const isAlone = `select not exists (
	select from pg_stat_activity where age(backend_xmin) > age($1::xid8::xid) and (datname = current_database() or datname is null)
		and pid not in (select pid from pg_stat_progress_vacuum)
	union all select from pg_replication_slots where age(xmin) > age($1::xid8::xid)
) as "isAlone"`;

const untilAlone = async (query: Query): Promise<void> => {
	const [now] = await query<{xmax: string}>('select pg_snapshot_xmax(pg_current_snapshot())::text as xmax');
	for (let asked = 0; asked < maxAsked; asked++) {
		// The snapshot of this session is as old as the oldest transaction that writes.
		const [found] = await query<{isAlone: boolean}>(isAlone, [now!.xmax]);
		if (found!.isAlone) {
			return;
		}

		await query('select pg_sleep(0.05)');
	}

	throw new JournalError('An earlier transaction, still running after 30 s, may still see dead rows.', {retryable: true});
};

/** Writes tables again that no later opening would. @returns where dead rows are left, in a sentence; null for nowhere */
export const writeAgainNow = async (database: Pick<Database, 'session'>, tables: readonly string[]): Promise<string | null> => {
	try {
		return await writeAgain(database, tables);
	} catch (error) {
		return `Dead rows: ${reasonOf(error)} Then run ${statementsFor(tables)}.`;
	}
};

const statementsFor = (tables: readonly string[]): string => tables.map(table => `“vacuum full ${table}”`).join(', ');
