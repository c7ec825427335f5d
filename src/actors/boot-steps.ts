/**
 * The steps of the boot: what each makes, and what stands in where one fails.
 *
 * A failing embedding model fails the boot, and so does a journal that cannot be read, belongs to another model, or
 * cannot be begun: an identity must not begin again because its state is out of reach. So does a function that an
 * application gave. Any other step falls back to something that works, with a warning in the report.
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
import {requireDirections, requireState} from './given-parts.ts';
import {givenNames, nameOf} from '../platform/option-names.ts';

/** The steps of a startup, in their order. */
export const bootSteps = [
	'model', 'journal', 'initialState', 'reference', 'vigilance', 'metrics', 'authority', 'translator', 'directions', 'themes',
	'calibration', 'genesis',
] as const;

/** A step of the boot. */
export type BootStep = (typeof bootSteps)[number];

/** What the boot works with. */
export type BootDeps = Pick<MachineDeps, 'kernel' | 'time' | 'random' | 'encoder' | 'translator' | 'journal' | 'metrics' | 'sources'>;

/** What the boot makes: data, from which the process begins. */
export type BootResult = {
	readonly passport: ModelPassport;
	/** The languages that the model was trained for, as BCP 47 tags, where they are known. */
	readonly languages: readonly string[] | undefined;
	/** What the journal holds; null when it is new. */
	readonly restored: RestoredJournal | null;
	readonly initial: StateTensor;
	/** Whether the initial state is random. */
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

/** What a step made, and what its user should know. */
export type StepOutcome = {part: Partial<BootResult>; warnings?: readonly string[]};

type Step = {
	/** The steps run in order, so what an earlier one made is in `result`. */
	run: (deps: BootDeps, result: BootResult, boot: Boot) => Promise<Partial<BootResult>>;
	/** What stands in when `run` fails, and what that means for the user. Without it a failure fails the boot. */
	fallback?: {
		part: (deps: BootDeps, result: BootResult) => Partial<BootResult>; meaning: string; advice?: () => string;
		isRefused?: (deps: BootDeps) => boolean;
	};
};

/** Nothing is known of the person. */
export const unknownPerson: Person = {words: null, profile: null};

/** Said at every start: a random state looks like any other. */
const noStartingState = 'No starting state was found, so a random one was made';
/** The beginning of one that has none. */
export const begunAtRandom = 'This identity began with a random state, because it had no starting state.';

/** What to do for another beginning. A program that holds the library has options, and no commands. */
export const waysToBegin = {
	command:
		'To start as somebody, stop the service, import a state with “processual import state FILE”, then run “processual begin --again”.',
	library: 'To start as somebody, give the option initialState, and a journal that has not begun yet.',
};

const wayToBegin = (): string => waysToBegin[givenNames() ? 'command' : 'library'];

/** @param hasHeard Whether texts have moved it: another beginning would put them aside. */
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
			// One that was stopped is freed already, and must not be opened.
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
			// Every later state builds on it: a row without a direction would stay in the journal. The rows are copied,
			// since the caller may write into its own.
			const state = new StateTensor(given.stateId, given.timestamp, given.rows.map(row => toUnitLength(new Float32Array(row))));
			return {initial: state, isRandom: source === null, current: state};
		},
		fallback: {
			part({random, time}) {
				const initial = randomState(random, timestampOf(time));
				return {initial, isRandom: true, current: initial};
			},
			meaning: noStartingState,
			advice: () => `The next start continues with this identity. ${givenNames()
				? 'To start as somebody, stop the service and, once the store has a state, run “processual begin --again”.'
				: wayToBegin()}`,
			isRefused: ({sources: {requireInitialState}}) => requireInitialState,
		},
	},
	/** Made of what is known of the person at this start; else as it was at the beginning. */
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
	/** The loop cannot run without them: they come with the package, or from the application. */
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
	/** A declared profile can only be followed along directions, which come late; nothing was measured against the reference before. */
	calibration: {
		async run({kernel, sources: {calibrate}}, {person: {profile}, reference, directions, current, restored}, {warn}) {
			if (!profile || !calibrate || directions.length === 0) {
				return {};
			}

			const calibrated = adjustReference(kernel, reference, profile, directions);
			const vigilance = startVigilance(kernel, current.rows, calibrated.rows, restored?.checkpoint.cumulativeDrift);
			const unknown = findUnknownNames(profile, directions);
			if (unknown.length > 0) {
				warn(`The declared profile has names that no direction has, and which are skipped: ${unknown.join(', ')}.`);
			}

			return {reference: calibrated, vigilance};
		},
		fallback: {part: () => ({}), meaning: 'The reference does not follow the declared profile'},
	},
	/** The last step, because only now it is certain what the identity begins from. */
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
 * @throws what a step without a fallback fails with; {@link ConfigurationError} where the fallback is refused. An
 * outage of the journal's database fails every step: an identity that booted without it would differ from other nodes.
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

/** Embeds texts; a text that comes again is embedded once. */
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
