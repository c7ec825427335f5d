/**
 * The reads: each view is a function of one snapshot, and of the time where a duration is told.
 *
 * Views without a duration are made once per context: XState replaces the context whenever
 * something in it changes, and the profile of a hundred directions is asked for more often.
 */
import {deepFreeze} from '../deep-freeze.ts';
import {reasonOf, UnavailableError} from '../errors.ts';
import {memoizeWeak} from '../memoize-weak.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {projectProfiles, referenceSimilarity} from '../semiosis/profile.ts';
import {unchangedReport, type Vigilance} from '../semiosis/vigilance.ts';
import {dimensions, type Dimension} from '../tensor/dimensions.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import type {Time} from '../clock.ts';
import type {Born, StepReport} from './boot.ts';
import type {ProcessSnapshot} from './process.ts';
import type {DaemonView, HealthView, MetricsView, ProfileView, ReadinessView, StateView, VigilanceView} from './views.ts';

/** How many floats of each row `GET /state` shows. */
const shown = 10;

export const selectHealth = ({context: {startedAt, state, embeddingModel, born}}: ProcessSnapshot, time: Time): HealthView => Object.freeze({
	uptimeSeconds: startedAt === null ? 0 : (time.elapsed() - startedAt) / 1000,
	stateId: state?.stateId ?? -1,
	embeddingModel: born?.value.encoder.passport.model ?? embeddingModel,
});

export const selectReadiness = (snapshot: ProcessSnapshot, isStopping: boolean): ReadinessView => {
	const {context: {state, journalTrouble, report, failure, born}, status} = snapshot;
	const warningsOf = (step: StepReport['step']) => report.find(made => made.step === step)?.warnings;
	const parts = {
		model: warningsOf('model') ? 'ok' : 'loading',
		state: failure === null ? stateOf(state !== null, isStopping || status !== 'active') : reasonOf(failure),
		journal: journalTrouble ?? (state === null ? 'opening' : 'ok'),
	};
	const languages = born?.value.encoder.languages;
	return deepFreeze({
		ready: Object.values(parts).every(part => part === 'ok'),
		// A process works without its store; but nobody shall take a random identity for the stored one.
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

export const selectState = (snapshot: ProcessSnapshot): StateView => stateView(living(snapshot));

const stateView = memoizeWeak(({state}: Living): StateView => deepFreeze({
	stateId: state.stateId,
	timestamp: state.timestamp,
	dimensions: Object.fromEntries(
		dimensions.map((dimension, d) => [dimension, [...state.rows[d]!.subarray(0, shown)]]),
	) as Record<Dimension, number[]>,
}));

export const selectVigilance = (snapshot: ProcessSnapshot): VigilanceView => vigilanceView(living(snapshot));

const vigilanceView = memoizeWeak(({vigilance}: Living): VigilanceView => {
	const {level, cumulativeDrift, top, message} = unchangedReport(vigilance);
	return deepFreeze({level, cumulativeDrift, topDriftingDimensions: top, message});
});

export const selectMetrics = (snapshot: ProcessSnapshot): MetricsView => {
	const {status, uptimeHours, totalCycles, cyclesLastHour, alerts} = living(snapshot).metrics.read();
	return deepFreeze({status, uptimeHours, totalCycles, cyclesLastHour, alerts});
};

type DaemonSnapshot = ReturnType<NonNullable<ProcessSnapshot['children']['daemon']>['getSnapshot']>;

/** The mode, and whether the loop runs. */
export const selectMode = (daemon: DaemonSnapshot): Pick<DaemonView, 'mode' | 'isRuminating' | 'daemonRunning'> => {
	const {mode} = daemon.value;
	return {mode, isRuminating: mode === 'autonomous', daemonRunning: daemon.matches({loop: 'running'})};
};

export const selectDaemon = (snapshot: ProcessSnapshot, time: Time): DaemonView => {
	const daemon = snapshot.children.daemon?.getSnapshot();
	if (!daemon) {
		throw notReady(snapshot);
	}

	const {counters, lastTrigger} = daemon.context;
	return deepFreeze({
		...selectMode(daemon),
		lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
		cyclesBreakdown: counters,
		cyclesSinceLastUser: counters.veille + counters.corpus + counters.rumination_free,
		timeSinceLastUserSeconds: lastTrigger && (time.elapsed() - lastTrigger.elapsed) / 1000,
	});
};

export const selectProfile = (snapshot: ProcessSnapshot): ProfileView => {
	const alive = living(snapshot);
	if (alive.directions.length === 0) {
		throw new UnavailableError('Directions are not loaded, so there is nothing to project the state on; the log of the startup says why.');
	}

	return profileView(alive);
};

const profileView = memoizeWeak(({state, reference, directions, kernel}: Living): ProfileView => {
	const [profile, referenceProfile] = projectProfiles(kernel, [state.rows, reference.rows], directions);
	return deepFreeze({
		stateId: state.stateId,
		directionsCount: directions.length,
		profile: profile!,
		referenceProfile: referenceProfile!,
		referenceSimilarity: referenceSimilarity(kernel, state.rows, reference.rows),
	});
});

/** Everything that stands only while the process is ready. @throws {UnavailableError} before and after. */
export const living = (snapshot: ProcessSnapshot): Living => {
	const alive = snapshot.status === 'active' ? livingOf(snapshot.context) : null;
	if (!alive) {
		throw notReady(snapshot);
	}

	return alive;
};

type Living = Born & {kernel: Kernel; state: StateTensor; vigilance: Vigilance; journalTrouble: string | null};

const livingOf = memoizeWeak(({born, services, state, vigilance, journalTrouble}: ProcessSnapshot['context']): Living | null =>
	born && services && state && vigilance
		? {...born.value, kernel: services.value.kernel, state, vigilance: vigilance.value, journalTrouble}
		: null);

const notReady = ({status, context: {failure}}: ProcessSnapshot): UnavailableError => {
	if (failure !== null) {
		return new UnavailableError(`The process could not start: ${reasonOf(failure)}`, {cause: failure, retryable: false});
	}

	return status === 'active'
		? new UnavailableError('The process is still starting, so there is no state yet; try again in a moment.')
		: new UnavailableError('The process is stopped.', {retryable: false});
};
