/**
 * The reads. Each view is a function of one snapshot, and of the time if it contains a duration. An identity adds to its
 * views what its process does not know.
 */
import type {AnyActorRef} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {findParts, type ProcessSnapshot} from '../actors/process.ts';
import {movedError, readyContext, type ReadyContext} from '../actors/process-context.ts';
import {describeQuarantine} from '../actors/quarantine.ts';
import {lenses, readScaledProfile, type Lens} from '../instruments/scaled-profile.ts';
import {byDimension} from '../kernel/dimensions.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {InputError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {projectProfiles, referenceSimilarity} from '../semiosis/profile.ts';
import {describePath, unchangedReport} from '../semiosis/vigilance.ts';
import type {FleetStanding} from '../instruments/fleet.ts';
import type {LocalIdentity} from './identity.ts';
import type {Watch} from './watch.ts';
import type {IdentityParts} from './local-identity.ts';
import {withNote} from './unread-texts.ts';
import {describeInForce} from '../instruments/describe-revision.ts';
import {
	shownFloats, type DaemonView, type HealthView, type ProfileView, type ReadinessView, type ScaledProfileView, type StateView,
	type TensorView, type VigilanceView,
} from './views.ts';

/** Safe, because `createProcessMachine` registers the parts of every process machine. */
const partsOf = ({machine}: ProcessSnapshot): MachineDeps => findParts(machine)!;

/**
 * Computes a view once per context. XState replaces the context when something in it changes; the profile of a hundred
 * directions is requested more often than that.
 */
const viewOf = <View>(compute: (context: ReadyContext, kernel: Kernel) => View): ((snapshot: ProcessSnapshot) => View) => {
	const views = new WeakMap<ReadyContext, View>();
	return snapshot => {
		const context = ready(snapshot);
		const view = views.get(context) ?? deepFreeze(compute(context, partsOf(snapshot).kernel));
		views.set(context, view);
		return view;
	};
};

const selectReadiness = (snapshot: ProcessSnapshot, isStopping: boolean): ReadinessView => {
	const {context: {state, journalError, report, boot}, status, error} = snapshot;
	const warningsOf = (step: StepReport['step']) => report.find(made => made.step === step)?.warnings;
	const parts = {
		model: warningsOf('model') ? 'ok' : 'loading',
		state: status === 'error' ? reasonOf(error) : isStopping || status !== 'active' ? 'stopping' : state ? 'ok' : 'starting',
		journal: journalError ?? (state === null ? 'opening' : 'ok'),
	};
	const languages = boot?.languages;
	const isReady = Object.values(parts).every(part => part === 'ok');
	return deepFreeze({
		ready: isReady,
		isTemporary: !isReady && status === 'active' && !isStopping,
		// A process works without its store, but a random identity must not be mistaken for the stored one.
		parts: {...parts, store: warningsOf('initialState')?.join(' ') || 'ok'},
		...(languages && {languages: [...languages]}),
	});
};

/** Copies the rows, which the kernel and later states share. */
export const toTensorView = ({stateId, timestamp, rows}: StateTensor): TensorView =>
	Object.freeze({stateId, timestamp, dimensions: Object.freeze(byDimension((_, d) => rows[d]!.slice()))});

/** The actors of cycles that have had their turn but are not durable yet: they are no longer in the queue. */
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

const requireDirections = ({boot: {directions}}: ReadyContext): void => {
	if (directions.length === 0) {
		throw new UnavailableError('Directions are not loaded, so there is nothing to project the state on. With an encoder of your own, '
			+ 'give the option directions; else the log of the startup says why.');
	}
};

const scaledProfileOn = (lens: Lens) => viewOf((context, kernel): ScaledProfileView => {
	requireDirections(context);
	const {state, boot: {isRandom, initial, directions}} = context;
	return readScaledProfile(kernel, state, directions, lens, isRandom ? initial.rows : null);
});

const scaledProfiles = {own: scaledProfileOn('own'), thirdness: scaledProfileOn('thirdness')};

const selectScaledProfile = (snapshot: ProcessSnapshot, lens: Lens = 'own'): ScaledProfileView => {
	if (!lenses.includes(lens)) {
		throw new InputError(`A profile has the lenses ${lenses.join(' and ')}, not “${String(lens)}”.`);
	}

	return scaledProfiles[lens](snapshot);
};

/**
 * The views as functions of a process snapshot, for `useSelector` or your own machine. They throw the same errors as an
 * identity's methods. Only an identity's methods add what the process does not know: notes, and whether it is draining.
 *
 * @example
 * ```ts
 * import {selectors} from 'processual-state';
 * import {createProcessMachine} from 'processual-state/actors';
 * import {createActor} from 'xstate';
 *
 * const actor = createActor(createProcessMachine()).start();
 * actor.subscribe(snapshot => {
 * 	if (snapshot.matches('ready')) {
 * 		console.log(selectors.state(snapshot).stateId, selectors.vigilance(snapshot).level);
 * 	}
 * });
 * ```
 */
export const selectors = {
	/** The uptime, the newest state's id, and the embedding model; answers in any state. */
	health(snapshot: ProcessSnapshot): HealthView {
		const {startedAt, state, boot} = snapshot.context;
		const {time, modelName} = partsOf(snapshot);
		return Object.freeze({
			uptimeSeconds: startedAt === null ? 0 : (time.elapsed() - startedAt) / 1000, stateId: state?.stateId ?? -1,
			embeddingModel: boot?.passport.model ?? modelName,
		});
	},
	/** Each part, and what is wrong with it; answers in any state. Ignores draining. */
	readiness: (snapshot: ProcessSnapshot) => selectReadiness(snapshot, false),
	/** The state's id, its time, and the first 10 floats of each dimension. */
	state: viewOf(({state: {stateId, timestamp, rows}}): StateView => ({
		stateId,
		timestamp,
		dimensions: byDimension((_, d) => [...rows[d]!.subarray(0, shownFloats)]),
	})),
	/** A copy of all floats. */
	tensor: (snapshot: ProcessSnapshot) => toTensorView(ready(snapshot).state),
	/** How far the state is from the reference person. */
	vigilance: viewOf(({vigilance, state, revision, boot: {initial}}, kernel): VigilanceView => {
		const {level, cumulativeDrift, top, message} = unchangedReport(vigilance);
		// After a revision, which has an id too, the path has fewer cycles than ids: only texts that still weigh something.
		const cycles = revision === undefined ? state.stateId - initial.stateId : null;
		const path = () => describePath(kernel, vigilance, initial.rows, cycles);
		return {level, cumulativeDrift, topDriftingDimensions: top, message: message && `${message} ${path()}`};
	}),
	/** The projections of the state on the directions, beside those of the reference person. */
	profile: viewOf((context, kernel): ProfileView => {
		requireDirections(context);
		const {state, boot: {reference, directions}} = context;
		const [profile, referenceProfile] = projectProfiles(kernel, [state.rows, reference.rows], directions);
		return {
			stateId: state.stateId,
			directionsCount: directions.length,
			profile: profile!,
			referenceProfile: referenceProfile!,
			referenceSimilarity: referenceSimilarity(kernel, state.rows, reference.rows),
		};
	}),
	/** The projections in units of ordinary sentences. */
	scaledProfile: (snapshot: ProcessSnapshot, lens?: Lens) => selectScaledProfile(snapshot, lens),
	/** The mode, whether the loop runs, and cycles counted by trigger. */
	daemon(snapshot: ProcessSnapshot): DaemonView {
		ready(snapshot);
		const daemon = snapshot.children.daemon!.getSnapshot();
		const {counters, lastTrigger} = daemon.context;
		return deepFreeze({
			...selectMode(daemon),
			lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
			cyclesBreakdown: counters,
			cyclesSinceLastUser: counters.veille + counters.corpus + counters.rumination_free,
			timeSinceLastUserSeconds: lastTrigger && (partsOf(snapshot).time.elapsed() - lastTrigger.elapsed) / 1000,
		});
	},
} as const;

/** An identity's row in a fleet; null while it is not ready. */
export const describeStanding = (snapshot: ProcessSnapshot, watch: Pick<Watch, 'describe'>): FleetStanding | null => {
	const {state, boot, tally, vigilance, quarantine, revision, validation} = snapshot.context;
	return snapshot.status !== 'active' || !state ? null : deepFreeze({
		records: partsOf(snapshot).journal?.records ?? 0, texts: state.stateId - boot!.initial.stateId,
		lastText: tally!.lastTrigger?.timestamp ?? null,
		level: unchangedReport(vigilance!).level, held: quarantine!.waiting, revision: revision?.id ?? null,
		validated: validation?.timestamp ?? null, watch: watch.describe(validation !== null),
	});
};

type Views = Pick<
	LocalIdentity,
	'health' | 'readiness' | 'state' | 'tensor' | 'vigilance' | 'metrics' | 'profile' | 'scaledProfile' | 'watch'
>;

export const createViews = ({actor, machine: {metrics}, admission, unread, watch}: IdentityParts): Views => {
	const snapshot = () => actor.getSnapshot();
	return {
		health: () => selectors.health(snapshot()),
		readiness: () => withNote(selectReadiness(snapshot(), admission.isClosed), unread.note()),
		state: () => selectors.state(snapshot()),
		tensor: () => selectors.tensor(snapshot()),
		vigilance: () => selectors.vigilance(snapshot()),
		metrics() {
			ready(snapshot());
			return deepFreeze(metrics.read());
		},
		profile: () => selectors.profile(snapshot()),
		scaledProfile({lens} = {}) {
			const {revision, quarantine} = ready(snapshot());
			const notes = [unread.note(), describeInForce(revision), describeQuarantine(quarantine)];
			return notes.reduce(withNote, selectScaledProfile(snapshot(), lens));
		},
		watch: () => watch.view(),
	};
};

/** The context of a ready process. @throws {UnavailableError} before and after */
export const ready = ({status, value, context, error}: ProcessSnapshot): ReadyContext => {
	if (value === 'moved') {
		throw movedError();
	}

	if (status === 'error') {
		throw new UnavailableError(`The process ${context.boot ? 'has failed' : 'could not start'}: ${reasonOf(error)}`, {cause: error});
	}

	if (status !== 'active') {
		throw new UnavailableError('The process is stopped.');
	}

	return readyContext(context);
};
