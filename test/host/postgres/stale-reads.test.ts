/** An owner that has lost its lock without knowing: its readers see no outdated state. */
import test from 'ava';
import {systemTime, unrefTimers} from '../../../src/platform/clock.ts';
import {openPostgresHost, type PostgresHost} from '../../../src/host/postgres/open-postgres-host.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {leaseMs} from '../../../src/journal/postgres/identity-rows.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {openDatabase, type Database} from '../../../src/platform/postgres/database.ts';
import {startIdentity} from '../../actors/fixtures.ts';
import {openLink} from '../../helpers/link.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {openMigrated} from '../../journal/postgres/places.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const join = async (id: string, database: Database): Promise<PostgresHost> => openPostgresHost({
	database,
	node: {id, url: `http://${id}`},
	defaultName: 'default',
	cycleIntervalMs: 1e6,
	journalOf: (name, taker) => createPostgresJournal({database, name, taker}),
	open: async (_name, journal) => (await startIdentity({journal, newId: () => crypto.randomUUID()})).identity,
	maxIdentities: 100,
	maxLive: 100,
	idleMs: 60_000,
	time: systemTime,
	timers: unrefTimers,
	warn() {},
});

/** The identity that a node gives from memory, without a wait. */
const inMemory = (host: PostgresHost): LocalIdentity | null => {
	const placement = host.place('default');
	if (placement instanceof Promise) {
		placement.catch(() => {});
		return null;
	}

	return 'here' in placement ? placement.here : null;
};

const here = async (host: PostgresHost): Promise<LocalIdentity> => {
	const placement = await host.place('default');
	if ('here' in placement) {
		return placement.here;
	}

	throw new Error(`It is at ${placement.elsewhere}.`);
};

test('an owner that lost its lock, and cannot be notified, answers nothing outdated', async t => {
	const {url, database} = await openMigrated(server);
	await using link = await openLink(server.port);
	const far = openDatabase({url: url.replace(/:\d+\//, `:${link.port}/`)});
	const [a, b] = [await join('a', far), await join('b', database)];
	t.teardown(async () => {
		await Promise.allSettled([a, b].map(async host => host[Symbol.asyncDispose]()));
		await Promise.allSettled([far.close(), database.close()]);
	});
	await (await here(a)).cycle('first');

	let reads = 0;
	const reading = setInterval(() => {
		reads += Number(inMemory(a) !== null);
	}, 5);
	t.teardown(() => clearInterval(reading));

	link.isCut = true;
	const cutAt = performance.now();
	// The backend holds the lock until it ends.
	await database.query(`
		select pg_terminate_backend(pid, 60000) from pg_locks join processual.node on node.no = objid::int
		where locktype = 'advisory' and node.id = 'a' and database = (select oid from pg_database where datname = current_database())`);
	const next = await here(b);
	t.true(performance.now() - cutAt >= leaseMs * 0.99, 'no takeover happens before its reads have certainly ended');
	t.is((await next.cycle('second')).stateId, 2);
	const before = reads;
	t.is(inMemory(a), null);
	clearInterval(reading);
	t.is(reads, before);
	t.true(reads > 0, 'it answered for as long as it could');
	link.isCut = false;
});
