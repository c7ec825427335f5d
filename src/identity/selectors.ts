/**
 * The reads: each view is a function of one snapshot, and of the time where it has a duration.
 *
 * Views without a duration are made once per context: XState replaces the context whenever
 * something in it changes, and the profile of a hundred directions is asked for more often.
 */
import type {AnyActorRef} from 'xstate';
import {deepFreeze, memoizeWeak} from '../platform/immutable.ts';
import {InputError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {lenses, readScaledProfile, withNoise, type Lens, type Noise} from '../instruments/scaled-profile.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Metrics} from '../actors/metrics.ts';
import {projectProfiles, referenceSimilarity} from '../semiosis/profile.ts';
import {describePath, unchangedReport} from '../semiosis/vigilance.ts';
import {dimensions, type Dimension} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {Time} from '../platform/clock.ts';
import type {StepReport} from '../actors/boot.ts';
import type {ProcessSnapshot} from '../actors/process.ts';
import {movedError, readyContext, type ReadyContext} from '../actors/process-context.ts';
import type {
	DaemonView, HealthView, MetricsView, ProfileView, ReadinessView, ScaledProfileView, StateView, TensorView, VigilanceView,
} from './views.ts';

/** How many floats of each row `GET /state` shows. */
export const shownFloats = 10;

/** @param configuredModel Stands for the model until it is loaded, which says its name itself. */
export const selectHealth = ({context: {startedAt, state, boot}}: ProcessSnapshot, time: Time, configuredModel: string): HealthView =>
	Object.freeze({
		uptimeSeconds: startedAt === null ? 0 : (time.elapsed() - startedAt) / 1000, stateId: state?.stateId ?? -1,
		embeddingModel: boot?.passport.model ?? configuredModel,
	});

export const selectReadiness = (snapshot: ProcessSnapshot, isStopping: boolean): ReadinessView => {
	const {context: {state, journalError, report, boot}, status, error} = snapshot;
	const warningsOf = (step: StepReport['step']) => report.find(made => made.step === step)?.warnings;
	const parts = {
		model: warningsOf('model') ? 'ok' : 'loading',
		state: status === 'error' ? reasonOf(error) : stateOf(state !== null, isStopping || status !== 'active'),
		journal: journalError ?? (state === null ? 'opening' : 'ok'),
	};
	const languages = boot?.languages;
	const isReady = Object.values(parts).every(part => part === 'ok');
	return deepFreeze({
		ready: isReady,
		isTemporary: !isReady && status === 'active' && !isStopping,
		// A process works without its store; but a random identity must not be taken for the stored one.
		parts: {...parts, store: warningsOf('initialState')?.join(' ') || 'ok'},
		...(languages && {languages: [...languages]}),
	});
};

const stateOf = (isThere: boolean, isStopping: boolean): string => {
	if (isStopping) {
		return 'stopping';
	}

	return isThere ? 'ok' : 'starting';
};

export const selectState = (snapshot: ProcessSnapshot): StateView => stateView(ready(snapshot));

const stateView = memoizeWeak(({state}: ReadyContext): StateView => deepFreeze({
	stateId: state.stateId,
	timestamp: state.timestamp,
	dimensions: Object.fromEntries(
		dimensions.map((dimension, d) => [dimension, [...state.rows[d]!.subarray(0, shownFloats)]]),
	) as Record<Dimension, number[]>,
}));

export const selectTensor = (snapshot: ProcessSnapshot): TensorView => toTensorView(ready(snapshot).state);

/** Copied: the kernel and later states share the rows. */
export const toTensorView = ({stateId, timestamp, rows}: StateTensor): TensorView =>
	Object.freeze({
		stateId, timestamp,
		dimensions: Object.freeze(
			Object.fromEntries(dimensions.map((dimension, d) => [dimension, rows[d]!.slice()])) as Record<Dimension, Float32Array>,
		),
	});

export const selectVigilance = (snapshot: ProcessSnapshot, kernel: Kernel): VigilanceView => vigilanceView(kernel)(ready(snapshot));

const vigilanceView = memoizeWeak((kernel: Kernel) => memoizeWeak(({vigilance, state, boot: {initial}}: ReadyContext): VigilanceView => {
	const {level, cumulativeDrift, top, message} = unchangedReport(vigilance);
	const path = () => describePath(kernel, vigilance, initial.rows, state.stateId - initial.stateId);
	return deepFreeze({level, cumulativeDrift, topDriftingDimensions: top, message: message && `${message} ${path()}`});
}));

export const selectMetrics = (snapshot: ProcessSnapshot, metrics: Metrics): MetricsView => {
	ready(snapshot);
	const {status, uptimeHours, totalCycles, cyclesLastHour, alerts} = metrics.read();
	return deepFreeze({status, uptimeHours, totalCycles, cyclesLastHour, alerts});
};

/** The actors of the cycles that had their turn and are not durable yet: they have no place in the line. */
export const selectRecording = ({children, context: {turns}}: ProcessSnapshot): AnyActorRef[] => {
	const waiting = new Set(turns?.line.map(({actor}) => actor));
	return Object.values(children as Record<string, AnyActorRef>).filter(({id}) => id.startsWith('cycle-') && !waiting.has(id));
};

type DaemonSnapshot = ReturnType<NonNullable<ProcessSnapshot['children']['daemon']>['getSnapshot']>;

/** The mode, and whether the loop runs. */
export const selectMode = (daemon: DaemonSnapshot): Pick<DaemonView, 'mode' | 'isRuminating' | 'daemonRunning'> => {
	const {mode} = daemon.value;
	return {mode, isRuminating: mode === 'autonomous', daemonRunning: daemon.matches({loop: 'running'})};
};

export const selectDaemon = (snapshot: ProcessSnapshot, time: Time): DaemonView => {
	ready(snapshot);
	const daemon = snapshot.children.daemon!.getSnapshot();
	const {counters, lastTrigger} = daemon.context;
	return deepFreeze({
		...selectMode(daemon),
		lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
		cyclesBreakdown: counters,
		cyclesSinceLastUser: counters.veille + counters.corpus + counters.rumination_free,
		timeSinceLastUserSeconds: lastTrigger && (time.elapsed() - lastTrigger.elapsed) / 1000,
	});
};

export const selectProfile = (snapshot: ProcessSnapshot, kernel: Kernel): ProfileView => {
	const context = ready(snapshot);
	requireDirections(context);
	return profileView(kernel)(context);
};

const requireDirections = ({boot: {directions}}: ReadyContext): void => {
	if (directions.length === 0) {
		throw new UnavailableError('Directions are not loaded, so there is nothing to project the state on; the log of the startup says why.');
	}
};

const profileView = memoizeWeak((kernel: Kernel) => memoizeWeak(({state, boot: {reference, directions}}: ReadyContext): ProfileView => {
	const [profile, referenceProfile] = projectProfiles(kernel, [state.rows, reference.rows], directions);
	return deepFreeze({
		stateId: state.stateId,
		directionsCount: directions.length,
		profile: profile!,
		referenceProfile: referenceProfile!,
		referenceSimilarity: referenceSimilarity(kernel, state.rows, reference.rows),
	});
}));

export const selectScaledProfile = (
	snapshot: ProcessSnapshot, kernel: Kernel, lens: Lens = 'own', noise: Noise | null = null,
): ScaledProfileView => {
	if (!lenses.includes(lens)) {
		throw new InputError(`A profile has the lenses ${lenses.join(' and ')}, not “${String(lens)}”.`);
	}

	const context = ready(snapshot);
	requireDirections(context);
	const view = scaledProfileViews[lens](kernel)(context);
	return noise ? noisyView(noise)(view) : view;
};

const scaledProfileViewOn = (lens: Lens) =>
	memoizeWeak((kernel: Kernel) =>
		memoizeWeak(({state, boot: {isRandom, initial, directions}}: ReadyContext): ScaledProfileView =>
			deepFreeze(readScaledProfile(kernel, state, directions, lens, isRandom ? initial.rows : null)),
		),
	);

/** Twins are computed after the view may have been read. */
const noisyView = memoizeWeak((noise: Noise) =>
	memoizeWeak((view: ScaledProfileView): ScaledProfileView => deepFreeze(withNoise(view, noise))),
);

const scaledProfileViews = {own: scaledProfileViewOn('own'), thirdness: scaledProfileViewOn('thirdness')};

/** What there is only while the process is ready. @throws {UnavailableError} before and after. */
export const ready = ({status, value, context, error}: ProcessSnapshot): ReadyContext => {
	if (value === 'moved') {
		throw movedError();
	}

	switch (status) {
		case 'active': {
			return readyContext(context);
		}

		case 'error': {
			throw new UnavailableError(`The process ${context.boot ? 'has failed' : 'could not start'}: ${reasonOf(error)}`, {cause: error});
		}

		default: {
			throw new UnavailableError('The process is stopped.');
		}
	}
};
