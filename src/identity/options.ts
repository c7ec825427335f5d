/** The options of an identity, and their check: JavaScript callers may give anything. */
import type {ActorOptions, AnyActorLogic} from 'xstate';
import type {Corroborate, EncoderBoot} from '../actors/deps.ts';
import {requireLoop, type LoopConfig} from '../actors/loop.ts';
import type {Random, Time} from '../clock.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError} from '../errors.ts';
import type {Journal} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Translator} from '../language/translator.ts';
import type {Authority} from '../semiosis/fixation.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {Person} from '../semiosis/reference.ts';
import type {Source} from '../sources/source.ts';
import type {Themes} from '../sources/themes.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import type {Warn} from '../warn.ts';

/** What an identity is made of; each part has a default that needs nothing. */
export type IdentityOptions = {
	/**
	 * Text → vector. A value is lent; what a function makes is disposed of at the end, which waits for a load under way.
	 *
	 * @default the bundled model, which is not imported otherwise; a page cannot have it
	 */
	encoder?: Source<Encoder, EncoderBoot>;
	/** What the daemon's loop thinks about. @default the sentences of the package, which a page cannot read */
	themes?: Source<Themes>;
	/** The journal, which the identity opens, and closes at its end. @default null: state is kept in memory only */
	journal?: Source<Journal> | null;
	/** How many cycles may be under way at once; more are refused with {@link BusyError}. @default 1000 */
	maxPendingCycles?: number;
	/** Bytes of contents and metadata, one for each character, that may be under way at once; a cycle that would be more is refused with {@link BusyError}. @default 64 MiB */
	maxPendingBytes?: number;
	/** How many translations may be under way at once; more are refused with {@link BusyError}. @default 4 */
	maxPendingTranslations?: number;
	/** What profiles project on. @default the built-in catalogue with the bundled model, whose vectors come with the package; with another model none, and the profile is unavailable */
	directions?: Source<readonly Direction[]>;
	/** Where a new identity begins. @default null: eight random unit rows with state id 0; `readiness` says so */
	initialState?: Source<StateTensor | null>;
	/** Whether the boot fails where an identity begins, or has begun, at random. @default false */
	requireInitialState?: boolean;
	/** Who the reference is. @default an unknown person: the reference is a copy of the initial state */
	person?: Source<Person>;
	/** Whether the reference is moved towards the profile that the person declares. @default true */
	calibrate?: boolean;
	/** What authority holds to be true. @default the minimal authority, which has no articles */
	authority?: Source<Authority>;
	/** What science finds near a vector; it gives no support where it finds nothing. A failure fails the cycle. @default null: nothing */
	corroborate?: Corroborate | null;
	/** Projections → words. @default null: translation is unavailable */
	translator?: Source<Translator | null>;
	/** How the daemon paces itself. @default {@link defaultLoop}: about 100 cycles a day */
	loop?: LoopConfig;
	/** What computes. @default the fastest whose bits are the same on every host and which runs here */
	kernel?: Kernel;
	/** The clocks that are read; waiting is `clock`'s. @default the system's */
	time?: Time;
	/** What the daemon draws with, and a random state. @default Math.random */
	random?: Random;
	/** Makes ids. @default crypto.randomUUID, which a page has over HTTPS and from localhost only */
	newId?: () => string;
	/** XState's clock, which times the daemon's loop, and the pause before a journal that failed is tried again. */
	clock?: ActorOptions<AnyActorLogic>['clock'];
	/** XState's inspection: an observer of every event and snapshot of the system. */
	inspect?: ActorOptions<AnyActorLogic>['inspect'];
	/** Aborts the boot, which then fails with the signal's reason. Without effect from then on. */
	signal?: AbortSignal | undefined;
	/** How long `await using` waits for what was accepted, in milliseconds. @default 10,000 */
	drainTimeoutMs?: number;
	/** Hears of a listener that fails, and of a part that cannot be freed. @default console.warn */
	warn?: Warn;
};

type Check = {isAllowed: (value: never) => boolean; expected: string};

const has = (...methods: string[]) => (value: unknown): boolean =>
	typeof value === 'object' && value !== null && methods.every(method => typeof (value as Record<string, unknown>)[method] === 'function');

const isFunction = (value: unknown): boolean => typeof value === 'function';

const source = ({isAllowed, expected}: Check): Check => ({isAllowed: value => isFunction(value) || isAllowed(value), expected: `${expected}, or a function that makes one`});

const nullable = ({isAllowed, expected}: Check): Check => ({isAllowed: value => value === null || isAllowed(value), expected: `${expected}, or null`});

const functionCheck: Check = {isAllowed: isFunction, expected: 'a function'};
const flag: Check = {isAllowed: value => typeof value === 'boolean', expected: 'true or false'};
const limit: Check = {isAllowed: value => typeof value === 'number' && value >= 0, expected: 'a number from 0 on'};

/** Every option, in a table that the compiler keeps whole. */
const checks: Record<keyof IdentityOptions, Check> = {
	encoder: source({isAllowed: (value: Partial<Encoder> | null) => typeof value?.passport?.model === 'string' && isFunction(value.embed), expected: 'an encoder, with a passport that has a model, and embed'}),
	themes: source({isAllowed: (value: Partial<Themes> | null) => Array.isArray(value?.rumination) && Array.isArray(value.corpus), expected: 'themes, with the lists rumination and corpus'}),
	journal: nullable(source({isAllowed: has('open', 'begin', 'append', 'close'), expected: 'a journal, such as one of createSqliteJournal'})),
	maxPendingCycles: limit,
	maxPendingBytes: limit,
	maxPendingTranslations: limit,
	directions: source({isAllowed: Array.isArray, expected: 'a list of directions'}),
	initialState: nullable(source({isAllowed: (value: Partial<StateTensor> | null) => Array.isArray(value?.rows), expected: 'a StateTensor'})),
	requireInitialState: flag,
	person: source({isAllowed: (value: Partial<Person> | null) => value?.words !== undefined && value.profile !== undefined, expected: 'a person, with words and profile'}),
	calibrate: flag,
	authority: source({isAllowed: (value: Partial<Authority> | null) => Array.isArray(value?.articles) && Array.isArray(value.anchors), expected: 'an authority, with the lists articles and anchors'}),
	corroborate: nullable(functionCheck),
	translator: nullable(source({isAllowed: has('translate'), expected: 'a translator, with translate'})),
	loop: {isAllowed: (value: unknown) => typeof value === 'object' && value !== null, expected: 'an object such as defaultLoop'},
	kernel: {isAllowed: has('compare', 'move', 'drift', 'project', 'similarity', 'dots', 'cosines', 'nearest', 'adjust'), expected: 'a kernel, such as one of selectKernel'},
	time: {isAllowed: has('now', 'elapsed'), expected: 'clocks, with now and elapsed'},
	random: functionCheck,
	newId: functionCheck,
	clock: {isAllowed: has('setTimeout', 'clearTimeout'), expected: 'a clock, with setTimeout and clearTimeout'},
	inspect: {isAllowed: (value: unknown) => isFunction(value) || has('next')(value), expected: 'a function or an observer'},
	signal: {isAllowed: has('throwIfAborted'), expected: 'an AbortSignal'},
	drainTimeoutMs: limit,
	warn: functionCheck,
};

/** @throws {ConfigurationError} naming the first option that is unknown or has a wrong value */
export const requireOptions = (options: IdentityOptions): void => {
	for (const [name, value] of Object.entries(options)) {
		if (!Object.hasOwn(checks, name)) {
			throw new ConfigurationError(`An identity has no option “${name}”. Its options are ${Object.keys(checks).join(', ')}.`);
		}

		const {isAllowed, expected} = checks[name as keyof IdentityOptions];
		if (value !== undefined && !isAllowed(value as never)) {
			throw new ConfigurationError(`The option ${name} must be ${expected}; this one is ${describe(value)}.`);
		}
	}

	if (options.loop) {
		requireLoop(options.loop);
	}
};

const describe = (value: unknown): string => {
	if (typeof value === 'string') {
		return `“${value}”`;
	}

	return typeof value === 'object' && value !== null ? `an object with ${Object.keys(value).join(', ') || 'nothing'}` : String(value);
};
