/** `processual serve` with a database: one node of many. It takes over identities that are asked for here and that no other node has. */
import type {Logger} from 'pino';
import {systemTime, unrefTimers} from '../platform/clock.ts';
import {UnavailableError} from '../platform/errors.ts';
import type {ForwardOutcome} from '../http/forward.ts';
import type {Http} from '../http/create-http.ts';
import type {PostgresHost} from '../host/postgres/open-postgres-host.ts';
import {requireIdentityName} from '../platform/identity-name.ts';
import {openIdentity} from '../identity/create-identity.ts';
import {limitPendingBytes} from '../identity/pending-limits.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {selectKernel} from '../kernel/select.ts';
import {memoizeWeak} from '../platform/memoize-weak.ts';
import {describeExposure} from './describe-exposure.ts';
import {followWithInspector} from './follow-with-inspector.ts';
import {logIdentity} from './logging.ts';
import {toDatabaseOptions, toLoopConfig, toQuestions, toWatchOptions} from './options.ts';
import type {Listener} from './serve.ts';
import {shareSources} from './share-sources.ts';
import {bootUnlessStopped, stopOnSignal} from './stop-on-signal.ts';
import type {Settings} from './settings.ts';
import {lastAlertsMs, sendAlerts} from './webhook.ts';

/** Bytes of forwarded bodies that are read in one turn of the event loop. */
const readBytesPerTurn = 2 ** 19;

/** Starts the node on an open port. */
export const serveNode = async (settings: Settings, logger: Logger, _: boolean, {server, opened, options, webhook, loading}: Listener): Promise<void> => {
	const [{openSources}, {createTelemetry}, {createHttp}, {openPostgresHost}, {createForwarder}, {createByteBudget}, {openDatabase}, {createPostgresJournal}, {createInspection}] = await Promise.all([
		import('./open-sources.ts'),
		import('../observe/metrics/telemetry.ts'),
		import('../http/create-http.ts'),
		import('../host/postgres/open-postgres-host.ts'),
		import('../http/forward.ts'),
		import('../http/middleware/byte-budget.ts'),
		import('../platform/postgres/database.ts'),
		import('../journal/postgres/postgres-journal.ts'),
		import('../observe/inspection.ts'),
	]);
	const encoder = await loading;
	const database = openDatabase({...toDatabaseOptions(settings)!, logger});
	const {sources: given, close: closeStores} = await openSources(settings, database);
	// The person is read at each opening: what was imported since is the same for all nodes.
	const sources = {...shareSources(given, Promise.resolve(encoder)), person: given.person};
	const forwarded: Record<ForwardOutcome, number> = {answered: 0, retried: 0, failed: 0};
	const telemetry = createTelemetry(() => null, {
		defaultMetrics: true,
		node: () => ({owned: host?.owned ?? 0, isMember: host?.isMember ?? false, ...(host?.counts ?? {takeOvers: 0, fenced: 0}), forwarded}),
	});
	const inspectionOf = memoizeWeak(({actor, records: read}: LocalIdentity) => createInspection({actor, read}));
	const warn = (message: string, error?: unknown): void => {
		logger.warn(error === undefined ? {} : {err: error}, message);
	};

	if (settings.RESUME_DAEMON) {
		warn('RESUME_DAEMON has no effect with DATABASE_URL: a running loop continues at another node and after a restart. Start one with POST /daemon/start.');
	}

	let host: PostgresHost | null = null;
	let http: Http | undefined;
	let forwarder: ReturnType<typeof createForwarder> | undefined;
	const close = async (): Promise<void> => {
		http?.close();
		forwarder?.close();
		webhook?.close();
		telemetry.close();
		await host?.[Symbol.asyncDispose]();
		await closeStores();
		await database.close();
		await encoder.dispose();
	};

	const stopping = stopOnSignal(settings, logger, async () => {
		opened.reject(new UnavailableError('The service is stopping.'));
		// Identities go to other nodes one by one; what is asked here is forwarded to them.
		await host?.drain();
		const closed = server.close();
		http?.close();
		await closed;
		await webhook?.idle(lastAlertsMs);
		await close();
	});

	const boot = async (): Promise<void> => {
		const kernel = selectKernel(settings.KERNEL);
		const loop = toLoopConfig(settings);
		const questions = toQuestions(settings);
		host = await openPostgresHost({
			database,
			node: {id: crypto.randomUUID(), url: settings.ADVERTISED_URL ?? server.url},
			defaultName: requireIdentityName(settings.IDENTITY),
			cycleIntervalMs: loop.cycleIntervalSeconds * 1000,
			languages: encoder.languages,
			random: Math.random,
			maxIdentities: settings.MAX_IDENTITIES,
			maxLive: settings.MAX_LIVE,
			idleMs: settings.IDLE_SECONDS * 1000,
			time: systemTime,
			timers: unrefTimers,
			warn,
			journalOf: (name, node) => createPostgresJournal({
				database,
				name,
				node,
				content: settings.JOURNAL_CONTENT,
				compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
				logger,
				onCommit(milliseconds, records) {
					telemetry.observeCommit(milliseconds / 1000, records);
				},
			}),
			async open(name, journal, {state} = {}) {
				const identity = await openIdentity({
					...sources,
					...(state && {initialState: state}),
					journal,
					loop,
					...toWatchOptions(settings),
					maxPendingCycles: settings.QUEUE_LIMIT,
					maxPendingBytes: settings.QUEUE_BYTES,
					maxPendingTranslations: settings.TRANSLATE_LIMIT,
					questions,
					kernel,
					warn,
				});
				telemetry.observe(identity);
				logIdentity(identity, logger.child({identity: name}));
				if (webhook) {
					sendAlerts(name, identity, webhook);
				}

				if (settings.INSPECTOR_URL !== undefined && name === settings.IDENTITY) {
					// The node that has it tells of it.
					const disconnect = await followWithInspector(settings.INSPECTOR_URL, inspectionOf(identity), logger);
					identity.actor.subscribe({complete: disconnect, error: disconnect});
				}

				return identity;
			},
		});
		if (settings.PEER_TOKEN === undefined) {
			logger.warn('PEER_TOKEN is not set: this node forwards no request to other nodes. Set the same on all of them.');
		} else {
			forwarder = createForwarder({
				token: settings.PEER_TOKEN,
				peers: host,
				maxBodyBytes: settings.BODY_LIMIT,
				hold: limitPendingBytes(settings.QUEUE_BYTES, 'Bodies'),
				readBudget: createByteBudget(readBytesPerTurn),
				time: systemTime,
				timers: unrefTimers,
				onOutcome(outcome) {
					forwarded[outcome]++;
				},
			});
		}

		if (stopping.hasBegun) {
			return;
		}

		http = createHttp(host, {...options, logger, metrics: telemetry, inspector: inspectionOf, ...(forwarder && {forward: forwarder})});
		opened.resolve(http);
	};

	if (!await bootUnlessStopped(stopping, {boot, close})) {
		return;
	}

	logger.info(describeExposure(settings.HOST, options));
	const uptime = Math.round(performance.now());
	logger.info({host: settings.HOST, port: server.port, model: settings.EMBEDDING_MODEL, uptime}, `ready at ${server.url} after ${uptime} ms`);
};
