/** `processual serve` with a database: one node of many. It takes over requested identities that no other node has. */
import type {Logger} from 'pino';
import type {PostgresHost} from '../host/postgres/open-postgres-host.ts';
import type {Http} from '../http/create-http.ts';
import type {ForwardOutcome} from '../http/forward.ts';
import {openIdentity} from '../identity/create-identity.ts';
import {limitPendingBytes} from '../identity/pending-limits.ts';
import {systemTime, unrefTimers} from '../platform/clock.ts';
import {ConfigurationError, UnavailableError} from '../platform/errors.ts';
import {requireIdentityName} from '../platform/identity-name.ts';
import {lendSources, toIdentityOptions} from './identity-options.ts';
import {warnIn} from './logging.ts';
import {askRows, createObservers} from './observe-identities.ts';
import {toDatabaseOptions, toJournalOptions} from './options.ts';
import {describeExposure, type OpenPort} from './serve.ts';
import type {Settings} from './settings.ts';
import {bootUnlessStopped, stopOnSignal} from './stop-on-signal.ts';
import {lastAlertsMs} from './webhook.ts';

/** Maximum bytes of forwarded bodies that are read in one turn of the event loop. */
const readBytesPerTurn = 2 ** 19;

type Forwarding = ReturnType<typeof import('../http/forward.ts').createForwarder>;

type NodeParts = Awaited<ReturnType<typeof openNode>>;

export const serveNode = async (settings: Settings, logger: Logger, _: boolean, port: OpenPort): Promise<void> => {
	const {server, opened, options, webhook, loading} = port;
	const encoder = await loading;
	const parts = await openNode(settings, logger, port);
	webhook?.resume();
	if (settings.RESUME_DAEMON) {
		logger.warn('RESUME_DAEMON has no effect with DATABASE_URL: a running loop continues at another node and after a restart. '
			+ 'Start one with POST /daemon/start.');
	}

	let http: Http | undefined;
	let forwarder = null as Forwarding | null;
	const close = async (): Promise<void> => {
		http?.close();
		forwarder?.close();
		await parts.observers.close();
		await parts.node.host?.[Symbol.asyncDispose]();
		await parts.stores[Symbol.asyncDispose]();
		await parts.database.close();
		await encoder.dispose();
	};

	const stopping = stopOnSignal(settings, logger, async () => {
		opened.reject(new UnavailableError('The service is stopping.'));
		// Identities move to other nodes one by one, and requests that arrive here are forwarded.
		await parts.node.host?.drain();
		const closed = server.close();
		http?.close();
		await closed;
		await webhook?.idle(lastAlertsMs);
		await close();
	});

	const boot = async (): Promise<void> => {
		const {createHttp} = await import('../http/create-http.ts');
		const host = await joinOthers(parts, addressOf(settings, server.url), encoder.languages);
		parts.node.host = host;
		forwarder = await openForwarder(parts, host);
		if (!stopping.hasBegun) {
			http = createHttp(host, {...options, ...parts.observers.ofHttp, ...(forwarder && {forward: forwarder})});
			opened.resolve(http);
		}
	};

	if (await bootUnlessStopped(stopping, {boot, close})) {
		logger.info(describeExposure(settings.HOST, options));
		const uptime = Math.round(performance.now());
		logger.info(
			{host: settings.HOST, port: server.port, model: settings.EMBEDDING_MODEL, uptime},
			`ready at ${server.url} after ${uptime} ms`,
		);
	}
};

/** @throws {ConfigurationError} if other machines can reach this node, but no address for them is set */
const addressOf = ({ADVERTISED_URL, HOST}: Settings, local: string): string => {
	if (ADVERTISED_URL === undefined && !/^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/.test(HOST)) {
		throw new ConfigurationError('Other nodes must know the address of this one: set ADVERTISED_URL, for example '
			+ `http://10.0.0.7:8100. If all nodes run on this machine, set HOST=127.0.0.1 instead.`);
	}

	return ADVERTISED_URL === undefined ? local : new URL(ADVERTISED_URL).origin;
};

const openNode = async (settings: Settings, logger: Logger, {webhook, loading}: OpenPort) => {
	const [{openSources}, {openDatabase}] = await Promise.all([
		import('./open-sources.ts'),
		import('../platform/postgres/database.ts'),
	]);
	/** The host is null until the node has joined the others. */
	const node: {host: PostgresHost | null} = {host: null};
	/** Counts of forwarded requests by outcome. */
	const forwarded: Record<ForwardOutcome, number> = {answered: 0, retried: 0, failed: 0};
	const observers = await createObservers({
		logger,
		webhook,
		main: () => null,
		node() {
			const {owned = 0, isMember = false, counts = {takeOvers: 0, fenced: 0, lost: 0}} = node.host ?? {};
			return {owned, isMember, readiness: node.host?.readiness?.() ?? {ready: false, parts: {}}, ...counts, forwarded};
		},
		fleet: async request => askRows(node.host, request),
	});
	const database = openDatabase({...toDatabaseOptions(settings)!, logger});
	const stores = await openSources(settings, database);
	// The person is read at each opening, so that all nodes see a later import.
	const sources = {...lendSources(stores.sources, loading), person: stores.sources.person};
	return {settings, logger, database, sources, stores, observers, forwarded, node};
};

const joinOthers = async (
	{settings, logger, database, sources, observers}: NodeParts,
	url: string,
	languages: readonly string[] | undefined,
): Promise<PostgresHost> => {
	const [{openPostgresHost}, {createPostgresJournal}] = await Promise.all([
		import('../host/postgres/open-postgres-host.ts'),
		import('../journal/postgres/postgres-journal.ts'),
	]);
	const identityOptions = toIdentityOptions(settings);
	const journalOptions = toJournalOptions(settings, {logger, onCommit: observers.onCommit});
	return openPostgresHost({
		database,
		node: {id: crypto.randomUUID(), url},
		defaultName: requireIdentityName(settings.IDENTITY),
		cycleIntervalMs: identityOptions.loop.cycleIntervalSeconds * 1000,
		languages,
		maxIdentities: settings.MAX_IDENTITIES,
		maxLive: settings.MAX_LIVE,
		idleMs: settings.IDLE_SECONDS * 1000,
		time: systemTime,
		timers: unrefTimers,
		warn: warnIn(logger),
		journalOf: (name, taker) => createPostgresJournal({database, name, taker, seals: settings.FORGET_KEYS, ...journalOptions}),
		async open(name, journal, {state} = {}) {
			const [log, isMain] = [logger.child({identity: name}), name === settings.IDENTITY];
			const begun = {...state && {initialState: state}, journal, warn: warnIn(log, isMain)};
			const identity = await openIdentity({...sources, ...identityOptions, ...begun});
			observers.observe(name, identity, log);
			if (settings.INSPECTOR_URL !== undefined && isMain) {
				// The node that owns the main identity reports to the inspector.
				const disconnect = await observers.follow(settings.INSPECTOR_URL, identity);
				identity.actor.subscribe({complete: disconnect, error: disconnect});
			}

			return identity;
		},
	});
};

/** Makes the forwarder of requests to the nodes that have their identities; null without PEER_TOKEN. */
const openForwarder = async ({settings, logger, forwarded}: NodeParts, peers: PostgresHost): Promise<Forwarding | null> => {
	if (settings.PEER_TOKEN === undefined) {
		logger.warn('PEER_TOKEN is not set: this node forwards no requests to other nodes. Set the same key on all of them.');
		return null;
	}

	const [{createForwarder}, {createByteBudget}] = await Promise.all([
		import('../http/forward.ts'),
		import('../http/middleware/share-turns.ts'),
	]);
	return createForwarder({
		token: settings.PEER_TOKEN,
		peers,
		maxBodyBytes: settings.BODY_LIMIT,
		hold: limitPendingBytes(settings.QUEUE_BYTES, 'Bodies'),
		readBudget: createByteBudget(readBytesPerTurn),
		time: systemTime,
		timers: unrefTimers,
		onOutcome(outcome) {
			forwarded[outcome]++;
		},
	});
};
