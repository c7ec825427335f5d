/** Learns from a baseline how talk varies and how far chance leads (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import type {BaselineText, Chance, PathChance, Validation} from '../../journal/validation.ts';
import type {StoredCycle} from '../../journal/journal.ts';
import {
	divide, dividedBy, hasAtLeast, isVaried, lengthsOf, minBaseline, minSaid, sizeOf, toBaselineText, unitsOf, vectorsOf,
	type DividedBaseline, type Units,
} from './baseline.ts';
import {spans, type Calibration} from './chart.ts';
import {centredProductsOf, minDealt, rankAmongDeals, sumBySource, testChange, type SourceTalk} from './deal.ts';
import {unusualP} from './findings.ts';
import {areFew, learnClusters, worthOf} from './design-effect.ts';
import {findLimits} from './limits.ts';
import {learnMeasure, lengthOf, whiten, type Measure} from './measure.ts';
import {meanOf} from '../../semiosis/contrast.ts';
import {mulberry32, type Random} from '../../platform/clock.ts';
import type {Rows} from '../../kernel/state-tensor.ts';
import {forgettingOf, observationOf, usualWeight} from './observation.ts';
import {defaultHorizon, measurePaths} from './paths.ts';
import {countedShare, findRepeating} from './repeats.ts';
import {runTwins, type TwinTalk} from './twins.ts';
import {talkBefore, type TalkBefore} from './changes.ts';
import {saidBefore, type SaidBefore} from './uptake.ts';
import type {Instrument} from '../instrument.ts';
import {isOf, type Voice} from '../source-of.ts';
import {unrollFrom, type MeasuredCycle} from '../unroll.ts';

/** One voice of the baseline, prepared for a `Monitor`. Plain data. */
export type OrdinaryVoice = {
	readonly chance: PathChance;
	/** μ, the mean of the drawn conversations' texts. */
	readonly mean: Float64Array;
	/** Its share of all texts of the drawn conversations. */
	readonly usualShare: number;
	/** Whether a few long conversations dominate the drawn ones. */
	readonly isOfFew: boolean;
	readonly calibration: Calibration;
	readonly before: TalkBefore;
};

/** A baseline prepared for a `Monitor`. Plain data. */
export type Ordinary = Pick<Chance, 'seed' | 'horizon' | 'weight' | 'usesIds'> & Readonly<Record<Voice, OrdinaryVoice | null>> & {
	/** Null if the agent says too little, and if neighbouring conversations are not independent. */
	readonly saidBefore: SaidBefore | null;
};

/** Without a sufficient baseline, a `Monitor` counts and weighs the sources alone. */
export const unknownOrdinary: Ordinary = {
	seed: 0, horizon: defaultHorizon, weight: usualWeight, usesIds: true, heard: null, said: null, saidBefore: null,
};

/** The part of a validation that a thread is sent: its number, its texts, and chance, if it was measured. */
export type OrdinaryTalk = Pick<Validation, 'seq' | 'texts' | 'chance'>;

export const talkOf = ({seq, texts, chance}: Validation): OrdinaryTalk => ({seq, texts, chance});

/** @returns null if the baseline is too small */
export const chanceOf = ({seq, texts, chance}: OrdinaryTalk): Chance | null =>
	chance ?? findChance(texts, {seed: seq, horizon: defaultHorizon, weight: usualWeight});

export type ChanceOptions = Pick<Chance, 'seed' | 'horizon' | 'weight'>;

/** Measures how far chance leads, in about a second of processor time. @returns null if the baseline is too small */
export const findChance = (texts: readonly BaselineText[], options: ChanceOptions): Chance | null => {
	if (!hasAtLeast(sizeOf(texts), minBaseline)) {
		return null;
	}

	const {alike, ...units} = decideUnits(texts, options.seed);
	const divided = divide(texts, units);
	const [heard, said] = [learnVoice('heard', divided), learnVoice('said', divided)];
	return heard && {
		...options,
		...units,
		alike,
		stationaryP: testStationary(divided, heard, options.seed),
		heard: findVoiceChance('heard', divided, heard, options),
		said: said && findVoiceChance('said', divided, said, options),
	};
};

/** A baseline with the measures of its cycles, which give the rate at which the state forgets; or with that rate as `weight`. */
export type ChanceQuestion = Omit<ChanceOptions, 'weight'>
	& (
		| {readonly cycles: readonly MeasuredText[]; readonly weight?: undefined}
		| {readonly cycles: readonly BaselineText[]; readonly weight: number}
	);

type MeasuredText = BaselineText & MeasuredCycle;

export const toMeasuredText = (cycle: StoredCycle): MeasuredText =>
	({...toBaselineText(cycle), scores: cycle.scores, proposals: cycle.proposals});

/** @param before The rows before the first cycle. */
export const findChanceOf = (before: Rows, question: ChanceQuestion): Chance | null => {
	const {cycles, ...options} = question;
	return findChance(cycles, {...options, weight: question.weight ?? measureWeight(before, question.cycles)});
};

const measureWeight = (before: Rows, cycles: readonly MeasuredText[]): number => {
	const unroll = unrollFrom(before);
	return forgettingOf(cycles.map(cycle => unroll(cycle).kept));
};

/** Starts from the state before the baseline, and takes no records. */
export const runChance: Instrument<ChanceQuestion, Chance | null> = ({start}, question) =>
	({take() {}, answer: () => findChanceOf(start.state.rows, question)});

/** Ignores conversation ids if they split long conversations into single texts, which continue each other. */
const decideUnits = (texts: readonly BaselineText[], seed: number): Units & Pick<Chance, 'alike'> => {
	const measure = (usesIds: boolean) => {
		const units = unitsOf(texts, usesIds);
		const mean = meanOf(vectorsOf('heard', divide(texts, units).drawn));
		return {...units, alike: measureAlike(dividedBy(texts, units), mean, mulberry32(seed))};
	};
	const measured = measure(true);
	const areTooFine = measured.alike.p <= surelyAlike && texts.some(({conversation}) => conversation !== null);
	return areTooFine && hasAtLeast(sizeOf(texts, false), {conversations: minBaseline.conversations}) ? measure(false) : measured;
};

const orders = 199;

/** The smallest p: neighbours are more alike than in any of the random orders. */
export const surelyAlike = 1 / (orders + 1);

/**
 * Tests whether neighbouring conversations continue each other. If so, they are not independent units of chance.
 *
 * @param mean The mean of the heard texts.
 */
export const measureAlike = (
	conversations: ReadonlyArray<readonly BaselineText[]>, mean: Float64Array, random: Random,
): Chance['alike'] => {
	const means = conversations.flatMap(texts => {
		const heard = vectorsOf('heard', [texts]);
		return heard.length === 0 ? [] : [observationOf(heard, mean)];
	});
	const products = centredProductsOf(means);
	const places = [...means.keys()];
	const alongOrder = () => places.slice(1).reduce((sum, place, i) => sum + products[places[i]!]![place]!, 0);
	const squares = products.reduce((sum, row, i) => sum + row[i]!, 0);
	const own = alongOrder();
	const r = means.length / (means.length - 1) * own / squares;
	return {r, p: rankAmongDeals(places, random, orders, () => alongOrder() >= own)};
};

/** The observations that the chart would have made of the drawn conversations. */
const observationsOf = (voice: Voice, {drawn}: DividedBaseline, {measure, meanOfAll, repeating}: LearntVoice): Float64Array[] =>
	drawn.map(texts => texts.filter(text => isOf(voice, text))).filter(texts => texts.length > 0)
		.map(texts => whiten(measure, observationOf(texts.map(({vector}) => vector), meanOfAll, countedShare(texts, repeating))));

const findVoiceChance = (
	voice: Voice, divided: DividedBaseline, learnt: LearntVoice, {seed, horizon, weight}: ChanceOptions,
): PathChance => {
	const lengths = lengthsOf(voice, [...divided.learn, ...divided.drawn]);
	const observations = observationsOf(voice, divided, learnt);
	const runLength = observations.length < fewObservations ? 2 * nominalRunLength : nominalRunLength;
	const talk = twinTalkOf(voice, divided, learnt, {seed, weight});
	return {
		...measurePaths(runTwins(talk, horizon)),
		clusters: learnClusters(talk.conversations.map(places => places.flatMap(place => talk.texts[place] ?? []))),
		limits: findLimits(observations, {spans, runLength, conversations: worthOf(lengths), random: mulberry32(seed)}),
	};
};

/**
 * The limits are set for a longer run length than the stated one, so that nine of ten baselines reach that; and for twice as long
 * if there are few observations.
 */
const nominalRunLength = 2000;
const fewObservations = 40;

/** `mean` is that of the drawn conversations, `meanOfAll` that of the whole baseline; `repeating` as in {@link Calibration}. */
type LearntVoice = Pick<OrdinaryVoice, 'mean' | 'usualShare'> & {
	readonly measure: Measure; readonly meanOfAll: Float64Array; readonly repeating: number;
};

/** @returns null for a voice with too few texts or conversations, or without variety */
export const learnVoice = (voice: Voice, divided: DividedBaseline): LearntVoice | null => {
	const {learn, drawn} = divided;
	const [learning, drawing] = [vectorsOf(voice, learn), vectorsOf(voice, drawn)];
	const isTooLittle = voice === 'said' && (learning.length + drawing.length < minSaid.texts
		|| lengthsOf(voice, [...learn, ...drawn]).length < minSaid.conversations);
	if (isTooLittle || !isVaried(voice, divided)) {
		return null;
	}

	const measure = learnMeasure(learning);
	return {
		measure, mean: meanOf(drawing).slice(0, measure.width), meanOfAll: meanOf([...learning, ...drawing]).slice(0, measure.width),
		repeating: findRepeating([...learn, ...drawn].map(texts => texts.filter(text => isOf(voice, text)))),
		usualShare: drawing.length / drawn.flat().length,
	};
};

export const twinTalkOf = (
	voice: Voice, {drawn}: DividedBaseline, {measure, mean}: Pick<LearntVoice, 'measure' | 'mean'>,
	{seed, weight}: Pick<Chance, 'seed' | 'weight'>,
): TwinTalk => {
	const texts = drawn.flat();
	const lengths = lengthsOf(voice, drawn);
	let place = 0;
	return {
		conversations: drawn.map(one => one.map(() => place++)),
		texts: texts.map(text => isOf(voice, text) ? whiten(measure, text.vector, mean) : null),
		redrawn: Math.round(drawn.length * worthOf(lengths) / lengths.length),
		weight,
		seed,
	};
};

/** Tests whether the two halves of the drawn conversations differ. @returns p; null with too few conversations */
const testStationary = ({drawn}: DividedBaseline, {measure, mean}: LearntVoice, seed: number): number | null => {
	const talk = drawn.map(one => vectorsOf('heard', [one])).filter(vectors => vectors.length > 0)
		.map(vectors => sumBySource(measure, mean, vectors.map(vector => ({source: '', vector})))[0]!);
	const half = talk.length >> 1;
	return half < minDealt ? null : testChange(talk.slice(0, half), talk.slice(half), mulberry32(seed)).p;
};

export const prepareOrdinary = (texts: readonly BaselineText[], chance: Chance): Ordinary => {
	const divided = divide(texts, chance);
	const {seed, horizon, weight, usesIds, alike, heard, said} = chance;
	const ownVoice = prepareVoice('said', divided, said, alike);
	return {
		seed, horizon, weight, usesIds, heard: prepareVoice('heard', divided, heard, alike), said: ownVoice,
		saidBefore: ownVoice && areUnits(alike) ? saidBefore(ownVoice.calibration.measure, ownVoice.calibration.mean, divided.drawn) : null,
	};
};

/** Conversations that continue each other are not independent, and cannot be dealt. */
const areUnits = ({p}: Chance['alike']): boolean => p > unusualP;

/** The mean squared length of observations. */
const usualReading = (observations: readonly Float64Array[]): number =>
	observations.reduce((sum, one) => sum + lengthOf(one) ** 2, 0) / observations.length;

const prepareVoice = (voice: Voice, divided: DividedBaseline, chance: PathChance | null, alike: Chance['alike']): OrdinaryVoice | null => {
	const learnt = chance && learnVoice(voice, divided);
	if (!learnt) {
		return null;
	}

	const {measure, mean, meanOfAll, repeating, usualShare} = learnt;
	const talk: SourceTalk[][] = divided.drawn.map(texts => sumBySource(measure, meanOfAll, texts.filter(text => isOf(voice, text))));
	return {
		chance,
		mean,
		usualShare,
		isOfFew: areFew(lengthsOf(voice, divided.drawn)),
		calibration: {
			measure, mean: meanOfAll, repeating, usual: usualReading(observationsOf(voice, divided, learnt)),
			charts: spans.map((span, i) => ({span, limit: chance.limits[i]!})),
		},
		before: areUnits(alike) ? talkBefore(talk) : new Map(),
	};
};
