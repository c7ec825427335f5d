export {Client, DatabaseError, Pool, types, type ClientConfig} from 'pg';
