/**
 * An identity, put together: the actor system started, and in front of it functions that send
 * events and wait for the answers.
 */
import {createActor, waitFor} from 'xstate';
import type {EncoderBoot, MachineDeps} from '../actors/deps.ts';
import {loadBundledEncoder} from '../actors/defaults.ts';
import {freeParts} from '../actors/loaded-once.ts';
import {createProcessMachine} from '../actors/process.ts';
import {haltedError, movedError} from '../actors/process-context.ts';
import {processParts} from '../actors/process-parts.ts';
import {unrefTimers} from '../platform/clock.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import {BusyError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {isMaker, type Source} from '../sources/source.ts';
import type {CallOptions} from '../platform/call-options.ts';
import {waitAtMost} from '../platform/wait-at-most.ts';
import {warnToConsole} from '../platform/warn.ts';
import {withSignal} from '../platform/with-signal.ts';
import {Past} from '../instruments/past/past.ts';
import {sharedQuestions} from '../instruments/past/questions.ts';
import {RecentTexts} from '../instruments/past/recent-texts.ts';
import {DriftQuestions} from './ask-drift.ts';
import {askWhatIf, dryRun, type PastDeps} from './ask-past.ts';
import {answering, computations as ownComputations, type Answering, type Computations} from './computations.ts';
import {forkOptions} from './fork.ts';
import {checkNote} from './check-note.ts';
import {checkRequest, type CheckedRequest} from './cycle-request.ts';
import {IdentityEvents} from './events.ts';
import type {DrainOptions, LocalIdentity} from './identity.ts';
import {requireOptions, type IdentityOptions} from './options.ts';
import {withKnownNames} from './known-calls.ts';
import {limitPendingBytes} from './pending-bytes.ts';
import {knowOutcome} from './known-outcome.ts';
import {PendingRequests} from './pending-requests.ts';
import {RepeatedCycles} from './repeated-cycles.ts';
import {ready, selectDaemon, selectHealth, selectMetrics, selectProfile, selectReadiness, selectRecording, selectScaledProfile, selectState, selectTensor, selectVigilance, toTensorView} from './selectors.ts';
import {disableActorList} from './unlisted-actors.ts';
import type {CycleAnswer, CycleRequest, Translation, ValidationView} from './views.ts';
import {requireRead, UnreadTexts, withNote} from './unread-texts.ts';
import {Watch} from './watch.ts';
import {defaultWatch} from './watch-options.ts';

/** Cycles need the places of the others. */
const maxPendingDryRuns = 16;

/** The model's name until it is loaded, as health reports it. */
const nameModel = (source: Source<Encoder, EncoderBoot>): string => {
	if (isMaker(source)) {
		return source === loadBundledEncoder ? bundledModel : 'not loaded yet';
	}

	return source.passport.model;
};

/**
 * Creates an identity, which boots at once. Requests that come before the boot is done wait for it; `ready()` and
 * the events `ready` and `failed` say how it ended. For a program that serves while it boots; else take {@link openIdentity}.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 *
 * const identity = createIdentity();
 * identity.on('failed', ({error}) => console.error(error));
 * const {stateId, dissonanceTotal, isChoc} = await identity.cycle('The sea is quiet today.');
 * console.log(`state ${stateId}, dissonance ${dissonanceTotal}${isChoc ? ', a choc' : ''}`);
 * await identity.drain();
 * await identity.dispose();
 * ```
 */
export const createIdentity = (options: IdentityOptions = {}): LocalIdentity => createAnswering(ownComputations, options);

/** Creates an identity that answers with these computations. */
export const createAnswering = (computations: Computations, options: IdentityOptions = {}): LocalIdentity => {
	requireOptions(options);
	const {
		maxPendingCycles = 1000,
		maxPendingBytes = 2 ** 26,
		maxPendingTranslations = 4,
		clock,
		inspect,
		signal: bootSignal,
		drainTimeoutMs = 10_000,
		driftRunLength = defaultWatch.driftRunLength,
		sourceBudget = defaultWatch.sourceBudget,
		questions = sharedQuestions,
		warn = warnToConsole,
		...processOptions
	} = options;
	const parts: MachineDeps = {...processParts(processOptions), onRecorded(record) {
		watch.take(record);
	}};
	const {kernel, time, newId, metrics, loop} = parts;
	const actor = createActor(createProcessMachine(parts), {...(clock && {clock}), ...(inspect && {inspect})});
	disableActorList(actor);
	const events = new IdentityEvents(warn);
	const requests = new PendingRequests(actor);
	const {journal} = parts;
	const repeated = new RepeatedCycles(journal && (async id => journal.find(id)));
	actor.on('*', event => {
		events.emit(event);
	});

	const snapshot = () => actor.getSnapshot();
	const isDaemonRunning = () => selectDaemon(snapshot(), time).daemonRunning;
	const embeddingModel = nameModel(options.encoder ?? loadBundledEncoder);

	const getContext = () => ready(snapshot());
	const past = new Past(parts.journal, kernel, () => getContext().boot, questions);
	const recentTexts = parts.journal && new RecentTexts(parts.journal, kernel);
	const pastDeps: PastDeps = {
		...parts,
		past,
		recentTexts,
		getPresent() {
			const {state, vigilance, boot: made} = getContext();
			return {...made, state, vigilance};
		},
	};
	const asked = (): Answering => {
		const {state, boot: {directions}} = getContext();
		return {past, kernel, state, directions, drifts, unread};
	};

	const drifts = new DriftQuestions({
		past,
		getPresent() {
			const {state, validation, boot: {initial, directions}} = getContext();
			return {state, validation, initial, directions};
		},
		averageRunLength: driftRunLength,
		budget: sourceBudget,
		countEchoes: source => watch.countEchoes(source),
		onDrift(drift) {
			watch.takeDrift(drift);
		},
	});
	const watch = new Watch({
		...parts,
		questions,
		driftRunLength,
		sourceBudget,
		timers: clock ?? unrefTimers,
		getLife() {
			const {state, boot: made} = getContext();
			return {...made, state};
		},
		notify(notice) {
			actor.send(notice);
		},
		warn,
	});
	for (const changed of ['identity.validated', 'journal.recovered'] as const) {
		actor.on(changed, () => {
			watch.restart();
		});
	}

	actor.on('translation.done', ({id, translation: {text}}) => {
		void watch.takeTranslation(id, text);
	});

	const unread = new UnreadTexts(parts.journal, () => snapshot().context.boot?.languages);
	actor.on('cycle.done', ({id, tokenReport: {language}}) => {
		unread.take(id, language);
	});
	actor.on('reset.done', () => {
		unread.clear();
	});

	actor.on('boot.step', ({report: {warnings}}) => {
		for (const warning of warnings) {
			warn(warning);
		}
	});

	let isDraining = false;
	/** Calls that were accepted, those included that wait for the boot. */
	const underWay = new Set<Promise<unknown>>();
	let pendingCycles = 0;
	const hold = limitPendingBytes(maxPendingBytes, 'Texts');
	let pendingDryRuns = 0;
	let pendingTranslations = 0;

	/** @throws {UnavailableError} when nothing more is accepted. */
	const requireRunning = () => {
		if (isDraining) {
			throw new UnavailableError('The process is stopping.');
		}
	};

	/** @throws {UnavailableError} when nothing may change the state now. */
	const requireWritable = () => {
		const {journalError} = ready(snapshot());
		if (journalError !== null) {
			throw haltedError(journalError);
		}
	};

	const waitForBoot = async (): Promise<Awaited<ReturnType<LocalIdentity['ready']>>> => {
		const settled = await waitFor(actor, state => !state.matches('booting'));
		if (settled.matches('stopped')) {
			bootSignal?.throwIfAborted();
			throw new UnavailableError('The process was stopped.');
		}

		return settled.context.report;
	};

	/** Performs a call when the boot is done: at once where it is, so that calls are accepted in their order. */
	const accept = async <Answer>(call: () => Answer | Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
		const perform = async (): Promise<Answer> => {
			signal?.throwIfAborted();
			if (snapshot().matches('booting')) {
				// What follows says how a boot has failed.
				await withSignal(boot.catch(() => {}), signal);
			}

			return call();
		};

		const answer = perform();
		underWay.add(answer);
		try {
			return await answer;
		} finally {
			underWay.delete(answer);
		}
	};

	/** Takes on a text, unless too much is under way. */
	const admit = async <Answer>(request: string | CycleRequest, perform: (order: CheckedRequest) => Answer | Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
		requireRunning();
		const order = checkRequest(typeof request === 'string' ? {content: request} : request);
		if (pendingCycles >= maxPendingCycles) {
			throw new BusyError(`${maxPendingCycles} cycles are under way already; try again in a moment.`, 1);
		}

		const held = hold();
		held.add(order.content.length + JSON.stringify(order.metadata).length);
		pendingCycles++;
		try {
			return await accept(() => perform(order), signal);
		} finally {
			pendingCycles--;
			held.release();
		}
	};

	/** For what no caller waits for. */
	const orWarn = async (freed: Promise<void>): Promise<void> => {
		try {
			await freed;
		} catch (error) {
			warn(`A part of the identity could not be freed: ${reasonOf(error)}`, error);
		}
	};

	let disposal: Promise<void> | undefined;
	const stop = async () => {
		isDraining = true;
		const recording = new Set(selectRecording(snapshot()).map(cycle => cycle.getSnapshot().context.order.id));
		actor.send({type: 'stop'});
		watch.close();
		past.close(new UnavailableError('The process is stopping.'));
		requests.failAll(id => new UnavailableError(recording.has(id)
			? 'The process is stopping. The journal says whether this cycle was kept.'
			: 'The process is stopping.'));
		try {
			await freeParts(parts);
		} finally {
			events.emit(Object.freeze({type: 'stopped'}));
		}
	};

	const dispose = async () => disposal ??= stop();

	const isHeld = () => events.hasListeners || isDaemonRunning();

	const isIdle = () => {
		const {context: {turns}, status} = snapshot();
		return status !== 'active' || (underWay.size === 0 && turns?.line.length === 0 && !isHeld());
	};

	const drain = async ({keepsLoop = false}: DrainOptions = {}) => {
		isDraining = true;
		const stopLoop = () => {
			if (!keepsLoop) {
				actor.send({type: 'daemon.stop'});
			}
		};

		while (underWay.size > 0) {
			stopLoop();
			await Promise.allSettled(underWay);
		}

		if (snapshot().status === 'active') {
			stopLoop();
			// The daemon's own cycle, for which no caller waits, may be on its way to the journal.
			await waitFor(actor, state => selectRecording(state).length === 0);
		}
	};

	actor.subscribe({
		error(error) {
			events.emit(Object.freeze({type: 'failed', error}));
			// `ready` says how a boot has failed. Any other error is a defect, and must be seen.
			if (snapshot().context.boot) {
				requests.failAll(() => error);
				throw error;
			}

			// Its machine frees the parts.
			void orWarn(freeParts(parts));
		},
		complete() {
			if (snapshot().matches('moved')) {
				watch.close();
				past.close(movedError());
				requests.failAll(movedError);
			}
		},
	});
	const boot = waitForBoot();
	const abortBoot = () => {
		void orWarn(dispose());
	};

	const followBoot = async () => {
		bootSignal?.addEventListener('abort', abortBoot);
		try {
			const report = await boot;
			watch.restart();
			events.emit(Object.freeze({type: 'ready', report}));
		} catch {
			// The events `failed` and `stopped` say it.
		} finally {
			bootSignal?.removeEventListener('abort', abortBoot);
		}
	};

	actor.start();
	void followBoot();
	if (bootSignal?.aborted) {
		abortBoot();
	}

	return withKnownNames<LocalIdentity>({
		actor,
		ready: async () => boot,

		cycle: async (request, {signal}: CallOptions = {}) => admit(request, ({id: given, ...order}) => {
			requireWritable();
			const run = async (id: string) => {
				signal?.throwIfAborted();
				requireWritable();
				const answer = requests.answerTo<CycleAnswer>(id, () => {
					actor.send({type: 'cycle', id, ...order});
				}, {
					signal,
					cancel() {
						actor.send({type: 'cycle.cancel', id});
					},
				});
				return journal ? knowOutcome(answer, id, {actor, find: async sought => journal.find(sought)}) : answer;
			};

			return given === null ? repeated.inOrder(async () => run(newId())) : repeated.answerTo({...order, id: given}, async () => run(given), signal);
		}, signal),

		async dryRun(request, {signal}: CallOptions = {}) {
			if (pendingDryRuns >= maxPendingDryRuns) {
				throw new BusyError(`${maxPendingDryRuns} dry runs are under way already; try again in a moment.`, 1);
			}

			pendingDryRuns++;
			try {
				return await admit(request, async order => dryRun(order, pastDeps, signal), signal);
			} finally {
				pendingDryRuns--;
			}
		},

		async whatIf(request = {}, {signal}: CallOptions = {}) {
			requireRunning();
			return accept(async () => askWhatIf(request, pastDeps, signal), signal);
		},

		async stateAt(moment, {signal}: CallOptions = {}) {
			requireRunning();
			return accept(async () => toTensorView((await past.find(moment, signal)).state), signal);
		},

		async fork({at} = {}) {
			requireRunning();
			return accept(async () => {
				const {state, vigilance, boot: made} = getContext();
				const place = at === undefined ? {state, cumulativeDrift: vigilance.report.cumulativeDrift} : await past.find(at);
				return openIdentity({...forkOptions(parts, made, place), questions});
			});
		},

		async reset() {
			requireRunning();
			return accept(() => repeated.inOrder(() => {
				requireWritable();
				const id = newId();
				return requests.answerTo<{stateId: number}>(id, () => {
					actor.send({type: 'reset', id});
				});
			}));
		},

		async validate({note, acceptUnread = false}, {signal}: CallOptions = {}) {
			requireRunning();
			const checked = checkNote(note);
			const perform = () => repeated.inOrder(() => {
				if (!acceptUnread) {
					requireRead(unread.note());
				}

				requireWritable();
				const id = newId();
				return requests.answerTo<ValidationView>(id, () => {
					actor.send({type: 'validate', id, note: checked});
				});
			});
			// At once where nothing is to be read, so that it is accepted in its order.
			return accept(() => acceptUnread || unread.isRead ? perform() : unread.refresh().then(perform), signal);
		},

		async translate({context = null} = {}, {signal}: CallOptions = {}) {
			requireRunning();
			if (pendingTranslations >= maxPendingTranslations) {
				throw new BusyError(`${maxPendingTranslations} translations are under way already; try again in a few seconds.`, 5);
			}

			pendingTranslations++;
			try {
				const translation = await accept(() => {
					if (!ready(snapshot()).boot.hasTranslator) {
						throw new UnavailableError('Translator is unavailable: no language model is configured.');
					}

					const id = newId();
					return requests.answerTo<Translation>(id, () => {
						actor.send({type: 'translate', id, context});
					}, {
						signal,
						cancel() {
							actor.send({type: 'translate.cancel', id});
							requests.fail(id, signal!.reason);
						},
					});
				}, signal);
				const note = await unread.read();
				return note === null ? translation : Object.freeze({...translation, note});
			} finally {
				pendingTranslations--;
			}
		},

		daemon: {
			async start() {
				requireRunning();
				return accept(() => {
					const started = !isDaemonRunning();
					actor.send({type: 'daemon.start'});
					return {started, ...(started && {config: loop})};
				});
			},

			stop: async () => accept(() => {
				const stopped = isDaemonRunning();
				actor.send({type: 'daemon.stop'});
				return {stopped};
			}),

			status: () => selectDaemon(snapshot(), time),
		},

		health: () => selectHealth(snapshot(), time, embeddingModel),
		readiness: () => withNote(selectReadiness(snapshot(), isDraining), unread.note()),
		state: () => selectState(snapshot()),
		tensor: () => selectTensor(snapshot()),
		vigilance: () => selectVigilance(snapshot(), kernel),
		metrics: () => selectMetrics(snapshot(), metrics),
		profile: () => selectProfile(snapshot(), kernel),
		scaledProfile: ({lens} = {}) => withNote(selectScaledProfile(snapshot(), kernel, lens, drifts.noise()), unread.note()),
		watch: () => watch.view(),
		records: async (from, count) => past.read(from, count),

		...answering(computations, async (compute, request, signal) => accept(() => compute(asked(), request, signal), signal)),

		on: (type, listener) => events.on(type, listener),
		events: ({signal}: CallOptions = {}) => events.stream(signal),

		isIdle,
		isHeld,
		drain,
		dispose,
		async [Symbol.asyncDispose]() {
			// XState's clocks fit.
			await waitAtMost(drain(), drainTimeoutMs, clock ?? unrefTimers);
			await dispose();
		},
	});
};

/**
 * Opens an identity: resolves when it is ready. Where the boot fails, what it held is freed.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value
 * @throws what failed the boot; the reason of the option `signal` when it aborts first
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 *
 * await using identity = await openIdentity();
 * const {stateId} = await identity.cycle('The sea is quiet today.');
 * console.log(`state ${stateId}`);
 * ```
 */
export const openIdentity = async (options: IdentityOptions = {}): Promise<LocalIdentity> => whenReady(createIdentity(options));

/** Waits for an identity's boot. Where it fails, what the identity held is freed. @throws what failed the boot */
export const whenReady = async (identity: LocalIdentity): Promise<LocalIdentity> => {
	try {
		await identity.ready();
		return identity;
	} catch (error) {
		// What could not be freed matters less than why the boot failed.
		await identity.dispose().catch(() => {});
		throw error;
	}
};
