/** Builds an identity around a process actor: functions that send it events and wait for the answers. */
import type {MachineDeps} from '../actors/deps.ts';
import {withKnownNames} from './known-calls.ts';
import {untilNextCycle} from '../actors/daemon.ts';
import {findParts} from '../actors/process.ts';
import {unrefTimers, type Timers} from '../platform/clock.ts';
import {ConfigurationError, warnToConsole, withoutThrowing} from '../platform/errors.ts';
import {waitAtMost} from '../platform/waiting.ts';
import {RecentTexts} from '../instruments/past/recent-texts.ts';
import {Past} from '../instruments/past/past.ts';
import {Admission} from './admission.ts';
import {createAnswers} from './ask.ts';
import {DriftQuestions} from './ask-drift.ts';
import {createDigester} from './digester.ts';
import {createChanges} from './changes.ts';
import {IdentityEvents} from './events.ts';
import {HeldExpiry} from './held-expiry.ts';
import type {LocalIdentity} from './identity.ts';
import {Lifecycle, waitForBoot} from './lifecycle.ts';
import {type IdentityOfOptions, type IdentityOptions} from './options.ts';
import {PendingRequests, type ProcessActor} from './pending-requests.ts';
import {createViews, ready, describeStanding} from './selectors.ts';
import {UnreadTexts} from './unread-texts.ts';
import {Watch} from './watch.ts';

type Open = (options: IdentityOptions) => Promise<LocalIdentity>;

/** The identity of each actor. With two for one actor, a cycle repeated under its id would run twice. */
const identities = new WeakMap<ProcessActor, LocalIdentity>();

export const findIdentity = (actor: ProcessActor): LocalIdentity | undefined => identities.get(actor);

/** Makes the parts around the actor, and gathers those of its machine. */
const createParts = (actor: ProcessActor, options: IdentityOfOptions, open: Open, signal: AbortSignal | undefined) => {
	const {
		maxPendingCycles = 1000,
		maxPendingBytes = 2 ** 26,
		maxPendingTranslations = 4,
		forgetElsewhere,
	} = options;
	const warn = withoutThrowing(options.warn ?? warnToConsole);
	// An XState clock has the methods of `Timers`.
	const timers: Timers = options.clock ?? unrefTimers;
	const machine = requireParts(actor);
	const {kernel, journal, questions} = machine;
	const getContext = () => ready(actor.getSnapshot());
	const boot = waitForBoot(actor, signal);
	const past = new Past(journal, kernel, () => getContext().boot, questions);
	const recentTexts = journal && new RecentTexts(journal, kernel);
	const watch: Watch = new Watch({
		...machine,
		timers,
		getContext,
		askDrift: async end => drifts.drift({}, end),
		notify: notice => actor.send(notice),
		warn,
	});
	const digester = createDigester({recordListeners: machine.recordListeners, past, warn});
	const drifts = new DriftQuestions({
		past,
		getContext,
		countEchoes: source => watch.watcher && (watch.watcher.echoes.get(source) ?? 0),
	});
	return {
		actor, machine, forgetElsewhere, boot, past, recentTexts, watch, digester, drifts, questions, open, timers, warn,
		getContext,
		onProgress: (records: number, of: number) => actor.send({type: 'replay.progress', id: null, step: 'replaying', records, of}),
		events: new IdentityEvents(warn),
		requests: new PendingRequests(actor, timers),
		admission: new Admission(actor, boot, {maxPendingCycles, maxPendingBytes, maxPendingTranslations}),
		unread: new UnreadTexts(journal, () => actor.getSnapshot().context.boot?.languages),
	};
};

export type IdentityParts = ReturnType<typeof createParts>;

/**
 * Builds the identity of an actor.
 *
 * @param open Opens a fork.
 * @returns also `follow`, to be called once the actor is started: it follows the boot, which `bootSignal` aborts
 */
export const createLocalIdentity = (
	actor: ProcessActor, options: IdentityOfOptions, open: Open, bootSignal?: AbortSignal,
): {identity: LocalIdentity; follow: () => void} => {
	const parts = createParts(actor, options, open, bootSignal);
	const {boot, events, admission, unread, watch, timers} = parts;
	actor.on('*', event => events.emit(event));
	watch.follow(actor);
	unread.follow(actor);
	const lifecycle = new Lifecycle(parts);
	const isHeld = () => events.hasListeners;
	const untilCycle = () => {
		const {daemon} = actor.getSnapshot().children;
		return daemon ? untilNextCycle(daemon.getSnapshot(), parts.machine.time) : null;
	};
	const identity = withKnownNames<LocalIdentity>({
		actor,
		ready: async () => boot,
		...createChanges(parts),
		...createAnswers(parts),
		...createViews(parts),
		on: (type, listener) => events.on(type, listener),
		events: ({signal} = {}) => events.stream(signal),
		isIdle() {
			const {context: {turns}, status} = actor.getSnapshot();
			return status !== 'active' || (admission.isEmpty && turns?.line.length === 0 && untilCycle() !== 0 && !isHeld());
		},
		isHeld,
		standing: () => describeStanding(actor.getSnapshot(), watch),
		onStanding(listener) {
			const ofProcess = actor.subscribe({next: listener, error() {}});
			watch.changeListeners.add(listener);
			return () => {
				ofProcess.unsubscribe();
				watch.changeListeners.delete(listener);
			};
		},
		untilCycle,
		drain: async drainOptions => admission.drain(drainOptions),
		dispose: async () => lifecycle.dispose(),
		async [Symbol.asyncDispose]() {
			await waitAtMost(admission.drain(), options.drainTimeoutMs ?? 10_000, timers);
			await lifecycle.dispose();
		},
	});
	identities.set(actor, identity);
	const expiry = new HeldExpiry({...parts.machine, timers, warn: parts.warn, drop: async request => identity.dropHeld(request)});
	boot.then(() => expiry.follow(actor), () => {});
	return {
		identity,
		follow() {
			void lifecycle.follow(bootSignal);
		},
	};
};

/** @throws {ConfigurationError} for an actor that is not a process */
const requireParts = (actor: ProcessActor): MachineDeps => {
	const parts = findParts(actor);
	if (!parts) {
		throw new ConfigurationError('identityOf takes the actor of a machine that createProcessMachine has made.');
	}

	return parts;
};
