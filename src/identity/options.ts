/** The options of an identity, and their checks: JavaScript callers may pass anything. */
import type {ActorOptions, AnyActorLogic} from 'xstate';
import {functionCheck, has, isFunction, partChecks} from '../actors/part-checks.ts';
import type {ProcessOptions} from '../actors/process-parts.ts';
import type {ForgetElsewhere} from './ask-forget.ts';
import type {Warn} from '../platform/errors.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';

/** The limits, timers and warnings of an identity. */
export type IdentityOfOptions = {
	/** Most cycles under way at once; further ones are refused with {@link BusyError}. @default 1000 */
	maxPendingCycles?: number;
	/**
	 * Most bytes of contents and metadata under way at once, counting one per character. A cycle that would exceed it is
	 * refused with {@link BusyError}.
	 * @default 64 MiB
	 */
	maxPendingBytes?: number;
	/** Most translations under way at once; further ones are refused with {@link BusyError}. @default 4 */
	maxPendingTranslations?: number;
	/**
	 * XState's clock: it times the daemon's loop and the pause before a failed journal is retried.
	 * @default real timers: those of a running loop keep the program alive
	 */
	clock?: ActorOptions<AnyActorLogic>['clock'];
	/** How long `await using` waits for accepted calls, in milliseconds. @default 10,000 */
	drainTimeoutMs?: number;
	/** Forgets texts outside the journal, such as in a store; called before they leave the journal. @default not called */
	forgetElsewhere?: ForgetElsewhere | undefined;
	/** Called with warnings, such as those of the boot, of a failing listener, or of a part that cannot be freed. @default console.warn */
	warn?: Warn;
};

/** The parts of an identity, each with a default that needs no setup, and its other options. */
export type IdentityOptions = ProcessOptions & IdentityOfOptions & {
	/** XState's inspection: an observer of every event and snapshot of the system. If it throws, `warn` is called. */
	inspect?: ActorOptions<AnyActorLogic>['inspect'];
	/** Aborts the boot, which then fails with the signal's reason. No effect after the boot. */
	signal?: AbortSignal | undefined;
};

const count = whole(ranges.count);

const identityOfChecks: Checks<IdentityOfOptions> = {
	maxPendingCycles: count,
	maxPendingBytes: whole(ranges.bytes),
	maxPendingTranslations: count,
	clock: {isAllowed: has('setTimeout', 'clearTimeout'), expected: 'a clock, with setTimeout and clearTimeout'},
	drainTimeoutMs: within(ranges.waitMilliseconds),
	forgetElsewhere: functionCheck,
	warn: functionCheck,
};

const allChecks: Checks<IdentityOptions> = {
	...identityOfChecks, ...partChecks,
	inspect: {isAllowed: (value: unknown) => isFunction(value) || has('next')(value), expected: 'a function or an observer'},
	signal: {isAllowed: has('throwIfAborted'), expected: 'an AbortSignal'},
};

/** @throws {ConfigurationError} naming the first option that is unknown or has a wrong value */
export const requireIdentityOptions = (options: IdentityOptions): void => requireOptions('An identity', options, allChecks);

/** @throws {ConfigurationError} like {@link requireIdentityOptions}; also for a part, which belongs to the machine */
export const requireIdentityOfOptions = (options: IdentityOfOptions): void => requireOptions('identityOf', options, identityOfChecks);

/** The options that are parts of the machine. */
export const partsOf = (options: IdentityOptions): ProcessOptions =>
	Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(partChecks, name)));
