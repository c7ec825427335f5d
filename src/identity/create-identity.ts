/**
 * A process, put together: the actor system started, and a door in front of it whose calls
 * send events and hear the answers.
 */
import {createActor, waitFor, type Actor, type ActorOptions} from 'xstate';
import {nobody, type BootSources, type StepReport} from '../actors/boot.ts';
import {defaultLoop, requireLoop, type LoopConfig} from '../actors/loop.ts';
import {checkedRequest} from '../actors/cycle-request.ts';
import {halted, processMachine, recordingIn} from '../actors/process.ts';
import {living, selectDaemon, selectHealth, selectMetrics, selectProfile, selectReadiness, selectState, selectVigilance} from '../actors/selectors.ts';
import type {CycleResult, Process, Translation} from '../actors/views.ts';
import type {ProcessEmitted} from '../actors/process-events.ts';
import {bytesUnderWay} from './bytes-under-way.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import {BusyError, ConfigurationError, reasonOf, UnavailableError} from '../errors.ts';
import type {Journal} from '../journal/journal.ts';
import {OwnedJournal} from '../journal/owned-journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {selectKernel} from '../kernel/select.ts';
import {minimalAuthority} from '../semiosis/fixation.ts';
import {randomState} from '../semiosis/initial-state.ts';
import type {Themes} from '../sources/themes.ts';
import {systemTime, timestamp, type Random, type Time} from '../clock.ts';

/** What a process is made of; each has a default that needs nothing. */
export type ProcessOptions = {
	/** The identifier of the embedding model, as health reports it until the model is loaded, which says it itself. */
	embeddingModel?: string;
	/** Loads the model; the boot's first step. The process disposes of it, and waits for it to settle when it is stopped meanwhile. Absent: the bundled model, which is not imported otherwise; a page cannot have it. */
	loadEncoder?: (signal: AbortSignal) => Promise<Encoder>;
	/** What the daemon's loop thinks about. Absent: the sentences of the package, which a page cannot read. */
	themes?: Themes;
	/** What lasts. Absent: nothing does. */
	journal?: Journal | null;
	/** How many cycles may be under way at once; more are refused with {@link BusyError}. 1000 unless given. */
	queueLimit?: number;
	/** Bytes of contents and metadata, one for each character, that may be under way at once; a cycle that would be more is refused with {@link BusyError}. 64 MiB unless given. */
	queueBytes?: number;
	/** How many translations may be under way at once; more are refused with {@link BusyError}. 4 unless given. */
	translateLimit?: number;
	/** Absent: the built-in catalogue with the bundled model, whose vectors come with the package; with another none, and the profile is unavailable. */
	directions?: BootSources['directions'];
	/** Absent: eight random unit rows with state id 0; `readiness` says so. */
	initialState?: BootSources['initialState'];
	/** Whether a failing `initialState` ends the boot, rather than a random state standing in for it; false unless given. */
	requireInitialState?: boolean;
	/** Absent: the reference is a copy of the initial state. */
	person?: BootSources['person'];
	/** Whether the reference is moved towards the profile that the person declares; true unless given. */
	calibrate?: boolean;
	/** Absent: the minimal authority, which loads no articles. */
	authority?: BootSources['authority'];
	/** What science finds near a vector; it gives no support where it finds nothing. Absent: nothing. A failure fails the cycle. */
	corroborate?: BootSources['corroborate'];
	/** Absent: no translator, and translation is unavailable. */
	translator?: BootSources['translator'];
	/** How the daemon paces itself; about 100 cycles a day unless given. */
	loop?: LoopConfig;
	/** What computes. Absent: the fastest whose bits are the same on every host and which runs here. */
	kernel?: Kernel;
	/** The clocks that are read; waiting is `clock`'s. Absent: the system's. */
	time?: Time;
	/** What the daemon draws with, and a random state. Absent: `Math.random`. */
	random?: Random;
	/** Absent: `crypto.randomUUID`, which a page has over HTTPS and from localhost only. */
	newId?: () => string;
	/** XState's clock, which times the daemon's loop, and the pause before a journal that failed is tried again. */
	clock?: ActorOptions<typeof processMachine>['clock'];
	/** XState's inspection: an observer of every event and snapshot of the system. */
	inspect?: ActorOptions<typeof processMachine>['inspect'];
};

/** A process under way. */
export type RunningProcess = Process & AsyncDisposable & {
	/** The root of the actor system, to send events to and to look at. */
	readonly actor: Actor<typeof processMachine>;

	/** Calls back for every event that the process lets the world hear, until the function it gives is called. */
	subscribe(listener: (event: ProcessEmitted) => void): () => void;

	/** Resolves with the boot's report when the process is ready. @throws what ended the boot; then `dispose()` still frees the rest. */
	ready(): Promise<readonly StepReport[]>;

	/** Stops the daemon, accepts nothing more, and resolves when what was accepted is done and durable. */
	drain(): Promise<void>;

	/**
	 * Stops every actor, fails what is still under way with {@link UnavailableError}, and frees the model and the journal.
	 * A cycle whose record is on its way to the journal may be kept: its error is not `retryable`. Drain first, and there is none.
	 */
	dispose(): Promise<void>;
};

/**
 * Starts a process. It boots at once; `ready()` says when it can be used.
 *
 * @example
 * ```ts
 * import {createProcess} from 'processual-state';
 *
 * const identity = createProcess();
 * await identity.ready();
 * const {stateId, dissonanceTotal, isChoc} = await identity.cycle({content: 'The sea is quiet today.'});
 * console.log(`state ${stateId}, dissonance ${dissonanceTotal}${isChoc ? ', a choc' : ''}`);
 * await identity.drain();
 * await identity.dispose();
 * ```
 */
export const createProcess = ({
	loadEncoder,
	embeddingModel = loadEncoder ? 'not loaded yet' : bundledModel,
	themes,
	loop = defaultLoop,
	kernel = selectKernel(),
	time = systemTime,
	random = Math.random,
	newId = () => crypto.randomUUID(),
	initialState = async () => ({state: randomState(random, timestamp(time)), warnings: [], isRandom: true}),
	requireInitialState = false,
	person = async () => ({person: nobody, warnings: []}),
	calibrate = true,
	corroborate = null,
	authority = async () => minimalAuthority,
	translator = async () => null,
	journal = null,
	queueLimit = 1000,
	queueBytes = 2 ** 26,
	translateLimit = 4,
	directions = loadEncoder ? async () => ({directions: [], warnings: []}) : builtInDirections,
	clock,
	inspect,
}: ProcessOptions = {}): RunningProcess => {
	requireLoop(loop);
	/** Handed out by `daemon.start`; and the caller's own object may change. */
	const pace = Object.freeze({...loop});
	/** Kept here too, because a boot that fails after this step gives no process that could free it. */
	let loading: Promise<Encoder> | undefined;
	const owned = journal && new OwnedJournal(journal);
	const actor = createActor(processMachine, {
		input: {
			embeddingModel,
			sources: {kernel, time, random, loadEncoder: async signal => loading = (loadEncoder ?? bundledEncoder)(signal), journal: owned, initialState, requireInitialState, person, calibrate, authority, corroborate, translator, directions, themes: async () => themes ?? packagedThemes()},
			loop: pace,
			newId,
		},
		...(clock && {clock}),
		...(inspect && {inspect}),
	});
	const answers = new Answers(actor);
	const snapshot = () => actor.getSnapshot();
	const running = () => selectDaemon(snapshot(), time).daemonRunning;

	let isDraining = false;
	let cyclesUnderWay = 0;
	const hold = bytesUnderWay(queueBytes, 'Texts');
	let translationsUnderWay = 0;
	let disposed: Promise<void> | undefined;

	/** @throws {UnavailableError} when nothing more is accepted. */
	const requireStay = () => {
		if (isDraining) {
			throw new UnavailableError('The process is stopping.');
		}
	};

	/** @throws {UnavailableError} when nothing may change the state now. */
	const requireOpen = () => {
		requireStay();
		const {journalTrouble} = living(snapshot());
		if (journalTrouble !== null) {
			throw halted(journalTrouble);
		}
	};

	const end = async () => {
		isDraining = true;
		const recording = new Set(recordingIn(actor));
		actor.send({type: 'stop'});
		answers.failAll(id => recording.has(id)
			? new UnavailableError('The process is stopping. Whether this cycle was kept, its journal tells.', {retryable: false})
			: new UnavailableError('The process is stopping.'));
		const freed = await Promise.allSettled([free(loading), owned?.release()]);
		for (const part of freed) {
			if (part.status === 'rejected') {
				throw part.reason;
			}
		}
	};

	const dispose = async () => disposed ??= end();

	actor.start();

	return {
		actor,

		async cycle(request) {
			requireOpen();
			const order = checkedRequest(request);
			if (cyclesUnderWay >= queueLimit) {
				throw new BusyError(`${queueLimit} cycles are under way already; try again in a moment.`, 1);
			}

			const held = hold();
			held.add(order.content.length + JSON.stringify(order.metadata).length);
			const id = newId();
			cyclesUnderWay++;
			try {
				return await answers.to<CycleResult>(id, () => {
					actor.send({type: 'cycle', id, ...order});
				});
			} finally {
				cyclesUnderWay--;
				held.release();
			}
		},

		async reset() {
			requireOpen();
			const id = newId();
			return answers.to<{stateId: number}>(id, () => {
				actor.send({type: 'reset', id});
			});
		},

		async translate({context}, signal) {
			requireStay();
			if (!living(snapshot()).translator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			signal?.throwIfAborted();
			if (translationsUnderWay >= translateLimit) {
				throw new BusyError(`${translateLimit} translations are under way already; try again in a few seconds.`, 5);
			}

			const id = newId();
			const leave = () => {
				actor.send({type: 'translate.cancel', id});
				answers.fail(id, signal!.reason);
			};

			signal?.addEventListener('abort', leave);
			translationsUnderWay++;
			try {
				return await answers.to<Translation>(id, () => {
					actor.send({type: 'translate', id, context});
				});
			} finally {
				translationsUnderWay--;
				signal?.removeEventListener('abort', leave);
			}
		},

		daemon: {
			start() {
				requireStay();
				const started = !running();
				actor.send({type: 'daemon.start'});
				return {started, config: pace};
			},

			stop() {
				const stopped = running();
				actor.send({type: 'daemon.stop'});
				return {stopped};
			},

			status: () => selectDaemon(snapshot(), time),
		},

		health: () => selectHealth(snapshot(), time),
		readiness: () => selectReadiness(snapshot(), isDraining),
		state: () => selectState(snapshot()),
		vigilance: () => selectVigilance(snapshot()),
		metrics: () => selectMetrics(snapshot()),
		profile: () => selectProfile(snapshot()),

		subscribe(listener) {
			const subscription = actor.on('*', listener);
			return () => {
				subscription.unsubscribe();
			};
		},

		async ready() {
			const settled = await waitFor(actor, state => !state.matches('booting'));
			if (settled.matches('failed')) {
				throw settled.context.failure;
			}

			if (settled.matches('stopped')) {
				throw new UnavailableError('The process was stopped.', {retryable: false});
			}

			return settled.context.report;
		},

		async drain() {
			isDraining = true;
			actor.send({type: 'daemon.stop'});
			await answers.all();
			if (snapshot().status === 'active') {
				// The daemon's own cycle, for which nobody waits, may be on its way to the journal.
				await waitFor(actor, () => recordingIn(actor).length === 0);
			}
		},

		dispose,
		[Symbol.asyncDispose]: dispose,
	};
};

/** What could not be loaded needs not be freed. */
const free = async (loading: Promise<Partial<Encoder>> | undefined): Promise<void> => {
	const encoder = await loading?.catch(() => null);
	await encoder?.dispose?.();
};

/** @throws {ConfigurationError} where the files of the package cannot be read, as in a page. */
const packaged = async (what: string, option: keyof ProcessOptions) => {
	try {
		return await import('./packaged.ts');
	} catch (error) {
		throw new ConfigurationError(`${what} among the package's files, which this runtime cannot read (${reasonOf(error)}). Give createProcess the option ${option}.`, {cause: error});
	}
};

const bundledEncoder = async (signal: AbortSignal): Promise<Encoder> => (await packaged('The bundled model is', 'loadEncoder')).loadBundledEncoder(signal);

const packagedThemes = async (): Promise<Themes> => (await packaged('The sentences that the daemon thinks about are', 'themes')).readThemes();

const builtInDirections: BootSources['directions'] = async (encoder, signal) => (await packaged('The built-in directions are', 'directions')).loadBuiltInDirections(encoder, signal);

type Waiting = {resolve: (value: never) => void; reject: (reason: unknown) => void};

/** Who waits for which answer: the process emits answers by id, each settles one promise. */
class Answers {
	readonly #waiting = new Map<string, Waiting>();
	readonly #whenNone: Array<() => void> = [];

	constructor(actor: Actor<typeof processMachine>) {
		actor.on('cycle.done', ({id, result}) => this.#resolve(id, result));
		actor.on('cycle.failed', ({id, error}) => this.fail(id, error));
		actor.on('reset.done', ({id, stateId}) => this.#resolve(id, {stateId}));
		actor.on('reset.failed', ({id, error}) => this.fail(id, error));
		actor.on('translation.done', ({id, translation}) => this.#resolve(id, translation));
		actor.on('translation.failed', ({id, error}) => this.fail(id, error));
	}

	async to<Answer>(id: string, ask: () => void): Promise<Answer> {
		if (this.#waiting.has(id)) {
			throw new ConfigurationError(`newId gave “${id}”, which names something under way; every id must be new.`);
		}

		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#waiting.set(id, {resolve: resolve as Waiting['resolve'], reject});
		try {
			ask();
		} catch (error) {
			this.fail(id, error);
		}

		return promise;
	}

	fail(id: string, reason: unknown): void {
		this.#take(id)?.reject(reason);
	}

	/** Resolves when nobody waits any more. */
	async all(): Promise<void> {
		if (this.#waiting.size > 0) {
			await new Promise<void>(resolve => {
				this.#whenNone.push(resolve);
			});
		}
	}

	failAll(reasonFor: (id: string) => unknown): void {
		for (const id of this.#waiting.keys()) {
			this.fail(id, reasonFor(id));
		}
	}

	#resolve(id: string, value: unknown): void {
		this.#take(id)?.resolve(value as never);
	}

	#take(id: string): Waiting | undefined {
		const waiting = this.#waiting.get(id);
		this.#waiting.delete(id);
		if (this.#waiting.size === 0) {
			for (const resolve of this.#whenNone.splice(0)) {
				resolve();
			}
		}

		return waiting;
	}
}
