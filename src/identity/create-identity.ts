/** Creates an identity with a separate actor system, or for an actor in an application's system. */
import {createActor, toObserver, type ActorRefFrom, type InspectionEvent} from 'xstate';
import {createProcessMachine} from '../actors/process.ts';
import {processParts} from '../actors/process-parts.ts';
import {ConfigurationError, reasonOf, warnToConsole, withoutThrowing} from '../platform/errors.ts';
import type {LocalIdentity} from './identity.ts';
import {createLocalIdentity, findIdentity} from './local-identity.ts';
import {partsOf, requireIdentityOfOptions, requireIdentityOptions, type IdentityOfOptions, type IdentityOptions} from './options.ts';
import type {ProcessActor} from './pending-requests.ts';

/**
 * Creates an identity and starts its boot. Requests wait until the boot is done; `ready()` and the events `ready` and
 * `failed` report its outcome. Meant for a program that serves while it boots; otherwise use {@link openIdentity}.
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
export const createIdentity = (options: IdentityOptions = {}): LocalIdentity => {
	requireIdentityOptions(options);
	const {clock, signal} = options;
	const actor = createActor(createProcessMachine(processParts(partsOf(options))), {...(clock && {clock}), ...observeSafely(options)});
	const {identity, follow} = createLocalIdentity(actor, options, openIdentity, signal);
	actor.start();
	follow();
	return identity;
};

/** XState lets an observer's error interrupt the actor, which would then handle no further event. */
const observeSafely = ({inspect, warn = warnToConsole}: IdentityOptions): {inspect?: (event: InspectionEvent) => void} => {
	const tell = withoutThrowing(warn);
	const observer = inspect && toObserver(inspect);
	return observer ? {
		inspect(event) {
			try {
				observer.next?.(event);
			} catch (error) {
				tell(`The option inspect failed: ${reasonOf(error)}`, error);
			}
		},
	} : {};
};

/**
 * Opens an identity and resolves when it is ready. If the boot fails, its resources are freed.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value
 * @throws the error that failed the boot; the reason of the option `signal` if it aborts first
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
 * Returns the identity of a process in your own actor system: promises, views, questions and events. The actor may be in
 * any state. If its parent stops it, the identity ends; `dispose` stops the actor. A second call for the same actor
 * returns the same identity.
 *
 * @throws {ConfigurationError} for an actor whose machine `createProcessMachine` did not make, for an option that is
 * unknown or has a wrong value, and for options given when the actor already has an identity
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
	// In XState every reference to an actor is the actor itself.
	const actor = actorRef as ProcessActor;
	const found = findIdentity(actor);
	if (found && options) {
		throw new ConfigurationError('This actor already has an identity. Give the options in the first call of identityOf.');
	}

	if (found) {
		return found;
	}

	requireIdentityOfOptions(options ?? {});
	const {identity, follow} = createLocalIdentity(actor, options ?? {}, openIdentity);
	follow();
	return identity;
};

/** Waits for an identity's boot. If it fails, the identity is disposed of. @throws the error that failed the boot */
export const whenReady = async (identity: LocalIdentity): Promise<LocalIdentity> => {
	try {
		await identity.ready();
		return identity;
	} catch (error) {
		// Why the boot failed matters more than a failed disposal.
		await identity.dispose().catch(() => {});
		throw error;
	}
};
