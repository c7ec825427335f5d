/** The service as a process of the operating system: configuration → process → port → shutdown. */
import closeWithGrace from 'close-with-grace';
import type Koa from 'koa';
import type {Logger} from 'pino';
import {toAppOptions, toEmbeddingOptions, toJournalFolder, toLoopConfig} from './options.ts';
import type {Settings} from './settings.ts';
import {createProcess} from '../identity/create-identity.ts';
import {UnavailableError} from '../errors.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {showDownloads} from './progress.ts';
import {disablePretenuring} from './disable-pretenuring.ts';
import type {AppOptions} from '../http/app.ts';
import type {EventStream} from '../http/routes/events.ts';
import {describeExposure} from '../http/describe-exposure.ts';
import {listen, type Listening} from '../http/server.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {selectKernel} from '../kernel/select.ts';
import {logProcess} from './logging.ts';
import {requireReadableFiles} from './setting-files.ts';

/** After these the processor cannot go on where it was: a listener might never end, and not every runtime takes one. */
const faults: closeWithGrace.Signals[] = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'];

/** Boots, listens, and stays until a signal: Ctrl-C and SIGTERM let what is under way finish, then leave. */
export const serve = async (settings: Settings, logger: Logger, terminal: boolean): Promise<void> => {
	requireReadableFiles(settings);
	disablePretenuring();
	const http = toAppOptions(settings);
	const app = Promise.withResolvers<Koa>();
	// The port comes before anything is made: a start that is refused must leave no identity behind.
	const server = await listen(app.promise, {
		host: settings.HOST,
		port: settings.PORT,
		allowedOrigins: http.allowedOrigins,
		token: http.token,
	});
	try {
		await start(settings, logger, terminal, {server, app, http});
	} catch (error) {
		app.reject(error);
		await server.close();
		throw error;
	}
};

/** What is there before anything is made: the port, and the promise of what answers on it. */
type Door = {server: Listening; app: PromiseWithResolvers<Koa>; http: AppOptions};

const start = async (settings: Settings, logger: Logger, terminal: boolean, {server, app, http}: Door): Promise<void> => {
	const kernel = selectKernel(settings.KERNEL);
	// The model takes longest: it loads in its worker while the rest of the service is read.
	const leaving = new AbortController();
	const loading = loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(logger, terminal), signal: leaving.signal});
	loading.catch(() => {
		// Heard by the boot, which waits for it.
	});
	const [{openSources}, {createTelemetry}, {createInspection}] = await Promise.all([
		import('./open-sources.ts'),
		import('../telemetry/telemetry.ts'),
		import('../inspection/inspection.ts'),
	]);
	let opened: ReturnType<typeof openSources>;
	try {
		opened = openSources(settings);
	} catch (error) {
		// The process would free the model, and there is none yet.
		leaving.abort(error);
		await (await loading.catch(() => null))?.dispose();
		throw error;
	}

	const {store, ...sources} = opened;
	const process = createProcess({
		embeddingModel: settings.EMBEDDING_MODEL,
		async loadEncoder(signal) {
			signal.addEventListener('abort', () => {
				leaving.abort(signal.reason);
			});
			return loading;
		},
		...sources,
		journal: createSqliteJournal({
			folder: toJournalFolder(settings),
			content: settings.JOURNAL_CONTENT,
			compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
			logger,
			onCommit(milliseconds) {
				telemetry.observeCommit(milliseconds / 1000);
			},
		}),
		loop: toLoopConfig(settings),
		queueLimit: settings.QUEUE_LIMIT,
		queueBytes: settings.QUEUE_BYTES,
		translateLimit: settings.TRANSLATE_LIMIT,
		kernel,
	});
	const telemetry = createTelemetry(process, {defaultMetrics: true});
	const inspection = createInspection({actor: process.actor});
	logProcess(process, logger);
	const close = async (): Promise<void> => {
		events?.close();
		disconnect?.();
		inspection.close();
		telemetry.close();
		await process.dispose();
		await store.close();
	};

	let isStopping = false;
	const stop = closeWithGrace({delay: settings.SHUTDOWN_SECONDS * 1000, logger, skip: faults}, async ({signal, err}) => {
		isStopping = true;
		if (err) {
			logger.fatal({err}, 'an error that nobody caught; stopping');
		}

		logger.info(signal ? `stopping on ${signal}` : 'stopping');
		const drained = process.drain();
		app.reject(new UnavailableError('The service is stopping.'));
		const closed = server.close();
		await drained;
		// What was accepted is done, and has been told on every stream.
		events?.close();
		await closed;
		await close();
		logger.info('stopped');
	});

	let events: EventStream | undefined;
	let disconnect: (() => void) | undefined;
	try {
		const [{createApp}, {createEventStream}, {describeMachines}] = await Promise.all([
			import('../http/app.ts'),
			import('../http/routes/events.ts'),
			import('../inspection/machines.ts'),
			process.ready(),
		]);
		if (isStopping) {
			return;
		}

		events = createEventStream(inspection);
		const inspector = {events: events.handle, machines: describeMachines()};
		app.resolve(createApp(process, {...http, logger, telemetry, inspector}));
		if (settings.INSPECTOR_URL !== undefined) {
			const {connectInspector} = await import('../inspection/connect-inspector.ts');
			const address = settings.INSPECTOR_URL;
			disconnect = connectInspector(address, inspection, {
				onChange(isConnected) {
					// The address may hold credentials.
					logger.info({inspector: new URL(address).host}, isConnected ? 'inspector connected' : 'inspector not reached');
				},
			});
		}
	} catch (error) {
		if (isStopping) {
			return;
		}

		stop.uninstall();
		await close();
		throw error;
	}

	if (settings.RESUME_DAEMON) {
		process.daemon.start();
	}

	logger.info(describeExposure(settings.HOST, http));
	logger.info({host: settings.HOST, port: server.port, kernel: kernel.name, model: settings.EMBEDDING_MODEL, uptime: Math.round(performance.now())}, `ready at ${server.url} after ${Math.round(performance.now())} ms`);
};
