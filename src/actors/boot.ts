/**
 * The boot machine: one state per startup step, in the order of the interface.
 *
 * Each step adds its part to what the earlier ones made. A failing embedding model ends the
 * boot, and so does a journal that cannot be read, belongs to another model, or cannot be
 * begun: a state must not begin anew because the old one is out of reach. Any other step falls
 * back to something that works and leaves a warning in the report, so that nobody mistakes the
 * fallback for the real thing.
 */
import {enqueueActions, fromPromise, setup} from 'xstate';
import {deepFreeze} from '../deep-freeze.ts';
import type {Encoder, ModelPassport} from '../embedding/encoder.ts';
import {ConfigurationError, ModelLoadError, reasonOf} from '../errors.ts';
import type {Journal, RestoredJournal} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Translator} from '../language/translator.ts';
import {minimalAuthority, type Authority} from '../semiosis/fixation.ts';
import {randomState} from '../semiosis/initial-state.ts';
import {traitSentences} from '../semiosis/trait-sentences.ts';
import type {Direction} from '../semiosis/profile.ts';
import {Metrics} from '../semiosis/metrics.ts';
import {adjustReference, createReference, findUnknownNames, type Person} from '../semiosis/reference.ts';
import {toUnitLength} from '../tensor/normalise.ts';
import {startVigilance, type Vigilance} from '../semiosis/vigilance.ts';
import type {LoadedDirections} from '../sources/directions/vectors.ts';
import type {Themes} from '../sources/themes.ts';
import {dimensions, width} from '../tensor/dimensions.ts';
import {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp, type Random, type Time} from '../clock.ts';
import type {Corroborate} from './cycle.ts';
import {LiveHandle, type Handle} from './handle.ts';

/** The steps of a startup, in their order. */
export type BootStep = 'model' | 'journal' | 'initialState' | 'reference' | 'vigilance' | 'metrics' | 'authority' | 'translator' | 'directions' | 'themes' | 'calibration' | 'genesis';

/** Where the parts come from. */
export type BootSources = {
	kernel: Kernel;
	time: Time;
	random: Random;
	/** Loads the model. Whoever loads it frees it too, also when the signal aborts meanwhile; then it should settle soon. */
	loadEncoder: (signal: AbortSignal) => Promise<Encoder>;
	/** Null where nothing lasts. */
	journal: Journal | null;
	/** The state of a new identity, what could not be used for it, and whether it is random; not unless given. */
	initialState: (encoder: Encoder, signal: AbortSignal) => Promise<{state: StateTensor; warnings: string[]; isRandom?: boolean}>;
	/** Whether the boot ends where the identity would begin, or has begun, at random. */
	requireInitialState: boolean;
	/** Who the reference is, as far as it is known. */
	person: () => Promise<{person: Person; warnings: string[]}>;
	/** Whether the reference is moved towards what the person declares, once directions are there. */
	calibrate: boolean;
	/** What authority holds to be true. */
	authority: (encoder: Encoder, signal: AbortSignal) => Promise<Authority>;
	/** Null where science has nothing to ask. */
	corroborate: Corroborate | null;
	/** Null where no language model is configured. */
	translator: () => Promise<Translator | null>;
	/** What profiles project on. */
	directions: (encoder: Encoder, signal: AbortSignal) => Promise<LoadedDirections>;
	/** What the daemon's loop thinks about. */
	themes: () => Promise<Themes>;
};

/** What boot hands to the process. */
export type Born = {
	encoder: Encoder;
	/** What the journal holds; null when it is new. */
	restored: RestoredJournal | null;
	initial: StateTensor;
	/** Whether the initial state is random. */
	isRandom: boolean;
	current: StateTensor;
	reference: StateTensor;
	person: Person;
	vigilance: Vigilance;
	metrics: Metrics;
	authority: Authority;
	translator: Translator | null;
	directions: Direction[];
	themes: Themes;
};

/** What of it lives, and cannot be written. */
export const aliveInBorn: ReadonlyArray<keyof Born> = ['encoder', 'translator'];

/** One line of the boot report. */
export type StepReport = {readonly step: BootStep; readonly milliseconds: number; readonly warnings: readonly string[]};

type Part = {part: Partial<Born>; warnings?: string[]};

type Step = {
	run: (sources: BootSources, born: Born, signal: AbortSignal) => Promise<Part>;
	/** What stands in when `run` fails, and what that means for the user. Without it a failure ends the boot. */
	fallback?: {part: (sources: BootSources, born: Born) => Partial<Born>; meaning: string; advice?: string; isRefused?: (sources: BootSources) => boolean};
};

/** Said at every start: a random state looks like any other. */
const randomBeginning = 'THE INITIAL STATE IS RANDOM';
const wayToBegin = 'To begin as somebody, stop the service, bring a state in with “processual import state FILE”, then run “processual begin --again”.';
const randomWarnings = [`${randomBeginning}: there was nothing else when this identity began.`, wayToBegin];

const steps: Record<BootStep, Step> = {
	model: {
		async run({loadEncoder}, _, signal) {
			const encoder = await loadEncoder(signal);
			requireEncoder(encoder);
			return {part: {encoder}};
		},
	},
	journal: {
		async run({journal}, {encoder}) {
			const restored = await journal?.open() ?? null;
			if (restored) {
				requireSameModel(restored.genesis.passport, encoder.passport);
			}

			return {part: {restored}};
		},
	},
	initialState: {
		async run({initialState, requireInitialState}, {encoder, restored}, signal) {
			if (restored) {
				const {initial, isRandom} = restored.genesis;
				if (isRandom && requireInitialState) {
					throw new ConfigurationError(`this identity began at random. ${wayToBegin}`);
				}

				return {part: {initial, isRandom, current: restored.current}, warnings: isRandom ? randomWarnings : []};
			}

			const {state: given, warnings, isRandom = false} = await initialState(encoder, signal);
			// Everything to come builds on it: a row without a direction would stay in the journal for good. The rows are copied, since the caller may write into its own.
			const state = new StateTensor(given.stateId, given.timestamp, given.rows.map(row => toUnitLength(new Float32Array(row))));
			return {part: {initial: state, isRandom, current: state}, warnings: isRandom ? [...randomWarnings, ...warnings] : warnings};
		},
		fallback: {
			part({random, time}) {
				const initial = randomState(random, timestamp(time));
				return {initial, isRandom: true, current: initial};
			},
			meaning: randomBeginning,
			advice: 'The next start goes on with this identity. To begin as somebody, stop the service and, once the store has a state, run “processual begin --again”.',
			isRefused: ({requireInitialState}) => requireInitialState,
		},
	},
	/** Of what is known of the person at this start; else as it was at the beginning. */
	reference: {
		async run({person: know, time}, {encoder, initial, restored}, signal) {
			const {person, warnings} = await know();
			const {words, profile} = person;
			const texts = words === null ? profile && traitSentences(profile) : dimensions.map(() => words);
			const reference = texts
				? createReference(await embedEach(texts, encoder, signal), timestamp(time))
				: restored?.genesis.reference ?? initial.withId(-1);
			return {part: {reference, person}, warnings};
		},
		fallback: {
			part: (_, {initial, restored}) => ({reference: restored?.genesis.reference ?? initial.withId(-1), person: nobody}),
			meaning: 'The reference is what it was when the journal began, in a new one a copy of the initial state',
		},
	},
	vigilance: {
		run: async ({kernel}, {current, reference, restored}) =>
			({part: {vigilance: startVigilance(kernel, current.rows, reference.rows, restored?.standing.cumulativeDrift)}}),
	},
	metrics: {
		run: async ({time}) => ({part: {metrics: new Metrics(time)}}),
	},
	authority: {
		run: async ({authority}, {encoder}, signal) => ({part: {authority: await authority(encoder, signal)}}),
		fallback: {part: () => ({authority: minimalAuthority}), meaning: 'The authority is minimal'},
	},
	translator: {
		run: async ({translator}) => ({part: {translator: await translator()}}),
		fallback: {part: () => ({translator: null}), meaning: 'There is no translator'},
	},
	directions: {
		async run({directions}, {encoder}, signal) {
			const loaded = await directions(encoder, signal);
			requireVectors(loaded.directions);
			return {part: {directions: loaded.directions}, warnings: loaded.warnings};
		},
		fallback: {part: () => ({directions: []}), meaning: 'No directions are loaded'},
	},
	/** Without them the loop could not run: they come with the package, or from whoever embeds it. */
	themes: {
		async run({themes: read}) {
			const themes = await read();
			if (themes.rumination.length === 0 || themes.corpus.length === 0) {
				throw new ConfigurationError('The daemon needs something to think about: themes.rumination and themes.corpus must hold a sentence each at least.');
			}

			return {part: {themes}};
		},
	},
	/** A declared profile can only be followed along directions, which come late; nothing was measured against the reference before. */
	calibration: {
		async run({kernel, calibrate}, {person: {profile}, reference, directions, current, restored}) {
			if (!profile || !calibrate || directions.length === 0) {
				return {part: {}};
			}

			const calibrated = adjustReference(kernel, reference, profile, directions);
			const vigilance = startVigilance(kernel, current.rows, calibrated.rows, restored?.standing.cumulativeDrift);
			const unknown = findUnknownNames(profile, directions);
			return {
				part: {reference: calibrated, vigilance},
				warnings: unknown.length > 0 ? [`The declared profile has names that no direction has, which are passed over: ${unknown.join(', ')}.`] : [],
			};
		},
		fallback: {part: () => ({}), meaning: 'The reference does not follow the declared profile'},
	},
	/** Last, because only now it is certain what the process begins from. */
	genesis: {
		async run({journal}, {restored, initial, isRandom, reference, encoder: {passport}}) {
			if (!restored) {
				await journal?.begin({initial, reference, passport, isRandom});
			}

			return {part: {}};
		},
	},
};

/** Of whom nothing is known. */
export const nobody: Person = {words: null, profile: null};

/** @throws {ModelLoadError} for what an application may have loaded instead. */
const requireEncoder = (encoder: Encoder): void => {
	const {passport, embed, dispose} = encoder as Partial<Encoder>;
	if (typeof passport?.model !== 'string' || typeof embed !== 'function' || typeof dispose !== 'function') {
		throw new ModelLoadError('What loadEncoder gave is no encoder: it needs a passport, embed and dispose.');
	}
};

/** @throws {RangeError} naming the first direction that no state can be projected on. */
const requireVectors = (directions: readonly Direction[]): void => {
	const wrong = directions.find(({vector}) => vector && (vector.length !== width || !vector.every(Number.isFinite)));
	if (wrong) {
		throw new RangeError(`the vector of ${wrong.category}.${wrong.name} is not ${width} finite floats`);
	}
};

/** A text that comes again is embedded once. */
const embedEach = async (texts: readonly string[], encoder: Encoder, signal: AbortSignal): Promise<Float32Array[]> => {
	const vectors = new Map<string, Float32Array>();
	for (const text of new Set(texts)) {
		vectors.set(text, await encoder.embed(text, signal));
	}

	return texts.map(text => vectors.get(text)!);
};

/** States of different models cannot be compared, let alone go on from one another. @throws {ConfigurationError} */
export const requireSameModel = (kept: ModelPassport, loaded: ModelPassport): void => {
	const differing = (Object.keys(kept) as Array<keyof ModelPassport>).filter(key => kept[key] !== loaded[key]);
	if (differing.length > 0) {
		const told = (passport: ModelPassport) => differing.map(key => `${key} “${passport[key]}”`).join(', ');
		throw new ConfigurationError(`The journal was begun with ${told(kept)} and the embedding model that is loaded has ${told(loaded)}. `
			+ 'Configure the first model again, rebuild the state under the new one with “processual reembed”, or begin anew in another DATA_DIR.');
	}
};

type StepInput = {step: BootStep; sources: Handle<BootSources>; born: Handle<Partial<Born>>};

type StepOutput = {born: Handle<Partial<Born>>; report: StepReport};

const perform = fromPromise<StepOutput, StepInput>(async ({input: {step, sources: {value: sources}, born}, signal}) => {
	const {run, fallback} = steps[step];
	const started = sources.time.elapsed();
	const grown = ({part, warnings = []}: Part): StepOutput => ({
		born: new LiveHandle({...born.value, ...part}, `after ${step}`, aliveInBorn),
		report: deepFreeze({step, milliseconds: sources.time.elapsed() - started, warnings: [...warnings]}),
	});
	try {
		// The steps run in order, so what an earlier one made is there.
		return grown(await run(sources, born.value as Born, signal));
	} catch (error) {
		if (!fallback) {
			throw error;
		}

		if (fallback.isRefused?.(sources)) {
			throw new ConfigurationError(`An initial state is required (REQUIRE_STORE): ${reasonOf(error)}`, {cause: error});
		}

		return grown({part: fallback.part(sources, born.value as Born), warnings: [`${fallback.meaning}: ${reasonOf(error)}`, ...(fallback.advice === undefined ? [] : [fallback.advice])]});
	}
});

type BootContext = Omit<StepInput, 'step'> & {report: readonly StepReport[]};

/** State `name`: performs the step, reports it to the parent, goes on to `next`. */
const stepState = <Next extends string>(step: BootStep, next: Next) => ({
	invoke: {
		src: 'perform' as const,
		input: ({context}: {context: BootContext}): StepInput => ({step, sources: context.sources, born: context.born}),
		onDone: {
			target: next,
			actions: [
				{type: 'keep' as const, params: ({event}: {event: {output: StepOutput}}) => event.output},
			],
		},
	},
});

/** Makes what a process needs, one state per step, and gives it back as its output. */
export const bootMachine = setup({
	types: {
		context: {} as BootContext,
		input: {} as BootSources,
		output: {} as Handle<Born>,
	},
	actors: {perform},
	actions: {
		keep: enqueueActions(({enqueue, context}, {born, report}: StepOutput) => {
			enqueue.assign({born, report: [...context.report, report]});
			enqueue.sendParent(Object.freeze({type: 'boot.step' as const, report}));
		}),
	},
}).createMachine({
	id: 'boot',
	context: ({input}) => ({
		sources: new LiveHandle(input, 'sources', 'sources'),
		born: new LiveHandle({}, 'nothing yet', aliveInBorn),
		report: [],
	}),
	initial: 'model',
	states: {
		model: stepState('model', 'journal'),
		journal: stepState('journal', 'initialState'),
		initialState: stepState('initialState', 'reference'),
		reference: stepState('reference', 'vigilance'),
		vigilance: stepState('vigilance', 'metrics'),
		metrics: stepState('metrics', 'authority'),
		authority: stepState('authority', 'translator'),
		translator: stepState('translator', 'directions'),
		directions: stepState('directions', 'themes'),
		themes: stepState('themes', 'calibration'),
		calibration: stepState('calibration', 'genesis'),
		genesis: stepState('genesis', 'done'),
		done: {type: 'final'},
	},
	output: ({context}) => context.born as Handle<Born>,
});
