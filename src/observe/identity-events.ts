/**
 * What the identity does and becomes, as events in the names of the wire: what its process
 * emits, and what changes in the snapshots of the process and of the daemon.
 *
 * The data of an event is made when it is first read: most events never are. It refers to small
 * values only, so that a buffered event does not keep a state in memory.
 */
import type {Subscription} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import {selectMode} from '../identity/selectors.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Level} from '../semiosis/vigilance.ts';
import {dimensions} from '../kernel/dimensions.ts';
import {errorFields} from '../wire/errors.ts';
import {redactedMessage, redactPaths} from '../wire/redact-paths.ts';
import {toSnakeCase} from '../wire/snake-case.ts';
import type {IdentityEventType} from './event-types.ts';

/** The root actor of a running process. */
export type IdentityActor = LocalIdentity['actor'];

type ProcessSnapshot = ReturnType<IdentityActor['getSnapshot']>;
type ProcessContext = ProcessSnapshot['context'];
type Daemon = NonNullable<ProcessSnapshot['children']['daemon']>;

export type IdentityEvent = {
	type: IdentityEventType;
	data: () => object;
	/** The same with texts, where it has some. */
	dataWithTexts?: () => object;
};

type Listener = (event: IdentityEvent) => void;

const watchNotices = ['drift.alarm', 'echo.noticed', 'source.noticed'] as const;

/** Calls the listener at every event from now on, until the returned function is called. */
export const subscribeToIdentity = (actor: IdentityActor, listener: Listener): (() => void) => {
	const subscriptions: Subscription[] = [
		actor.on('boot.step', ({report}) => {
			listener({type: 'boot.step', data: () => describeStep(report)});
		}),
		actor.on('cycle.done', ({id, trigger, origin, result, scores, steps, tokenReport: {tokens, isTruncated: truncated, unknownShare, language}}) => {
			const {context} = actor.getSnapshot();
			const {timestamp} = context.state!;
			const {level, cumulativeDrift} = reportOf(context)!;
			listener({
				type: 'cycle.done',
				data: () => toSnakeCase({id, trigger, origin, ...result, scores: byDimension(scores), cumulativeDrift, level, tokens, truncated, unknownShare, language, steps, timestamp}),
			});
		}),
		actor.on('cycle.failed', ({id, trigger, origin, error, steps}) => {
			const failure = describeFailure(error);
			listener({type: 'cycle.failed', data: () => ({id, trigger, origin, ...failure, steps})});
		}),
		actor.on('cycle.cancelled', ({id}) => {
			listener({type: 'cycle.cancelled', data: () => ({id})});
		}),
		actor.on('reset.done', ({id, stateId}) => {
			listener({type: 'reset.done', data: () => toSnakeCase({id, stateId})});
		}),
		actor.on('reset.failed', ({id, error}) => {
			const failure = describeFailure(error);
			listener({type: 'reset.failed', data: () => ({id, ...failure})});
		}),
		actor.on('identity.validated', ({type, ...validation}) => {
			listener({type, data: () => toSnakeCase(validation)});
		}),
		actor.on('validation.failed', ({id, error}) => {
			const failure = describeFailure(error);
			listener({type: 'validation.failed', data: () => ({id, ...failure})});
		}),
		actor.on('journal.failed', ({error}) => {
			const failure = describeFailure(error);
			listener({type: 'journal.failed', data: () => failure});
		}),
		actor.on('journal.recovered', () => {
			listener({type: 'journal.recovered', data: () => ({})});
		}),
		actor.on('moved', () => {
			listener({type: 'moved', data: () => ({})});
		}),
		actor.on('translation.done', ({id, translation}) => {
			listener({type: 'translation.done', data: always({id}), dataWithTexts: () => toSnakeCase({id, ...translation})});
		}),
		actor.on('translation.failed', ({id, error}) => {
			const failure = describeFailure(error);
			listener({type: 'translation.failed', data: () => ({id, ...failure})});
		}),
		...watchNotices.map(noticed => actor.on(noticed, ({type, ...notice}) => {
			listener({type, data: () => toSnakeCase(notice)});
		})),
	];

	let {context, children: {daemon}, value} = actor.getSnapshot();
	if (daemon) {
		subscriptions.push(subscribeToDaemon(daemon, listener));
	}

	subscriptions.push(actor.subscribe({
		next(snapshot) {
			const before = context;
			context = snapshot.context;
			const isBooted = value === 'booting' && snapshot.value !== 'booting' && snapshot.status === 'active';
			value = snapshot.value;
			if (context.vigilance !== before.vigilance) {
				publishState(context, reportOf(before)?.level, listener);
			}

			if (!daemon && snapshot.children.daemon) {
				daemon = snapshot.children.daemon;
				listener(modeEvent(daemon));
				subscriptions.push(subscribeToDaemon(daemon, listener));
			}

			if (isBooted) {
				const {report} = context;
				listener({type: 'ready', data: () => ({report: report.map(describeStep)})});
			}
		},
		// The owner of the identity handles it; without a listener here, XState reports it as unhandled.
		error(error) {
			const failure = describeFailure(error);
			listener({type: 'failed', data: () => failure});
		},
		complete() {
			if (value !== 'moved') {
				listener({type: 'stopped', data: () => ({})});
			}
		},
	}));

	return () => {
		for (const subscription of subscriptions) {
			subscription.unsubscribe();
		}
	};
};

const describeStep = ({step, milliseconds, warnings}: StepReport) => ({step, milliseconds, warnings: warnings.map(warning => redactPaths(warning))});

/** Made by itself, the function keeps nothing else in memory. */
const always = (data: object) => () => data;

const describeFailure = (error: unknown) => ({message: redactedMessage(error), ...errorFields(error)});

/** The present state and mode as events, as far as the boot has come. */
export const currentEvents = (actor: IdentityActor): IdentityEvent[] => {
	const {context, children: {daemon}} = actor.getSnapshot();
	return [stateEvent(context), daemon ? modeEvent(daemon) : null].filter(event => event !== null);
};

const publishState = (context: ProcessContext, levelBefore: Level | undefined, listener: Listener): void => {
	const event = stateEvent(context);
	if (event) {
		listener(event);
		const {level, cumulativeDrift} = reportOf(context)!;
		if (levelBefore !== undefined && level !== levelBefore) {
			listener({type: 'vigilance.level', data: () => toSnakeCase({level, cumulativeDrift})});
		}
	}
};

const subscribeToDaemon = (daemon: Daemon, listener: Listener): Subscription => {
	let before = selectMode(daemon.getSnapshot());
	return daemon.subscribe(snapshot => {
		const now = selectMode(snapshot);
		const isLoopChanged = now.daemonRunning !== before.daemonRunning;
		if (isLoopChanged) {
			listener({type: now.daemonRunning ? 'daemon.started' : 'daemon.stopped', data: () => ({})});
		}

		if (isLoopChanged || now.mode !== before.mode) {
			listener(modeEvent(daemon));
		}

		before = now;
	});
};

/** Null before the boot has made a state. */
const stateEvent = (context: ProcessContext): IdentityEvent | null => {
	const report = reportOf(context);
	if (!context.state || !report) {
		return null;
	}

	const {stateId, timestamp} = context.state;
	const {level, cumulativeDrift, distances} = report;
	return {type: 'state', data: () => toSnakeCase({stateId, timestamp, level, cumulativeDrift, distances: byDimension(distances)})};
};

const modeEvent = (daemon: Daemon): IdentityEvent => {
	const mode = selectMode(daemon.getSnapshot());
	return {type: 'mode.changed', data: () => toSnakeCase(mode)};
};

/** Null before the boot has one. */
const reportOf = ({vigilance}: ProcessContext) => vigilance?.report ?? null;

export const byDimension = (values: ArrayLike<number>): Record<string, number> =>
	Object.fromEntries(dimensions.map((dimension, d) => [dimension, values[d]!]));
