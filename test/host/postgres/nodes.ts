/** Nodes in one program on one real database. */
import type {ExecutionContext} from 'ava';
import {openPostgresHost, type PostgresHost, type PostgresHostOptions} from '../../../src/host/postgres/open-postgres-host.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {systemTime, unrefTimers} from '../../../src/platform/clock.ts';
import {startIdentity} from '../../actors/fixtures.ts';
import type {PostgresServer} from '../../helpers/postgres.ts';
import {openMigrated} from '../../journal/postgres/places.ts';

const kernel = selectKernel();

/** Nodes of a new database of a server. */
export const nodesOf = (server: PostgresServer) => async (t: ExecutionContext) => {
	const {database} = await openMigrated(server);
	t.teardown(async () => database.close());
	const warnings: string[] = [];
	const join = async (id: string, options: Partial<PostgresHostOptions> = {}): Promise<PostgresHost> => {
		const host = await openPostgresHost({
			database,
			node: {id, url: `http://${id}`},
			defaultName: 'default',
			cycleIntervalMs: 1e6,
			journalOf: (name, taker) => createPostgresJournal({database, name, taker}),
			open: async (name, journal, {state} = {}) => (await startIdentity({
				kernel,
				journal,
				person: {words: `I am ${name}.`, profile: null},
				newId: () => crypto.randomUUID(),
				...(state && {initialState: state}),
			})).identity,
			maxIdentities: 100,
			maxLive: 100,
			idleMs: 60_000,
			time: systemTime,
			timers: unrefTimers,
			warn(warning) {
				warnings.push(warning);
			},
			...options,
		});
		t.teardown(async () => host[Symbol.asyncDispose]());
		return host;
	};

	return {database, join, warnings};
};

export const here = async (host: PostgresHost, name = 'default'): Promise<LocalIdentity> => {
	const placement = await host.place(name);
	if ('here' in placement) {
		return placement.here;
	}

	throw new Error(`“${name}” is at ${placement.elsewhere}.`);
};
