/** The locks of living nodes, in SQL. Two keys of 4 bytes have `objsubid` 2; other databases of the server have nodes of their own. */

/** Whether a row of `pg_locks` is one; `$1` is the class of locks. */
export const lockOfNode = 'locktype = \'advisory\' and database = (select oid from pg_database where datname = current_database()) and classid = $1::oid and objsubid = 2 and objid <> 0 and granted';
