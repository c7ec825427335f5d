/**
 * A process, put together: the actor system started, and a door in front of it whose calls
 * send events and hear the answers.
 */
import {createActor, waitFor, type Actor, type ActorOptions} from 'xstate';
import {nobody, type BootSources, type StepReport} from './actors/boot.ts';
import {defaultLoop, type LoopConfig} from './actors/daemon.ts';
import {halted, processMachine} from './actors/process.ts';
import {living, selectDaemon, selectHealth, selectMetrics, selectProfile, selectReadiness, selectState, selectVigilance} from './actors/selectors.ts';
import type {CycleResult, Process, Translation} from './actors/views.ts';
import type {ProcessEmitted} from './actors/process-events.ts';
import type {Encoder} from './embedding/encoder.ts';
import {bundledModel} from './embedding/bundled-model.ts';
import {BusyError, ConfigurationError, reasonOf, UnavailableError} from './errors.ts';
import type {Journal} from './journal/journal.ts';
import type {Kernel} from './kernel/kernel.ts';
import {selectKernel} from './kernel/select.ts';
import {minimalAuthority} from './semiosis/fixation.ts';
import {randomState} from './semiosis/initial-state.ts';
import type {Themes} from './store/themes.ts';
import {systemTime, timestamp, type Random, type Time} from './time.ts';

/** What a process is made of; each has a default that needs nothing. */
export type ProcessOptions = {
	/** The identifier of the embedding model, as health reports it. Absent: the bundled one's. */
	embeddingModel?: string;
	/** Loads the model; the boot's first step. The process disposes of it. Absent: the bundled model, which is not imported otherwise; a page cannot have it. */
	loadEncoder?: (signal: AbortSignal) => Promise<Encoder>;
	/** What the daemon's loop thinks about. Absent: the sentences of the package, which a page cannot read. */
	themes?: Themes;
	/** What lasts. Absent: nothing does. */
	journal?: Journal | null;
	/** How many cycles may be under way at once; more are refused with {@link BusyError}. 1000 unless given. */
	queueLimit?: number;
	/** Absent: the built-in catalogue with the bundled model, whose vectors come with the package; with another none, and the profile is unavailable. */
	directions?: BootSources['directions'];
	/** Absent: eight random unit rows with state id 0, and nobody is warned of it. */
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
	loop?: LoopConfig;
	kernel?: Kernel;
	time?: Time;
	random?: Random;
	/** Absent: `crypto.randomUUID`, which a page has over HTTPS and from localhost only. */
	newId?: () => string;
	/** XState's clock, which times the daemon's loop. */
	clock?: ActorOptions<typeof processMachine>['clock'];
	/** XState's inspection: an observer of every event and snapshot of the system. */
	inspect?: ActorOptions<typeof processMachine>['inspect'];
};

/** A process under way. */
export type RunningProcess = Process & {
	readonly actor: Actor<typeof processMachine>;

	/** Calls back for every event that the process lets the world hear, until the function it gives is called. */
	subscribe(listener: (event: ProcessEmitted) => void): () => void;

	/** Resolves with the boot's report when the process is ready. @throws what ended the boot. */
	ready(): Promise<StepReport[]>;

	/** Accepts nothing more, and resolves when what was accepted is done and durable. */
	drain(): Promise<void>;

	/** Stops every actor, fails what is still under way with {@link UnavailableError}, and frees the model and the journal. */
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
	embeddingModel = bundledModel,
	themes,
	loop = defaultLoop,
	kernel = selectKernel(),
	time = systemTime,
	random = Math.random,
	newId = () => crypto.randomUUID(),
	initialState = async () => ({state: randomState(random, timestamp(time)), warnings: []}),
	requireInitialState = false,
	person = async () => ({person: nobody, warnings: []}),
	calibrate = true,
	corroborate = null,
	authority = async () => minimalAuthority,
	translator = async () => null,
	journal = null,
	queueLimit = 1000,
	directions = loadEncoder ? async () => ({directions: [], warnings: []}) : builtInDirections,
	clock,
	inspect,
}: ProcessOptions = {}): RunningProcess => {
	/** Kept here too, because a boot that fails after this step gives no process that could free it. */
	let encoder: Encoder | undefined;
	const actor = createActor(processMachine, {
		input: {
			embeddingModel,
			sources: {kernel, time, random, loadEncoder: async signal => encoder = await (loadEncoder ?? bundledEncoder)(signal), journal, initialState, requireInitialState, person, calibrate, authority, corroborate, translator, directions, themes: async () => themes ?? packagedThemes()},
			loop,
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
	/** @throws {UnavailableError} when nothing may change the state now. */
	const requireOpen = () => {
		if (isDraining) {
			throw new UnavailableError('The process is stopping.');
		}

		const {journalTrouble} = living(snapshot());
		if (journalTrouble !== null) {
			throw halted(journalTrouble);
		}
	};

	actor.start();

	return {
		actor,

		async cycle({content, trigger = 'user', metadata = {}}) {
			requireOpen();
			if (cyclesUnderWay >= queueLimit) {
				throw new BusyError(`${queueLimit} cycles are under way already; try again in a moment.`, 1);
			}

			const id = newId();
			cyclesUnderWay++;
			try {
				return await answers.to<CycleResult>(id, () => {
					actor.send({type: 'cycle', id, content, trigger, metadata});
				});
			} finally {
				cyclesUnderWay--;
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
			if (!living(snapshot()).translator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			signal?.throwIfAborted();
			const id = newId();
			return answers.to<Translation>(id, () => {
				actor.send({type: 'translate', id, context});
				signal?.addEventListener('abort', () => {
					actor.send({type: 'translate.cancel', id});
					answers.fail(id, signal.reason);
				}, {once: true});
			});
		},

		daemon: {
			start() {
				const started = !running();
				actor.send({type: 'daemon.start'});
				return {started, config: loop};
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

			return settled.context.report;
		},

		async drain() {
			isDraining = true;
			await answers.all();
		},

		async dispose() {
			actor.send({type: 'stop'});
			answers.failAll(new UnavailableError('The process is stopping.'));
			await encoder?.dispose();
			await journal?.close();
		},
	};
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
		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#waiting.set(id, {resolve: resolve as Waiting['resolve'], reject});
		ask();
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

	failAll(reason: unknown): void {
		for (const id of this.#waiting.keys()) {
			this.fail(id, reason);
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
