/** An identity with its own actor system, and the identity of an actor in the system of an application. */
import {createActor, type ActorRefFrom} from 'xstate';
import {createProcessMachine} from '../actors/process.ts';
import {processParts} from '../actors/process-parts.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {computations as ownComputations, type Computations} from './computations.ts';
import type {LocalIdentity} from './identity.ts';
import {createLocalIdentity, findIdentity} from './local-identity.ts';
import {partsOf, requireIdentityOptions, requireOptionsOfDoor, type IdentityOfOptions, type IdentityOptions} from './options.ts';
import type {ProcessActor} from './pending-requests.ts';

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

export const createAnswering = (computations: Computations, options: IdentityOptions = {}): LocalIdentity => {
	requireIdentityOptions(options);
	const {clock, inspect, signal} = options;
	const actor = createActor(createProcessMachine(processParts(partsOf(options))), {...(clock && {clock}), ...(inspect && {inspect})});
	const {identity, follow} = createLocalIdentity(actor, options, {signal, open: openIdentity, computations});
	actor.start();
	follow();
	return identity;
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

/**
 * The identity of a process in an actor system of your own: requests with promises, views, questions and events. The
 * actor may be at any point of its life; one that its parent stops ends its identity. `dispose` ends the actor.
 * Asked again, it gives the same identity.
 *
 * @throws {ConfigurationError} for an actor whose machine `createProcessMachine` did not make, for an option that is
 * unknown or has a wrong value, and for options of an identity that is there already
 *
 * @example
 * ```ts
 * import {identityOf} from 'processual-state';
 * import {createProcessMachine} from 'processual-state/actors';
 * import {createActor} from 'xstate';
 *
 * const identity = identityOf(createActor(createProcessMachine()).start());
 * const {stateId} = await identity.cycle('The sea is quiet today.');
 * console.log(`state ${stateId}: ${identity.vigilance().level}`);
 * await identity.dispose();
 * ```
 */
export const identityOf = (actorRef: ActorRefFrom<typeof createProcessMachine>, options?: IdentityOfOptions): LocalIdentity => {
	// Every reference that XState gives is its actor.
	const actor = actorRef as ProcessActor;
	const found = findIdentity(actor);
	if (found && options) {
		throw new ConfigurationError('This actor has an identity already. Give the options where identityOf is called first.');
	}

	if (found) {
		return found;
	}

	requireOptionsOfDoor(options ?? {});
	const {identity, follow} = createLocalIdentity(actor, options ?? {}, {
		signal: undefined, open: openIdentity, computations: ownComputations,
	});
	follow();
	return identity;
};

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
