/**
 * A remote identity over HTTP, with the interface of a local one: methods in camelCase, error
 * classes, events. It is built on the wire client and needs only `fetch`.
 */
import type {Timers} from '../platform/clock.ts';
import {UnavailableError, UnknownOutcomeError, type Warn, warnToConsole, withErrors, withoutThrowing} from '../platform/errors.ts';
import {checkRequest} from '../identity/cycle-request.ts';
import {IdentityEvents} from '../identity/events.ts';
import {rows} from '../generated/rows.ts';
import type {Questions, Tensor} from '../generated/types.ts';
import type {Identity} from '../identity/identity.ts';
import {globalTimers, wait, waitAtMost, withSignal, type CallOptions} from '../platform/waiting.ts';
import {withKnownNames} from '../identity/known-calls.ts';
import type {CycleRequest, ReadinessView, TensorView} from '../identity/views.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {byDimension} from '../kernel/dimensions.ts';
import {ClientError} from './client-error.ts';
import {clientOptionNames, createClient, type Client, type ClientOptions} from './create-client.ts';
import {isAnswerLost, toIdentityError} from './identity-events.ts';
import {SharedStream} from './shared-stream.ts';

/** Where the identity is and how to reach it. */
export type ConnectOptions = ClientOptions & {
	/** Ends the connection when it aborts; calls then throw its reason. @default undefined */
	signal?: AbortSignal;
	/** How long `await using` waits for calls under way, in milliseconds. @default 10,000 */
	drainTimeoutMs?: number;
	/** Called when a listener fails. @default console.warn */
	warn?: Warn;
};

const names = {...clientOptionNames, signal: true, drainTimeoutMs: true, warn: true} as Names<ConnectOptions>;

/** @throws {InputError} for a request that no journal can store */
const toBody = (request: string | CycleRequest) => {
	const {content, trigger, metadata, id} = checkRequest(typeof request === 'string' ? {content: request} : request);
	return {body: {content, metadata, trigger}, id};
};

/** A random id. Pages that are not served over HTTPS have no `crypto.randomUUID`. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

const toTensorView = ({dimensions: rowsOf, ...view}: Tensor): TensorView => ({
	...view,
	dimensions: byDimension(name => Float32Array.from(rowsOf[name])),
});

/** The interval between readiness checks. */
const readyPauseMs = 250;

/** Performs a call until it finishes, its signal aborts, or the connection ends. */
type Perform = <Answer>(perform: (options: {signal: AbortSignal}) => Promise<Answer>, caller?: AbortSignal) => Promise<Answer>;

const readReadiness = async (client: Client, call: Perform): Promise<ReadinessView> => {
	try {
		const {parts, languages, note} = await call(options => client.readyz(options));
		return {
			ready: true, isTemporary: false, parts: parts as ReadinessView['parts'],
			...(languages && {languages}),
			...(note !== undefined && {note}),
		};
	} catch (error) {
		const response = error instanceof UnavailableError && error.cause;
		if (response instanceof ClientError && response.body.parts) {
			return {ready: false, isTemporary: response.body.retryable === true, parts: response.body.parts as ReadinessView['parts']};
		}

		throw error;
	}
};

const waitUntilReady = async (client: Client, call: Perform, timers: Timers): Promise<void> => {
	for (;;) {
		const {ready, isTemporary, parts} = await readReadiness(client, call);
		if (ready) {
			return;
		}

		if (!isTemporary) {
			const reasons = Object.values(parts).filter(part => part !== 'ok');
			throw new UnavailableError(`The identity cannot become ready: ${reasons.join('; ')}`);
		}

		await call(async ({signal}) => wait(readyPauseMs, timers, signal));
	}
};

/** If the answer was lost, the request may still have been carried out. @param id The id to repeat it under; null if it cannot be. */
const unlessLost = async <Answer>(answer: Promise<Answer>, id: string | null = null): Promise<Answer> => withErrors(() => answer, error => {
	const wayOut = id === null
		? 'Check the outcome before you repeat the request.'
		: `Repeat the cycle with “${id}” as its id: it will not run twice.`;
	return isAnswerLost(error)
		? new UnknownOutcomeError(`${error.message} ${wayOut}`, {id, retryable: id !== null, cause: error.cause})
		: error;
});

/** Methods for the questions that have the same name in the library and in the service. */
const toQuestions = (client: Client, table: typeof rows, accept: Perform): Questions => {
	const asks = client as unknown as Readonly<Record<string, (...given: object[]) => Promise<unknown>>>;
	const shared = Object.entries(table).filter(([, [marks]]) => !marks.includes('s'));
	return Object.fromEntries(shared.map(([name, [marks]]) => [name, async (...called: object[]) => {
		const [asked, {signal} = {}] = (marks.includes('a') ? [[called[0] ?? {}], called[1]] : [[], called[0]]) as [object[], CallOptions?];
		const answer = accept(async options => asks[name]!(...asked, options), signal);
		return marks.includes('u') ? unlessLost(answer) : answer;
	}])) as unknown as Questions;
};

/** Methods whose signature differs from the endpoint's. @param accept Performs a call that `await using` waits for. */
const toMethods = (client: Client, call: Perform, accept: Perform) => ({
	async cycle(request: string | CycleRequest, {signal}: CallOptions = {}) {
		const {body, id} = toBody(request);
		// With an id, a cycle whose answer was lost can be requested again and still runs only once.
		const idempotencyKey = id ?? newId();
		return unlessLost(accept(async options => client.cycle(body, {...options, idempotencyKey}), signal), idempotencyKey);
	},

	async dryRun(request: string | CycleRequest, {signal}: CallOptions = {}) {
		const {body} = toBody(request);
		return accept(async options => client.dryRun(body, options), signal);
	},

	stateAt: async (at: number | string, {signal}: CallOptions = {}) =>
		accept(async options => toTensorView(await client.tensor({at}, options)), signal),
	reset: async () => unlessLost(accept(async options => {
		const {stateId} = await client.reset(options);
		return {stateId};
	})),
	translate: async (request: {context?: string | null} = {}, {signal}: CallOptions = {}) =>
		accept(async options => client.translate(request, options), signal),

	daemon: {
		start: async () => accept(async options => {
			const answer = await client.daemonStart(options);
			return answer.status === 'started' ? {started: true, config: answer.config} : {started: false};
		}),
		stop: async () => accept(async options => ({stopped: (await client.daemonStop(options)).status === 'stopped'})),
		status: async () => call(async options => client.daemonStatus(options)),
	},

	health: async () => call(async options => {
		const {status: _, version: __, ...health} = await client.health(options);
		return health;
	}),
	state: async () => call(async options => client.state({}, options)),
	tensor: async () => call(async options => toTensorView(await client.tensor({}, options))),
	metrics: async () => call(async options => {
		const {alerts, ...metrics} = await client.metrics(options);
		return {...metrics, alerts: {critical: 0, warning: 0, ...alerts}};
	}),
});

/**
 * Connects to an identity that another program serves. Nothing is sent before the first call.
 *
 * Errors have the class, `code` and `retryable` of a local identity's; their `cause` is the response. If the service cannot be
 * reached, a call throws a retryable `UnavailableError`; for a wrong address or token, a `ConfigurationError`. If the answer to a
 * cycle is lost, it throws an `UnknownOutcomeError` with the `id` under which the cycle can be repeated. For a reset, a validation
 * or another decision, that error is not retryable.
 *
 * Events need the service's event stream (the option `inspector` of `createHttp`). If it cannot be followed, the event `failed`
 * gives the reason. While the stream is opening, calls wait, so that their events are not missed. `dispose` closes only the
 * connection; the identity stays.
 *
 * @param table The questions to offer as methods; by default, all of the service's.
 * @throws {ConfigurationError} for an unknown option, a `baseUrl` that cannot be a service's address, or a token that cannot be sent.
 *
 * @example
 * ```ts
 * import {connectIdentity} from 'processual-state/client';
 *
 * const ada = connectIdentity({baseUrl: 'http://127.0.0.1:8100'});
 * await ada.ready();
 * const {stateId} = await ada.cycle('The sea is quiet today.');
 * console.log(`state ${stateId}`);
 * await ada.dispose();
 * ```
 */
export const connectIdentity = (given: ConnectOptions, table = rows): Identity => {
	requireKnownNames('The connection', given, names);
	const {
		baseUrl, identity, token, fetch: send = globalThis.fetch, timers = globalTimers, signal: lifetime, drainTimeoutMs = 10_000,
		warn = warnToConsole,
	} = given ?? ({} as ConnectOptions);
	const clientOptions = {baseUrl, identity, token, fetch: send, timers};
	const client = createClient(clientOptions, table);
	const events = new IdentityEvents(withoutThrowing(warn));
	const stream = new SharedStream(clientOptions, events);
	const end = new AbortController();
	const underWay = new Set<Promise<unknown>>();

	const call: Perform = async (perform, caller) => {
		const signal = AbortSignal.any([...(caller ? [caller] : []), end.signal]);
		return withErrors(async () => {
			await withSignal(stream.opened, signal);
			return perform({signal});
		}, error => toIdentityError(error, String(baseUrl), signal));
	};

	/** Performs a call that `await using` waits for. */
	const accept: Perform = async (perform, caller) => {
		const answer = call(perform, caller);
		underWay.add(answer);
		try {
			return await answer;
		} finally {
			underWay.delete(answer);
		}
	};

	const dispose = async (): Promise<void> => {
		if (!end.signal.aborted) {
			end.abort(lifetime?.aborted ? lifetime.reason : new UnavailableError('The connection to the identity is closed. It is not known '
				+ 'whether the requests under way were carried out.'));
			stream.close();
			lifetime?.removeEventListener('abort', disposeNow);
			events.emit(Object.freeze({type: 'stopped'}));
			events.close();
		}
	};

	const disposeNow = () => {
		void dispose();
	};

	lifetime?.addEventListener('abort', disposeNow);
	if (lifetime?.aborted) {
		disposeNow();
	}

	return withKnownNames<Identity>({
		ready: async () => waitUntilReady(client, call, timers),
		...toQuestions(client, table, accept),
		...toMethods(client, call, accept),
		readiness: async () => readReadiness(client, call),

		on(type, listener) {
			const off = events.on(type, listener);
			const leave = stream.listen();
			return () => {
				off();
				leave();
			};
		},

		events({signal}: CallOptions = {}) {
			return events.stream(signal, stream.listen());
		},

		dispose,
		async [Symbol.asyncDispose]() {
			await waitAtMost(Promise.allSettled(underWay), drainTimeoutMs, timers);
			await dispose();
		},
	});
};
