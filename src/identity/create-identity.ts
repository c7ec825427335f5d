/**
 * An identity, put together: the actor system started, and in front of it functions that send
 * events and wait for the requests.
 */
import {createActor, waitFor, type ActorOptions, type AnyActorLogic} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import type {EncoderBoot} from '../actors/deps.ts';
import {loadBundledEncoder} from '../actors/defaults.ts';
import {createProcessMachine} from '../actors/process.ts';
import {processParts, type ProcessOptions} from '../actors/process-parts.ts';
import {haltedError} from '../actors/process-context.ts';
import type {ProcessEmitted} from '../actors/process-events.ts';
import {actorOf} from '../actors/turns.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {BusyError, UnavailableError} from '../errors.ts';
import {isMaker, type Source} from '../sources/source.ts';
import {limitPendingBytes} from './pending-bytes.ts';
import {checkRequest} from './cycle-request.ts';
import {PendingRequests, type ProcessActor} from './pending-requests.ts';
import {disableActorList} from './unlisted-actors.ts';
import {ready, selectDaemon, selectHealth, selectMetrics, selectProfile, selectReadiness, selectRecording, selectState, selectVigilance} from './selectors.ts';
import type {CycleResult, Identity, Translation} from './views.ts';

/** What an identity is made of; each part has a default that needs nothing. */
export type IdentityOptions = ProcessOptions & {
	/** How many cycles may be under way at once; more are refused with {@link BusyError}. 1000 by default. */
	maxPendingCycles?: number;
	/** Bytes of contents and metadata, one for each character, that may be under way at once; a cycle that would be more is refused with {@link BusyError}. 64 MiB by default. */
	maxPendingBytes?: number;
	/** How many translations may be under way at once; more are refused with {@link BusyError}. 4 by default. */
	maxPendingTranslations?: number;
	/** XState's clock, which times the daemon's loop, and the pause before a journal that failed is tried again. */
	clock?: ActorOptions<AnyActorLogic>['clock'];
	/** XState's inspection: an observer of every event and snapshot of the system. */
	inspect?: ActorOptions<AnyActorLogic>['inspect'];
};

/** An identity whose process is under way. */
export type RunningIdentity = Identity & AsyncDisposable & {
	/** The root of the actor system, to send events to and to look at. */
	readonly actor: ProcessActor;

	/** Calls back for every event that the process emits, until the returned function is called. */
	subscribe(listener: (event: ProcessEmitted) => void): () => void;

	/** Resolves with the boot's report when the process is ready. @throws what failed the boot; then `dispose()` still frees the rest. */
	ready(): Promise<readonly StepReport[]>;

	/** Stops the daemon, accepts nothing more, and resolves when what was accepted is done and durable. */
	drain(): Promise<void>;

	/**
	 * Stops every actor, fails what is still under way with {@link UnavailableError}, and frees the model and the journal.
	 * A cycle whose record is on its way to the journal may be kept: its error is not `retryable`. Drain first, and there is no such cycle.
	 */
	dispose(): Promise<void>;
};

/** The model's name until it is loaded, as health reports it. */
const nameModel = (source: Source<Encoder, EncoderBoot>): string => {
	if (isMaker(source)) {
		return source === loadBundledEncoder ? bundledModel : 'not loaded yet';
	}

	return source.passport.model;
};

/**
 * Creates an identity and starts its process. It boots at once; `ready()` says when it can be used.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 *
 * const identity = createIdentity();
 * await identity.ready();
 * const {stateId, dissonanceTotal, isChoc} = await identity.cycle({content: 'The sea is quiet today.'});
 * console.log(`state ${stateId}, dissonance ${dissonanceTotal}${isChoc ? ', a choc' : ''}`);
 * await identity.drain();
 * await identity.dispose();
 * ```
 */
export const createIdentity = ({
	maxPendingCycles = 1000,
	maxPendingBytes = 2 ** 26,
	maxPendingTranslations = 4,
	clock,
	inspect,
	...options
}: IdentityOptions = {}): RunningIdentity => {
	const parts = processParts(options);
	const {kernel, time, newId, encoder, journal, metrics, loop} = parts;
	const embeddingModel = nameModel(options.encoder ?? loadBundledEncoder);
	const actor = createActor(createProcessMachine(parts), {...(clock && {clock}), ...(inspect && {inspect})});
	disableActorList(actor);
	const requests = new PendingRequests(actor);
	const snapshot = () => actor.getSnapshot();
	const isDaemonRunning = () => selectDaemon(snapshot(), time).daemonRunning;

	let isDraining = false;
	let pendingCycles = 0;
	const hold = limitPendingBytes(maxPendingBytes, 'Texts');
	let pendingTranslations = 0;
	let disposal: Promise<void> | undefined;

	/** @throws {UnavailableError} when nothing more is accepted. */
	const requireRunning = () => {
		if (isDraining) {
			throw new UnavailableError('The process is stopping.');
		}
	};

	/** @throws {UnavailableError} when nothing may change the state now. */
	const requireOpen = () => {
		requireRunning();
		const {journalError} = ready(snapshot());
		if (journalError !== null) {
			throw haltedError(journalError);
		}
	};

	const stop = async () => {
		isDraining = true;
		const recording = new Set(selectRecording(snapshot()));
		actor.send({type: 'stop'});
		requests.failAll(id => recording.has(actorOf({kind: 'cycle', id}))
			? new UnavailableError('The process is stopping. Whether this cycle was kept, its journal tells.', {retryable: false})
			: new UnavailableError('The process is stopping.'));
		const freed = await Promise.allSettled([encoder.dispose(), journal?.release()]);
		for (const part of freed) {
			if (part.status === 'rejected') {
				throw part.reason;
			}
		}
	};

	const dispose = async () => disposal ??= stop();

	actor.subscribe({
		error(error) {
			// `ready` tells how a boot has failed. Any other error is a defect, which must not stay unheard.
			if (snapshot().context.boot) {
				requests.failAll(() => error);
				throw error;
			}
		},
	});
	actor.start();

	return {
		actor,

		async cycle(request) {
			requireOpen();
			const order = checkRequest(request);
			if (pendingCycles >= maxPendingCycles) {
				throw new BusyError(`${maxPendingCycles} cycles are under way already; try again in a moment.`, 1);
			}

			const held = hold();
			held.add(order.content.length + JSON.stringify(order.metadata).length);
			const id = newId();
			pendingCycles++;
			try {
				return await requests.answerTo<CycleResult>(id, () => {
					actor.send({type: 'cycle', id, ...order});
				});
			} finally {
				pendingCycles--;
				held.release();
			}
		},

		async reset() {
			requireOpen();
			const id = newId();
			return requests.answerTo<{stateId: number}>(id, () => {
				actor.send({type: 'reset', id});
			});
		},

		async translate({context}, signal) {
			requireRunning();
			if (!ready(snapshot()).boot.hasTranslator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			signal?.throwIfAborted();
			if (pendingTranslations >= maxPendingTranslations) {
				throw new BusyError(`${maxPendingTranslations} translations are under way already; try again in a few seconds.`, 5);
			}

			const id = newId();
			const cancel = () => {
				actor.send({type: 'translate.cancel', id});
				requests.fail(id, signal!.reason);
			};

			signal?.addEventListener('abort', cancel);
			pendingTranslations++;
			try {
				return await requests.answerTo<Translation>(id, () => {
					actor.send({type: 'translate', id, context});
				});
			} finally {
				pendingTranslations--;
				signal?.removeEventListener('abort', cancel);
			}
		},

		daemon: {
			start() {
				requireRunning();
				const started = !isDaemonRunning();
				actor.send({type: 'daemon.start'});
				return {started, config: loop};
			},

			stop() {
				const stopped = isDaemonRunning();
				actor.send({type: 'daemon.stop'});
				return {stopped};
			},

			status: () => selectDaemon(snapshot(), time),
		},

		health: () => selectHealth(snapshot(), time, embeddingModel),
		readiness: () => selectReadiness(snapshot(), isDraining),
		state: () => selectState(snapshot()),
		vigilance: () => selectVigilance(snapshot()),
		metrics: () => selectMetrics(snapshot(), metrics),
		profile: () => selectProfile(snapshot(), kernel),

		subscribe(listener) {
			const subscription = actor.on('*', listener);
			return () => {
				subscription.unsubscribe();
			};
		},

		async ready() {
			const settled = await waitFor(actor, state => !state.matches('booting'));
			if (settled.matches('stopped')) {
				throw new UnavailableError('The process was stopped.', {retryable: false});
			}

			return settled.context.report;
		},

		async drain() {
			isDraining = true;
			actor.send({type: 'daemon.stop'});
			await requests.allSettled();
			if (snapshot().status === 'active') {
				// The daemon's own cycle, for which no caller waits, may be on its way to the journal.
				await waitFor(actor, state => selectRecording(state).length === 0);
			}
		},

		dispose,
		[Symbol.asyncDispose]: dispose,
	};
};
