/** The parts of a process: what an application brings, completed by what needs nothing. */
import {ConfigurationError} from '../platform/errors.ts';
import {requireOptions} from '../platform/ranges.ts';
import {systemTime, type Random, type Time, timeOrderedId} from '../platform/clock.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {bundledModel} from '../embedding/use-lite/identifier.ts';
import type {Journal} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {selectKernel} from '../kernel/select.ts';
import type {Translator} from '../language/translator.ts';
import {minimalAuthority, type Authority} from '../semiosis/fixation.ts';
import {Metrics} from './metrics.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {Person} from '../semiosis/reference.ts';
import {isMaker, type Source} from '../sources/source.ts';
import type {Themes} from '../sources/themes.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {unknownPerson} from './boot-steps.ts';
import {loadBundledEncoder, loadDefaultDirections, readPackagedThemes} from './defaults.ts';
import type {Corroborate, EncoderBoot, MachineDeps} from './deps.ts';
import {encoderLoadedOnce, journalLoadedOnce, translatorLoadedOnce} from './loaded-once.ts';
import {sharedQuestions, type Questions} from '../instruments/past/questions.ts';
import {guardRules, noStandings, type GuardOptions} from './guard.ts';
import {defaultLoop, requireLoop, type LoopConfig} from './loop.ts';
import {partChecks} from './part-checks.ts';

/** What a process is made of; each part has a default that needs nothing. */
export type ProcessOptions = {
	/**
	 * Text → vector. A value is lent; what a function makes is disposed of at the end, which waits for a load under way.
	 * @default the bundled model, which is not imported otherwise; a page cannot have it
	 */
	encoder?: Source<Encoder, EncoderBoot>;
	/** What the daemon's loop thinks about. @default the sentences of the package, which a page cannot read */
	themes?: Source<Themes>;
	/** The journal, which the process opens, and closes at its end. @default null: state is kept in memory only */
	journal?: Source<Journal> | null;
	/**
	 * What profiles project on.
	 * @default the built-in catalogue with the bundled model, whose vectors come with the package; with another model
	 * none, and the profile is unavailable
	 */
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
	/** Rules by which texts of others wait until a person releases them. @default none */
	guard?: GuardOptions;
	/** How the daemon paces itself. @default about 100 cycles a day */
	loop?: LoopConfig;
	/**
	 * Where questions to the past run, and a validation finds how far chance goes. Lent: the process does not close them.
	 * @default those that all identities of the program share: two run at once, for at most 60 seconds each
	 */
	questions?: Questions;
	/** What computes. @default the fastest whose bits are the same on every host and which runs here */
	kernel?: Kernel;
	/** The clocks that are read; waiting is XState's clock's. @default the system's */
	time?: Time;
	/** What the daemon draws with, and a random state. @default Math.random */
	random?: Random;
	/** @default time-ordered UUIDs, made of crypto.randomUUID, which a page has over HTTPS and from localhost only */
	newId?: () => string;
};

const nameModel = (encoder: Source<Encoder, EncoderBoot>): string => {
	if (isMaker(encoder)) {
		return encoder === loadBundledEncoder ? bundledModel : 'not loaded yet';
	}

	return encoder.passport.model;
};

/** @throws {ConfigurationError} for what is no id */
const requireId = (id: string): string => {
	if (typeof id !== 'string' || id === '' || id.length > 255) {
		throw new ConfigurationError('The option newId must give a text of 1 to 255 characters, another one each time.');
	}

	return id;
};

/**
 * Completes the parts of one process, for {@link createProcessMachine} and the other machines.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value, and for a loop that cannot run
 *
 * @example
 * ```ts
 * import {createBootMachine, createProcessMachine, processParts, type StepInput, type StepOutcome} from 'processual-state/actors';
 * import {createActor, fromPromise} from 'xstate';
 *
 * const parts = processParts({requireInitialState: false});
 * const themes = {rumination: ['Who am I in silence?'], corpus: ['The sea.']};
 * // Any step of the boot can be another actor.
 * const boot = createBootMachine(parts).provide({actors: {themes: fromPromise<StepOutcome, StepInput>(async () => ({part: {themes}}))}});
 * const actor = createActor(createProcessMachine(parts).provide({actors: {boot}})).start();
 * actor.stop();
 * ```
 */
export const processParts = (options: ProcessOptions = {}): MachineDeps => {
	requireOptions('A process', options, partChecks);
	return complete(options);
};

const complete = ({
	encoder = loadBundledEncoder,
	themes = readPackagedThemes,
	journal = null,
	directions = loadDefaultDirections,
	initialState = null,
	requireInitialState = false,
	person = unknownPerson,
	calibrate = true,
	authority = minimalAuthority,
	corroborate = null,
	translator = null,
	guard = {},
	loop = defaultLoop,
	questions = sharedQuestions,
	kernel = selectKernel(),
	time = systemTime,
	random = Math.random,
	newId = () => timeOrderedId(time.now()),
}: ProcessOptions): MachineDeps => {
	requireLoop(loop);
	const standings = noStandings();
	return {
		kernel,
		time,
		random,
		newId: () => requireId(newId()),
		encoder: encoderLoadedOnce(encoder),
		translator: translatorLoadedOnce(translator),
		corroborate,
		journal: journal && journalLoadedOnce(journal),
		metrics: new Metrics(time),
		recordListeners: new Set(),
		guard: guardRules(guard, standings),
		standings,
		expireDays: guard.expireDays ?? null,
		modelName: nameModel(encoder),
		// A copy: it is handed out, and the application's own object may change.
		loop: Object.freeze({...loop}),
		questions,
		sources: {initialState, requireInitialState, person, calibrate, authority, directions, themes},
	};
};
