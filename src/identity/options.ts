/** The options of an identity, and their check: JavaScript callers may give anything. */
import type {ActorOptions, AnyActorLogic} from 'xstate';
import {functionCheck, has, isFunction, partChecks} from '../actors/part-checks.ts';
import type {ProcessOptions} from '../actors/process-parts.ts';
import type {ForgetElsewhere} from './ask-forget.ts';
import type {Warn} from '../platform/errors.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';

/** How an identity takes on work, and what it tells of. */
export type IdentityOfOptions = {
	/** How many cycles may be under way at once; more are refused with {@link BusyError}. @default 1000 */
	maxPendingCycles?: number;
	/**
	 * Bytes of contents and metadata, one for each character, that may be under way at once; a cycle that would be more
	 * is refused with {@link BusyError}.
	 * @default 64 MiB
	 */
	maxPendingBytes?: number;
	/** How many translations may be under way at once; more are refused with {@link BusyError}. @default 4 */
	maxPendingTranslations?: number;
	/**
	 * XState's clock, which times the daemon's loop, and the pause before a journal that failed is tried again.
	 * @default the timers of the program, which do not keep it alive
	 */
	clock?: ActorOptions<AnyActorLogic>['clock'];
	/** How long `await using` waits for what was accepted, in milliseconds. @default 10,000 */
	drainTimeoutMs?: number;
	/** Forgets texts where else they are, such as in a store; called before they leave the journal. @default nothing else has them */
	forgetElsewhere?: ForgetElsewhere | undefined;
	/** Called with warnings: of the boot, of a listener that fails, of a part that cannot be freed. @default console.warn */
	warn?: Warn;
};

/** What an identity is made of; each part has a default that needs nothing. */
export type IdentityOptions = ProcessOptions & IdentityOfOptions & {
	/** XState's inspection: an observer of every event and snapshot of the system. */
	inspect?: ActorOptions<AnyActorLogic>['inspect'];
	/** Aborts the boot, which then fails with the signal's reason. Without effect from then on. */
	signal?: AbortSignal | undefined;
};

const count = whole(ranges.count);

const checksOfDoor: Checks<IdentityOfOptions> = {
	maxPendingCycles: count,
	maxPendingBytes: whole(ranges.bytes),
	maxPendingTranslations: count,
	clock: {isAllowed: has('setTimeout', 'clearTimeout'), expected: 'a clock, with setTimeout and clearTimeout'},
	drainTimeoutMs: within(ranges.waitMilliseconds),
	forgetElsewhere: functionCheck,
	warn: functionCheck,
};

const allChecks: Checks<IdentityOptions> = {
	...checksOfDoor, ...partChecks,
	inspect: {isAllowed: (value: unknown) => isFunction(value) || has('next')(value), expected: 'a function or an observer'},
	signal: {isAllowed: has('throwIfAborted'), expected: 'an AbortSignal'},
};

/** @throws {ConfigurationError} naming the first option that is unknown or has a wrong value */
export const requireIdentityOptions = (options: IdentityOptions): void => requireOptions('An identity', options, allChecks);

/** @throws {ConfigurationError} as {@link requireIdentityOptions} does; also for a part, which belongs to the machine */
export const requireOptionsOfDoor = (options: IdentityOfOptions): void => requireOptions('identityOf', options, checksOfDoor);

/** The options that are parts of the machine. */
export const partsOf = (options: IdentityOptions): ProcessOptions =>
	Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(partChecks, name)));
