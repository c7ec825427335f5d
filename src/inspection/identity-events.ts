/**
 * What the process has done or has become, as events for whoever watches: what it emits, and
 * what changes in its snapshot and in the daemon's. Names are the wire's.
 *
 * What an event says is put together when somebody hears it: mostly nobody does. It is made of
 * small values alone, so that an event that is kept keeps no state alive.
 */
import type {Subscription} from 'xstate';
import {selectMode} from '../actors/selectors.ts';
import {dimensions} from '../tensor/dimensions.ts';
import {redactedMessage, redactPaths} from '../wire/redact-paths.ts';
import type {RunningProcess} from '../identity/create-identity.ts';
import type {Level} from '../semiosis/vigilance.ts';
import type {IdentityEventType} from './event-types.ts';

/** The root actor of a running process. */
export type IdentityActor = RunningProcess['actor'];

type ProcessSnapshot = ReturnType<IdentityActor['getSnapshot']>;
type Daemon = NonNullable<ProcessSnapshot['children']['daemon']>;

export type Told = {type: IdentityEventType; data: () => object};

/** Tells of a process from now on, until the function that it returns is called. */
export const hearProcess = (actor: IdentityActor, tell: (told: Told) => void): (() => void) => {
	const subscriptions: Subscription[] = [
		actor.on('boot.step', ({report: {step, milliseconds, warnings}}) => {
			tell({type: 'boot.step', data: () => ({step, milliseconds, warnings: warnings.map(warning => redactPaths(warning))})});
		}),
		actor.on('cycle.done', ({id, trigger, origin, result, scores, tokenReport}) => {
			const {state, vigilance} = actor.getSnapshot().context;
			const {timestamp} = state!;
			const {level, cumulativeDrift} = vigilance!.value.report;
			tell({
				type: 'cycle.done',
				data: () => ({
					id,
					trigger,
					origin,
					state_id: result.stateId,
					delta_magnitude: result.deltaMagnitude,
					dissonance_total: result.dissonanceTotal,
					is_choc: result.isChoc,
					dimensions_affected: result.dimensionsAffected,
					scores: byDimension(scores),
					cumulative_drift: cumulativeDrift,
					level,
					processing_time_ms: result.processingTimeMs,
					tokens: tokenReport.tokens,
					truncated: tokenReport.isTruncated,
					unknown_share: tokenReport.unknownShare,
					timestamp,
				}),
			});
		}),
		actor.on('cycle.failed', ({id, trigger, origin, error}) => {
			const message = redactedMessage(error);
			tell({type: 'cycle.failed', data: () => ({id, trigger, origin, message})});
		}),
		actor.on('reset.done', ({stateId}) => {
			tell({type: 'reset.done', data: () => ({state_id: stateId})});
		}),
		actor.on('journal.failed', ({error}) => {
			const message = redactedMessage(error);
			tell({type: 'journal.failed', data: () => ({message})});
		}),
		actor.on('journal.mended', () => {
			tell({type: 'journal.mended', data: nothing});
		}),
		actor.on('translation.done', ({id}) => {
			tell({type: 'translation.done', data: () => ({id})});
		}),
		actor.on('translation.failed', ({id, error}) => {
			const message = redactedMessage(error);
			tell({type: 'translation.failed', data: () => ({id, message})});
		}),
	];

	let {context, children: {daemon}} = actor.getSnapshot();
	if (daemon) {
		subscriptions.push(hearDaemon(daemon, tell));
	}

	subscriptions.push(actor.subscribe((snapshot) => {
		const before = context;
		context = snapshot.context;
		if (context.vigilance !== before.vigilance) {
			tellState(snapshot, before.vigilance?.value.report.level, tell);
		}

		if (!daemon && snapshot.children.daemon) {
			daemon = snapshot.children.daemon;
			tell(modeOf(daemon));
			subscriptions.push(hearDaemon(daemon, tell));
		}
	}));

	return () => {
		for (const subscription of subscriptions) {
			subscription.unsubscribe();
		}
	};
};

/** What stands now, as the events that would have told it: the state and the mode, as far as there are any. */
export const standing = (actor: IdentityActor): Told[] => {
	const snapshot = actor.getSnapshot();
	const {daemon} = snapshot.children;
	return [stateOf(snapshot), ...(daemon ? [modeOf(daemon)] : [])].filter(told => told !== null);
};

const tellState = (snapshot: ProcessSnapshot, levelBefore: Level | undefined, tell: (told: Told) => void): void => {
	const told = stateOf(snapshot);
	if (told) {
		tell(told);
		const {level, cumulativeDrift} = snapshot.context.vigilance!.value.report;
		if (levelBefore !== undefined && level !== levelBefore) {
			tell({type: 'vigilance.level', data: () => ({level, cumulative_drift: cumulativeDrift})});
		}
	}
};

const hearDaemon = (daemon: Daemon, tell: (told: Told) => void): Subscription => {
	let before = selectMode(daemon.getSnapshot());
	return daemon.subscribe(snapshot => {
		const now = selectMode(snapshot);
		if (now.daemonRunning !== before.daemonRunning) {
			tell({type: now.daemonRunning ? 'daemon.started' : 'daemon.stopped', data: nothing});
		}

		if (now.mode !== before.mode || now.daemonRunning !== before.daemonRunning) {
			tell(modeOf(daemon));
		}

		before = now;
	});
};

const stateOf = ({context: {state, vigilance}}: ProcessSnapshot): Told | null => {
	if (!state || !vigilance) {
		return null;
	}

	const {stateId, timestamp} = state;
	const {level, cumulativeDrift, distances} = vigilance.value.report;
	return {
		type: 'state',
		data: () => ({state_id: stateId, timestamp, level, cumulative_drift: cumulativeDrift, distances: byDimension(distances)}),
	};
};

const modeOf = (daemon: Daemon): Told => {
	const {mode, isRuminating, daemonRunning} = selectMode(daemon.getSnapshot());
	return {type: 'mode.changed', data: () => ({mode, is_ruminating: isRuminating, daemon_running: daemonRunning})};
};

const nothing = () => ({});

const byDimension = (values: ArrayLike<number>): Record<string, number> =>
	Object.fromEntries(dimensions.map((dimension, d) => [dimension, values[d]!]));
