/**
 * Connections to PostgreSQL. Each request has a timeout on both sides, because the client has none by
 * default: callers would wait forever for a server that vanished silently.
 */
import {Client, Pool, types, type ClientConfig} from 'pg';
import {orUndo} from '../errors.ts';
import {Acknowledged} from './acknowledged.ts';
import {fromDatabaseError, withDatabaseErrors} from './database-errors.ts';

/** Where the database is. */
export type DatabaseOptions = {
	/**
	 * `postgres://user:password@host:port/database`; TLS by `?sslmode=verify-full` and `sslrootcert`. The modes prefer, require and
	 * verify-ca are treated as verify-full.
	 */
	url: string;
	/**
	 * The address of the database without a pooler, which sessions need. With it, `url` may lead to a pooler that
	 * pools transactions.
	 * @default url
	 */
	sessionUrl?: string | undefined;
	/** How many connections there are at most, besides sessions. @default 10 */
	poolSize?: number;
	/**
	 * How long a request may take, in milliseconds; the server ends it a sixth earlier, and a wait for a lock a third
	 * earlier.
	 * @default 3000
	 */
	queryTimeoutMs?: number;
	/** Called when a connection breaks. @default undefined */
	logger?: {warn: (details: object, message: string) => void} | undefined;
};

export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** One connection to the database itself, for work that takes longer than a transaction. */
export type Session = {
	query: Query;
	/** Calls the listener with each notification on the channels that the session listens to. */
	onNotice: (listener: (text: string) => void) => void;
	/** Calls the listener once, when the connection ends other than by `close`. */
	onEnd: (listener: () => void) => void;
	close: () => Promise<void>;
};

/** A database. All its errors are {@link JournalError}. */
export type Database = AsyncDisposable & {
	query: Query;
	/** Like `query`, with a statement that each connection plans once, under this name; through a pooler, each time. */
	queryPlanned: <Row extends object>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;
	/** @param options `isBounded`: whether its requests have timeouts; true by default. */
	session: (options?: {isBounded?: boolean}) => Promise<Session>;
	readonly acknowledged: Acknowledged;
	close: () => Promise<void>;
};

/** Record numbers have 64 bits, of which JavaScript's numbers hold 53. */
const int8 = 20;

const parsers = {
	getTypeParser: ((oid: number, format?: 'text') => oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** With a pooler, the role has timeouts, which are meant for requests. */
const unbounded = 'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0';

const queryOf = (client: Pick<Client, 'query'>): Query => async <Row extends object>(text: string, values: readonly unknown[] = []) =>
	withDatabaseErrors(async () => (await client.query(text, values as unknown[])).rows as Row[]);

/**
 * The client treats the weaker modes as `verify-full`, warns of it on the console, and will obey them one day. Then it would no
 * longer check a certificate. `uselibpqcompat=true` asks for them as they are.
 */
const strict = (address: string): string => address.includes('uselibpqcompat=true')
	? address
	: address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

/** A session without timeouts notices only by this that its server has vanished; by default, the first probe is sent after two hours. */
const keepAliveMs = 10_000;

/** Opens no connection yet. */
export const openDatabase = (options: DatabaseOptions): Database => {
	const {poolSize = 10, queryTimeoutMs = 3000, logger} = options;
	const url = strict(options.url);
	const sessionUrl = strict(options.sessionUrl ?? options.url);
	const common: ClientConfig = {
		connectionTimeoutMillis: queryTimeoutMs, application_name: 'processual', keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs,
		types: parsers,
	};
	const lockMs = Math.round(queryTimeoutMs * 2 / 3);
	const serverTimeouts = {
		statement_timeout: Math.round(queryTimeoutMs * 5 / 6), lock_timeout: lockMs, idle_in_transaction_session_timeout: lockMs,
	};
	// A pooler rejects settings of a connection: then the role has them.
	const bounds = {query_timeout: queryTimeoutMs, ...(sessionUrl === url && serverTimeouts)};
	const pool = new Pool({...common, ...bounds, connectionString: url, max: poolSize, allowExitOnIdle: true});
	// An idle connection that breaks is replaced when one is needed.
	pool.on('error', error => logger?.warn({}, `A connection to the database broke. ${fromDatabaseError(error).message}`));

	let closing: Promise<void> | undefined;
	const close = async (): Promise<void> => closing ??= pool.end();
	return {
		query: queryOf(pool),
		queryPlanned: async <Row extends object>(name: string, text: string, values: readonly unknown[]) =>
			withDatabaseErrors(
				async () => (await pool.query({...(sessionUrl === url && {name}), text, values: values as unknown[]})).rows as Row[],
			),
		async session({isBounded = true} = {}) {
			const bound = isBounded && {...serverTimeouts, query_timeout: queryTimeoutMs};
			const session = await openSession({...common, ...bound, connectionString: sessionUrl});
			await orUndo(async () => isBounded || session.query(unbounded), session.close);
			return session;
		},
		acknowledged: new Acknowledged(),
		close,
		[Symbol.asyncDispose]: close,
	};
};

const openSession = async (config: ClientConfig): Promise<Session> => {
	// The constructor reads the files of certificates.
	const client = await withDatabaseErrors(async () => new Client(config));
	const listeners: Array<() => void> = [];
	let hasEnded = false;
	const end = (): void => {
		if (!hasEnded) {
			hasEnded = true;
			for (const listener of listeners) {
				listener();
			}
		}
	};

	client.on('error', end).on('end', end);
	await withDatabaseErrors(async () => client.connect());
	return {
		query: queryOf(client),
		onNotice: listener => client.on('notification', ({payload = ''}) => listener(payload)),
		onEnd(listener) {
			listeners.push(listener);
			if (hasEnded) {
				listener();
			}
		},
		async close() {
			const isOpen = !hasEnded;
			hasEnded = true;
			await (isOpen ? client.end() : undefined);
		},
	};
};

/** Runs statements in one transaction, in a separate session. The end of the session rolls back what is not committed. */
export const inTransaction = async <Result>(
	database: Pick<Database, 'session'>,
	run: (query: Query) => Promise<Result>,
	options?: {isBounded: boolean},
): Promise<Result> => {
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
