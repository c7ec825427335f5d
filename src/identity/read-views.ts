/** What an identity is now: the views, each a selector over the snapshot that its process publishes. */
import type {MachineDeps} from '../actors/deps.ts';
import {findParts, type ProcessSnapshot} from '../actors/process.ts';
import type {Lens} from '../instruments/scaled-profile.ts';
import type {LocalIdentity} from './identity.ts';
import type {IdentityParts} from './local-identity.ts';
import {
	selectDaemon, selectHealth, selectMetrics, selectProfile, selectReadiness, selectScaledProfile, selectState, selectTensor,
	selectVigilance,
} from './selectors.ts';
import {withNote} from './unread-texts.ts';

/** Every snapshot of a process is of a machine that is known. */
const partsOf = ({machine}: ProcessSnapshot): MachineDeps => findParts(machine)!;

/**
 * The views as functions of a snapshot of the process, for `useSelector` or a machine of your own. They throw as the
 * methods of an identity do. What an identity knows beside its process (notes, what chance does, whether it drains) is
 * in its own views alone.
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
	/** Answers in any state: whether it is ready, and with which model. */
	health: (snapshot: ProcessSnapshot) => selectHealth(snapshot, partsOf(snapshot).time, partsOf(snapshot).modelName),
	/** Answers in any state: each part, and what is wrong with it. It does not know of draining. */
	readiness: (snapshot: ProcessSnapshot) => selectReadiness(snapshot, false),
	/** Its number, its time, and the first floats of each dimension. */
	state: selectState,
	/** All floats, copied. */
	tensor: selectTensor,
	/** How far it is from the reference person. */
	vigilance: (snapshot: ProcessSnapshot) => selectVigilance(snapshot, partsOf(snapshot).kernel),
	/** Its projections on the directions, beside those of the reference person. */
	profile: (snapshot: ProcessSnapshot) => selectProfile(snapshot, partsOf(snapshot).kernel),
	/** Its directions on the scale of chance, without the noise of twins. */
	scaledProfile: (snapshot: ProcessSnapshot, lens?: Lens) => selectScaledProfile(snapshot, partsOf(snapshot).kernel, lens),
	/** The mode, the loop, and what its cycles came of. */
	daemon: (snapshot: ProcessSnapshot) => selectDaemon(snapshot, partsOf(snapshot).time),
} as const;

type Views = Pick<
	LocalIdentity,
	'health' | 'readiness' | 'state' | 'tensor' | 'vigilance' | 'metrics' | 'profile' | 'scaledProfile' | 'watch'
>;

export const createViews = ({actor, machine: {kernel, metrics}, admission, drifts, unread, watch}: IdentityParts): Views => {
	const snapshot = () => actor.getSnapshot();
	return {
		health: () => selectors.health(snapshot()),
		readiness: () => withNote(selectReadiness(snapshot(), admission.isClosed), unread.note()),
		state: () => selectors.state(snapshot()),
		tensor: () => selectors.tensor(snapshot()),
		vigilance: () => selectors.vigilance(snapshot()),
		metrics: () => selectMetrics(snapshot(), metrics),
		profile: () => selectors.profile(snapshot()),
		scaledProfile: ({lens} = {}) => withNote(selectScaledProfile(snapshot(), kernel, lens, drifts.noise()), unread.note()),
		watch: () => watch.view(),
	};
};
