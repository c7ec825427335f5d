/** The parts of a process: those that an application supplies, completed by defaults that need no setup. */
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

/** The parts of a process; each has a default that needs no setup. */
export type ProcessOptions = {
	/**
	 * Turns texts into vectors. A value is only borrowed. One that a function creates is disposed of at the end, after any
	 * load under way.
	 * @default the bundled model, which is imported only then; not available in a page
	 */
	encoder?: Source<Encoder, EncoderBoot>;
	/** The sentences that the daemon's loop thinks about. @default those of the package, which a page cannot read */
	themes?: Source<Themes>;
	/** The journal. The process opens it, and closes it at its end. @default null: the state is kept in memory only */
	journal?: Source<Journal> | null;
	/**
	 * The directions that profiles project on.
	 * @default for the bundled model the built-in catalogue, whose vectors come with the package; for any other model none,
	 * so that the profile is unavailable
	 */
	directions?: Source<readonly Direction[]>;
	/** The state that a new identity begins with. @default null: eight random unit rows with state id 0, reported by `readiness` */
	initialState?: Source<StateTensor | null>;
	/** Whether the boot fails if the identity begins, or has begun, with a random state. @default false */
	requireInitialState?: boolean;
	/** The person whom the reference represents. @default an unknown person: the reference is a copy of the initial state */
	person?: Source<Person>;
	/** Whether the reference is moved towards the person's declared profile. @default true */
	calibrate?: boolean;
	/** The articles that authority holds to be true. @default the minimal authority, which has none */
	authority?: Source<Authority>;
	/** Finds evidence for science near a vector; no evidence gives no support, and a failure fails the cycle. @default null: no evidence */
	corroborate?: Corroborate | null;
	/** Puts projections into words. @default null: translation is unavailable */
	translator?: Source<Translator | null>;
	/** Rules that hold texts of others until a person releases them. @default none */
	guard?: GuardOptions;
	/** The pace and the themes of the daemon's loop. @default about 100 cycles a day */
	loop?: LoopConfig;
	/**
	 * Runs questions to the past, and a validation's search for how far chance leads. Borrowed: the process does not close it.
	 * @default shared by all identities of the program: two questions at once, at most 60 seconds each
	 */
	questions?: Questions;
	/** The arithmetic. @default the fastest kernel available here whose bits are the same on every host */
	kernel?: Kernel;
	/** The wall clock and the monotonic clock; XState's clock has the timers. @default the system's */
	time?: Time;
	/** Draws the loop's themes and a random initial state; from 0 to below 1. @default Math.random */
	random?: Random;
	/** Makes ids. @default time-ordered UUIDs from crypto.randomUUID, which a page has only over HTTPS and on localhost */
	newId?: () => string;
};

const nameModel = (encoder: Source<Encoder, EncoderBoot>): string => {
	if (isMaker(encoder)) {
		return encoder === loadBundledEncoder ? bundledModel : 'not loaded yet';
	}

	return encoder.passport.model;
};

/** @throws {ConfigurationError} for a value that is not an id */
const requireId = (id: string): string => {
	if (typeof id !== 'string' || id === '' || id.length > 255) {
		throw new ConfigurationError('The option newId must give a text of 1 to 255 characters, a different one each time.');
	}

	return id;
};

/**
 * Completes the parts of one process, for {@link createProcessMachine} and the other machines.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value, and for invalid values of `loop`
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
		// Copied: it is handed out, and the application may change its object.
		loop: Object.freeze({...loop}),
		questions,
		sources: {initialState, requireInitialState, person, calibrate, authority, directions, themes},
	};
};
