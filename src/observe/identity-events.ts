/**
 * The events of an identity, with wire names: those that its process emits, and changes in the snapshots of the process and
 * the daemon.
 */
import type {Subscription} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import type {CycleEnd, ProcessEmitted} from '../actors/process-events.ts';
import {selectMode} from '../identity/selectors.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Level} from '../semiosis/vigilance.ts';
import {byDimension} from '../kernel/dimensions.ts';
import {errorFields, redactedMessage, redactPaths} from '../wire/errors.ts';
import {dataInEvents, type IdentityEventType} from '../wire/event-types.ts';
import {renameAll, snakeName} from '../wire/rename.ts';

/** The root actor of a running process. */
export type IdentityActor = LocalIdentity['actor'];

type ProcessSnapshot = ReturnType<IdentityActor['getSnapshot']>;
type ProcessContext = ProcessSnapshot['context'];
type Daemon = NonNullable<ProcessSnapshot['children']['daemon']>;

export type StreamedEvent = {
	type: IdentityEventType;
	/** The data, with wire names. */
	data: object;
	/** The data with texts, if the event has any. */
	dataWithTexts?: object;
};

/** Events that a person should look at. Echoes are not among them, since one source may cause very many. */
export const alertTypes = ['drift.alarm', 'source.changed', 'source.noticed', 'source.taken_up'] as const satisfies
	readonly IdentityEventType[];

type Listener = (event: StreamedEvent) => void;

const inWireNames = (data: object): object => renameAll(data, snakeName, dataInEvents) as object;

export const toEvent = (type: IdentityEventType, data: object, dataWithTexts?: object): StreamedEvent =>
	({type, data: inWireNames(data), ...(dataWithTexts && {dataWithTexts: inWireNames(dataWithTexts)})});

const describeFailure = (error: unknown) => ({message: redactedMessage(error), ...errorFields(error)});

const facts = (event: {type: string}) => {
	const {type: _, ...data} = event;
	return data;
};

const failed = ({error, ...event}: {type: string; error: unknown}) => ({...facts(event), ...describeFailure(error)});

const settled = ({id, stateId, texts}: {id: string; stateId: number; texts: number}) => ({id, stateId, texts});

const cycleEnd = ({
	id, trigger, origin, result, scores, cumulativeDrift, level, tokenReport: {isTruncated: truncated, ...report}, steps, timestamp,
}: Readonly<CycleEnd>) => ({
	id, trigger, origin, ...result, scores: byDimension((_, d) => scores[d]!), cumulativeDrift, level, ...report, truncated, steps, timestamp,
});

/** The data of each event that the process emits. */
const emitted: {[Type in ProcessEmitted['type']]: (event: Extract<ProcessEmitted, {type: Type}>) => object} = {
	'boot.step': ({report}) => describeStep(report),
	'cycle.done': cycleEnd,
	'cycle.held': cycleEnd,
	'cycle.failed': failed,
	'cycle.cancelled': facts,
	'reset.done': facts,
	'reset.failed': failed,
	'identity.validated': facts,
	'validation.failed': failed,
	'identity.revised': ({id, stateId}) => ({id, stateId}),
	'revision.failed': failed,
	'replay.progress': facts,
	'held.released': settled,
	'held.dropped': settled,
	'settlement.failed': failed,
	'journal.failed': failed,
	'journal.recovered': facts,
	moved: facts,
	'translation.done': ({id}) => ({id}),
	'translation.failed': failed,
	'drift.alarm': facts,
	'echo.noticed': facts,
	'source.changed': facts,
	'source.noticed': facts,
	'source.taken_up': facts,
};

/** An event of the process with wire names. */
export const emittedEvent = (event: ProcessEmitted): StreamedEvent => toEvent(
	event.type, emitted[event.type](event as never), event.type === 'translation.done' ? {id: event.id, ...event.translation} : undefined,
);

/** Calls the listener for every event from now on, until the returned function is called. */
export const subscribeToIdentity = (actor: IdentityActor, listener: Listener): (() => void) => {
	let {context, children: {daemon}, value} = actor.getSnapshot();
	let ofDaemon = daemon && subscribeToDaemon(daemon, listener);
	const ofEmitted = actor.on('*', event => listener(emittedEvent(event)));
	const ofProcess = actor.subscribe({
		next(snapshot) {
			const {vigilance: before} = context;
			context = snapshot.context;
			const isBooted = value === 'booting' && snapshot.value !== 'booting' && snapshot.status === 'active';
			value = snapshot.value;
			if (context.vigilance !== before) {
				for (const event of stateEvents(context, before?.report.level)) {
					listener(event);
				}
			}

			if (!daemon && snapshot.children.daemon) {
				daemon = snapshot.children.daemon;
				listener(modeEvent(daemon));
				ofDaemon = subscribeToDaemon(daemon, listener);
			}

			if (isBooted) {
				listener(toEvent('ready', {report: context.report.map(describeStep)}));
			}
		},
		// The identity's owner handles the error. Without a handler here, XState would report it as unhandled.
		error: error => listener(toEvent('failed', describeFailure(error))),
		complete() {
			if (value !== 'moved') {
				listener(toEvent('stopped', {}));
			}
		},
	});
	return () => {
		for (const subscription of [ofEmitted, ofProcess, ofDaemon]) {
			subscription?.unsubscribe();
		}
	};
};

const describeStep = ({step, milliseconds, warnings}: StepReport) =>
	({step, milliseconds, warnings: warnings.map(warning => redactPaths(warning))});

/** The present state and mode as events, as far as they exist yet. */
export const currentEvents = (actor: IdentityActor): StreamedEvent[] => {
	const {context, children: {daemon}} = actor.getSnapshot();
	return [...stateEvents(context), ...daemon ? [modeEvent(daemon)] : []];
};

const subscribeToDaemon = (daemon: Daemon, listener: Listener): Subscription => {
	let before = selectMode(daemon.getSnapshot());
	return daemon.subscribe(snapshot => {
		const now = selectMode(snapshot);
		const isLoopChanged = now.daemonRunning !== before.daemonRunning;
		if (isLoopChanged) {
			listener(toEvent(now.daemonRunning ? 'daemon.started' : 'daemon.stopped', {}));
		}

		if (isLoopChanged || now.mode !== before.mode) {
			listener(modeEvent(daemon));
		}

		before = now;
	});
};

/** The present state, and its level if that has changed; nothing before the boot has made a state. */
const stateEvents = ({state, vigilance}: ProcessContext, levelBefore?: Level): StreamedEvent[] => {
	if (!state || !vigilance) {
		return [];
	}

	const {stateId, timestamp} = state;
	const {level, cumulativeDrift, distances} = vigilance.report;
	return [
		toEvent('state', {stateId, timestamp, level, cumulativeDrift, distances: byDimension((_, d) => distances[d]!)}),
		...levelBefore !== undefined && level !== levelBefore ? [toEvent('vigilance.level', {level, cumulativeDrift})] : [],
	];
};

const modeEvent = (daemon: Daemon): StreamedEvent => toEvent('mode.changed', selectMode(daemon.getSnapshot()));
