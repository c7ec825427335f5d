/**
 * The steps of the boot, each with its result and its fallback.
 *
 * The boot fails if the embedding model fails, or if the journal cannot be read, belongs to another model, or cannot be
 * begun: an identity must not start over because its state is out of reach. A failing function of the application fails
 * it too. Any other step falls back to a working default, with a warning in the report.
 */
import type {ModelPassport} from '../embedding/encoder.ts';
import {ConfigurationError, isOutage, reasonOf} from '../platform/errors.ts';
import type {RestoredJournal} from '../journal/journal.ts';
import {minimalAuthority, type Authority} from '../semiosis/fixation.ts';
import {randomState} from '../semiosis/initial-state.ts';
import {traitSentences} from '../semiosis/trait-sentences.ts';
import type {Direction} from '../semiosis/profile.ts';
import {adjustReference, createReference, findUnknownNames, type Person} from '../semiosis/reference.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {startVigilance, type Vigilance} from '../semiosis/vigilance.ts';
import {GivenPartError, resolveGiven, type Boot} from '../sources/source.ts';
import type {Themes} from '../sources/themes.ts';
import {dimensions} from '../kernel/dimensions.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import {timestampOf} from '../platform/clock.ts';
import type {MachineDeps} from './deps.ts';
import {requireDirections, requireState} from './part-checks.ts';
import {givenNames, nameOf} from '../platform/option-names.ts';

/** The steps of the boot, in order. */
export const bootSteps = [
	'model', 'journal', 'initialState', 'reference', 'vigilance', 'metrics', 'authority', 'translator', 'directions', 'themes',
	'calibration', 'genesis',
] as const;

/** A step of the boot. */
export type BootStep = (typeof bootSteps)[number];

/** The parts that the boot needs. */
export type BootDeps = Pick<MachineDeps, 'kernel' | 'time' | 'random' | 'encoder' | 'translator' | 'journal' | 'metrics' | 'sources'>;

/** The result of the boot: data from which the process starts. */
export type BootResult = {
	readonly passport: ModelPassport;
	/** The languages that the model was trained for, as BCP 47 tags; undefined if unknown. */
	readonly languages: readonly string[] | undefined;
	/** The journal's contents; null if it is new. */
	readonly restored: RestoredJournal | null;
	readonly initial: StateTensor;
	readonly isRandom: boolean;
	readonly current: StateTensor;
	readonly reference: StateTensor;
	readonly person: Person;
	readonly vigilance: Vigilance;
	readonly authority: Authority;
	readonly hasTranslator: boolean;
	readonly directions: readonly Direction[];
	readonly themes: Themes;
};

/** The result of a step, and warnings for the user. */
export type StepOutcome = {part: Partial<BootResult>; warnings?: readonly string[]};

type Step = {
	/** Runs the step. `result` has the results of all earlier steps. */
	run: (deps: BootDeps, result: BootResult, boot: Boot) => Promise<Partial<BootResult>>;
	/** Replaces the result when `run` fails, and says what that means for the user. Without it, a failure fails the boot. */
	fallback?: {
		part: (deps: BootDeps, result: BootResult) => Partial<BootResult>; meaning: string; advice?: () => string;
		isRefused?: (deps: BootDeps) => boolean;
	};
};

/** A person about whom nothing is known. */
export const unknownPerson: Person = {words: null, profile: null};

/** Warned of at every start, since a random state looks like any other. */
export const begunAtRandom = 'This identity began with a random state, because it had no starting state.';

/** Advice on how to start over. A program that uses the library has options instead of commands. */
export const waysToBegin = {
	command:
		'To start as somebody, stop the service, import a state with “processual import state FILE”, then run “processual begin --again”.',
	library: 'To start as somebody, give the option initialState, and a journal that has not begun yet.',
};

const wayToBegin = (): string => waysToBegin[givenNames() ? 'command' : 'library'];

/** @param hasHeard Whether the journal has records. Starting over would discard them, so that is not advised then. */
const warnOfRandom = (isRandom: boolean, hasHeard: boolean, {warn}: Boot): void => {
	if (isRandom) {
		warn(begunAtRandom);
	}

	if (isRandom && !hasHeard) {
		warn(wayToBegin());
	}
};

const steps: Record<BootStep, Step> = {
	model: {
		async run({encoder}, _, boot) {
			await encoder.load(boot);
			return {passport: encoder.passport, languages: encoder.languages};
		},
	},
	journal: {
		async run({journal}, {passport}, boot) {
			await journal?.load(boot);
			// If the boot was stopped, the journal is already freed and must not be opened.
			boot.signal.throwIfAborted();
			const restored = await journal?.open() ?? null;
			if (restored) {
				requireSameModel(restored.genesis.passport, passport);
			}

			return {restored};
		},
	},
	initialState: {
		async run({random, time, sources: {initialState, requireInitialState}}, {restored}, boot) {
			if (restored) {
				const {initial, isRandom} = restored.genesis;
				if (isRandom && requireInitialState) {
					throw new ConfigurationError(`this identity began with a random state. ${wayToBegin()}`);
				}

				warnOfRandom(isRandom, restored.records > 0, boot);
				return {initial, isRandom, current: restored.current};
			}

			const source = await resolveGiven('initialState', initialState, boot, given => given && requireState(given));
			if (source === null && requireInitialState) {
				throw new ConfigurationError(`none is given. ${wayToBegin()}`);
			}

			warnOfRandom(source === null, false, boot);
			const given = source ?? randomState(random, timestampOf(time));
			// Normalising rejects a zero row, which would stay in the journal, since every later state builds on it. The
			// rows are copied because the caller may write into its own.
			const state = new StateTensor(given.stateId, given.timestamp, given.rows.map(row => toUnitLength(new Float32Array(row))));
			return {initial: state, isRandom: source === null, current: state};
		},
		fallback: {
			part({random, time}) {
				const initial = randomState(random, timestampOf(time));
				return {initial, isRandom: true, current: initial};
			},
			meaning: 'No starting state was found, so a random one was made',
			advice: () => `The next start continues with this identity. ${givenNames()
				? 'To start as somebody, stop the service and, once the store has a state, run “processual begin --again”.'
				: wayToBegin()}`,
			isRefused: ({sources: {requireInitialState}}) => requireInitialState,
		},
	},
	/** Made from what is known of the person at this start; if that is nothing, restored from the genesis. */
	reference: {
		async run({encoder, time, sources}, {initial, restored}, boot) {
			const {words, profile, embed = encoder.embed.bind(encoder)} = await resolveGiven('person', sources.person, boot);
			const texts = words === null ? profile && traitSentences(profile) : dimensions.map(() => words);
			const reference = texts
				? createReference(await embedEach(texts, embed, boot.signal), timestampOf(time))
				: restored?.genesis.reference ?? initial.withId(-1);
			return {reference, person: {words, profile}};
		},
		fallback: {
			part: (_, {initial, restored}) => ({reference: restored?.genesis.reference ?? initial.withId(-1), person: unknownPerson}),
			meaning: 'The reference is what it was when the journal began, in a new one a copy of the initial state',
		},
	},
	vigilance: {
		run: async ({kernel}, {current, reference, restored}) =>
			({vigilance: startVigilance(kernel, current.rows, reference.rows, restored?.checkpoint.cumulativeDrift)}),
	},
	metrics: {
		async run({metrics}) {
			metrics.reset();
			return {};
		},
	},
	authority: {
		run: async ({sources}, _, boot) => ({authority: await resolveGiven('authority', sources.authority, boot)}),
		fallback: {part: () => ({authority: minimalAuthority}), meaning: 'The authority is minimal'},
	},
	translator: {
		run: async ({translator}, _, boot) => ({hasTranslator: await translator.load(boot)}),
		fallback: {part: () => ({hasTranslator: false}), meaning: 'There is no translator'},
	},
	directions: {
		async run({sources}, _, boot) {
			return {directions: await resolveGiven('directions', sources.directions, boot, requireDirections)};
		},
		fallback: {part: () => ({directions: []}), meaning: 'No directions are loaded'},
	},
	/** No fallback: the loop cannot run without themes, which come with the package or from the application. */
	themes: {
		async run({sources}, _, boot) {
			const themes = await resolveGiven('themes', sources.themes, boot);
			if (themes.rumination.length === 0 || themes.corpus.length === 0) {
				throw new ConfigurationError(
					'The daemon needs something to think about: themes.rumination and themes.corpus must each hold at least one sentence.',
				);
			}

			return {themes};
		},
	},
	/** Adjusting to a declared profile needs the directions, which come late. Until now nothing was measured against the reference. */
	calibration: {
		async run({kernel, sources: {calibrate}}, {person: {profile}, reference, directions, current, restored}, {warn}) {
			if (!profile || !calibrate || directions.length === 0) {
				return {};
			}

			const calibrated = adjustReference(kernel, reference, profile, directions);
			const vigilance = startVigilance(kernel, current.rows, calibrated.rows, restored?.checkpoint.cumulativeDrift);
			const unknown = findUnknownNames(profile, directions);
			if (unknown.length > 0) {
				warn(`The declared profile has names that match no direction, and are skipped: ${unknown.join(', ')}.`);
			}

			return {reference: calibrated, vigilance};
		},
		fallback: {part: () => ({}), meaning: 'The reference does not follow the declared profile'},
	},
	/** The last step, because only now is it certain what the identity begins from. */
	genesis: {
		async run({journal}, {restored, initial, isRandom, reference, passport}) {
			if (!restored) {
				await journal?.begin({initial, reference, passport, isRandom});
			}

			return {};
		},
	},
};

/**
 * Performs one step, or its fallback.
 *
 * @throws the error of a step without a fallback; {@link ConfigurationError} if the fallback is refused. An outage of the
 * journal's database fails every step: a node that booted on a fallback would differ from other nodes.
 */
export const performStep = async (step: BootStep, deps: BootDeps, result: BootResult, signal: AbortSignal): Promise<StepOutcome> => {
	const {run, fallback} = steps[step];
	const warnings: string[] = [];
	const warn = (warning: string) => warnings.push(warning);

	try {
		return {part: await run(deps, result, {encoder: deps.encoder, signal, warn}), warnings};
	} catch (error) {
		if (!fallback || isOutage(error)) {
			throw error;
		}

		const {part, meaning, advice, isRefused} = fallback;
		if (isRefused?.(deps)) {
			throw new ConfigurationError(`An initial state is required (${nameOf('requireInitialState')}): ${reasonOf(error)}`, {cause: error});
		}

		if (error instanceof GivenPartError) {
			throw error;
		}

		return {part: part(deps, result), warnings: [...warnings, `${meaning}: ${reasonOf(error)}`, ...(advice ? [advice()] : [])]};
	}
};

/** Embeds texts, and each distinct text only once. */
const embedEach = async (texts: readonly string[], embed: NonNullable<Person['embed']>, signal: AbortSignal): Promise<Float32Array[]> => {
	const vectors = new Map<string, Float32Array>();
	for (const text of new Set(texts)) {
		vectors.set(text, await embed(text, signal));
	}

	return texts.map(text => vectors.get(text)!);
};

/** States of different models can be neither compared nor continued. @throws {ConfigurationError} */
export const requireSameModel = (kept: ModelPassport, loaded: ModelPassport): void => {
	const differing = (Object.keys(kept) as Array<keyof ModelPassport>).filter(key => kept[key] !== loaded[key]);
	if (differing.length > 0) {
		const describe = (passport: ModelPassport) => differing.map(key => `${key} “${passport[key]}”`).join(', ');
		throw new ConfigurationError(
			`The journal was begun with ${describe(kept)} and the embedding model that is loaded has ${describe(loaded)}. `
				+ `Configure the first model again, rebuild the state under the new one with “processual reembed”, or begin again in another `
				+ `${nameOf('journal.folder')}.`,
		);
	}
};
