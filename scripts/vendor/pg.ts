export {Client, DatabaseError, Pool, type PoolClient} from 'pg';
