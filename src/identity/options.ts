/** The options of an identity, and their check: JavaScript callers may give anything. */
import type {ActorOptions, AnyActorLogic} from 'xstate';
import {journalMethods} from '../journal/journal.ts';
import type {ProcessOptions} from '../actors/process-parts.ts';
import type {ForgetElsewhere} from './ask-forget.ts';
import type {Encoder} from '../embedding/encoder.ts';
import type {Warn} from '../platform/errors.ts';
import type {Authority} from '../semiosis/fixation.ts';
import type {Person} from '../semiosis/reference.ts';
import type {Themes} from '../sources/themes.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {ranges, requireAllowed, trueOrFalse, whole, within, type Check} from '../platform/ranges.ts';
import {requireKnownNames} from '../platform/unknown-names.ts';

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

const has = (...methods: string[]) => (value: unknown): boolean =>
	typeof value === 'object' && value !== null && methods.every(method => typeof (value as Record<string, unknown>)[method] === 'function');

const isFunction = (value: unknown): boolean => typeof value === 'function';

const source = ({isAllowed, expected}: Check): Check => ({
	isAllowed: value => isFunction(value) || isAllowed(value), expected: `${expected}, or a function that makes one`,
});

const nullable = ({isAllowed, expected}: Check): Check => ({
	isAllowed: value => value === null || isAllowed(value), expected: `${expected}, or null`,
});

const functionCheck: Check = {isAllowed: isFunction, expected: 'a function'};
const count = whole(ranges.count);

/** The options of {@link IdentityOfOptions}, in a table that the compiler keeps whole. */
const checksOfDoor: Record<keyof IdentityOfOptions, Check> = {
	maxPendingCycles: count,
	maxPendingBytes: whole(ranges.bytes),
	maxPendingTranslations: count,
	clock: {isAllowed: has('setTimeout', 'clearTimeout'), expected: 'a clock, with setTimeout and clearTimeout'},
	drainTimeoutMs: within(ranges.waitMilliseconds),
	forgetElsewhere: functionCheck,
	warn: functionCheck,
};

const checks: Record<keyof IdentityOptions, Check> = {
	...checksOfDoor,
	encoder: source({
		isAllowed: (value: Partial<Encoder> | null) => typeof value?.passport?.model === 'string' && isFunction(value.embed),
		expected: 'an encoder, with a passport that has a model, and embed',
	}),
	themes: source({
		isAllowed: (value: Partial<Themes> | null) => Array.isArray(value?.rumination) && Array.isArray(value.corpus),
		expected: 'themes, with the lists rumination and corpus',
	}),
	journal: nullable(source({isAllowed: has(...journalMethods), expected: 'a journal, such as one of createSqliteJournal'})),
	directions: source({isAllowed: Array.isArray, expected: 'a list of directions'}),
	initialState: nullable(
		source({isAllowed: (value: Partial<StateTensor> | null) => Array.isArray(value?.rows), expected: 'a StateTensor'}),
	),
	requireInitialState: trueOrFalse,
	person: source({
		isAllowed: (value: Partial<Person> | null) => value?.words !== undefined && value.profile !== undefined,
		expected: 'a person, with words and profile',
	}),
	calibrate: trueOrFalse,
	authority: source({
		isAllowed: (value: Partial<Authority> | null) => Array.isArray(value?.articles) && Array.isArray(value.anchors),
		expected: 'an authority, with the lists articles and anchors',
	}),
	corroborate: nullable(functionCheck),
	translator: nullable(source({isAllowed: has('translate'), expected: 'a translator, with translate'})),
	guard: {isAllowed: (value: unknown) => typeof value === 'object' && value !== null, expected: 'an object such as {named: true}'},
	loop: {isAllowed: (value: unknown) => typeof value === 'object' && value !== null, expected: 'an object such as defaultLoop'},
	kernel: {
		isAllowed: has('compare', 'move', 'drift', 'project', 'similarity', 'dots', 'cosines', 'nearest', 'adjust'),
		expected: 'a kernel, such as one of selectKernel',
	},
	questions: {isAllowed: has('run'), expected: 'places for questions, such as new Questions()'},
	time: {isAllowed: has('now', 'elapsed'), expected: 'clocks, with now and elapsed'},
	random: functionCheck,
	newId: functionCheck,
	inspect: {isAllowed: (value: unknown) => isFunction(value) || has('next')(value), expected: 'a function or an observer'},
	signal: {isAllowed: has('throwIfAborted'), expected: 'an AbortSignal'},
};

/** @throws {ConfigurationError} naming the first option that is unknown or has a wrong value */
export const requireOptions = (options: IdentityOptions): void => {
	requireKnownNames('An identity', options, checks);
	requireAllowed(options, checks);
};

/** @throws {ConfigurationError} as {@link requireOptions} does; also for a part, which belongs to the machine */
export const requireOptionsOfDoor = (options: IdentityOfOptions): void => {
	requireKnownNames('identityOf', options, checksOfDoor);
	requireAllowed(options, checksOfDoor);
};
