/**
 * The drift over a stretch of life, from its records: how far it went beside its twins, on which
 * directions it differs from them, and whose texts made the difference
 * (`docs/spec/instruments.md#4-validate-twins-drift`).
 */
import type {DriftPoint, PastState, Source as SourceReport} from '../generated/types.ts';
import {excessOf, measureApart} from './apart.ts';
import type {BaselineText} from '../journal/journal.ts';
import {turnMrad} from './displacement.ts';
import {sampleEvenly} from './history.ts';
import type {Instrument} from './instrument.ts';
import {measureMoved, type Moved} from './moved.ts';
import {chanceFor, maxTexts, type OrdinaryTalk} from './ordinary-talk.ts';
import {quantileOf} from './percentile.ts';
import {replay, startReplay, type ReplayRules, type ReplayText} from './replay.ts';
import {shareSources} from './shares.ts';
import {sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type Stretch} from './stretch.ts';
import {runTwins} from './twins.ts';
import {remainders, unrollFrom, type Factors} from './unroll.ts';
import {visitsOf} from './visits.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** What the drift is measured with. */
export type DriftQuestion = {
	/** Null where no validation says what is ordinary. */
	readonly ordinary: OrdinaryTalk | null;
	/** Unit vectors that the state is compared with its twins on. */
	readonly directions: readonly Float32Array[];
};

/** What chance has to do with it. */
export type Chance = {
	readonly expectedMrad: number;
	readonly excessMrad: number;
	readonly typicalMrad: number;
	readonly p: number;
	readonly pWithoutTopSource: number | null;
	/** On each direction, in their order. */
	readonly moved: readonly Moved[];
	/** The places of those that stand out. */
	readonly standOut: readonly number[];
};

/** The drift, and the stretch that it is of. */
export type DriftResult = {
	readonly begins: BeginningKind;
	readonly from: PastState;
	readonly to: PastState;
	readonly cycles: number;
	/** How many texts are older than what is looked at: they have faded. */
	readonly faded: number;
	readonly isHashed: boolean;
	/** How many visits the texts came in, and how many of these have one text. */
	readonly visits: {readonly all: number; readonly single: number};
	readonly netMrad: number;
	/** Null without a baseline, and where nothing was said. */
	readonly chance: Chance | null;
	readonly path: readonly DriftPoint[];
	/** The largest part of the difference first; without a baseline the largest weight. */
	readonly sources: ReadonlyArray<Omit<SourceReport, 'changedP' | 'echoes'>>;
};

/** How many states the way has. */
const maxPoints = 25;

type DriftText = BaselineText & {readonly factors: Factors};

/** A state on the way, after some cycles. */
type Step = {readonly cycles: number; readonly state: PastState; readonly thirdness: Float32Array};

export const runDrift: Instrument<DriftQuestion, DriftResult> = (start, question) => {
	let isHashed = false;
	let texts: DriftText[] = [];
	let way = trackWay();
	const {take, collected} = collectStretch(start, from => {
		const unroll = unrollFrom(start.rules.kernel, from.rows);
		texts = [];
		way = trackWay();
		way.take({cycles: 0, state: toPastState(from), thirdness: from.row('thirdness')});
		let cycles = 0;
		return (cycle, state): null => {
			isHashed ||= cycle.isHashed;
			const {id, timestamp, vector, proposals, thirdness} = cycle;
			texts.push({id, source: sourceOf(cycle), time: Date.parse(timestamp), vector, proposals, factors: unroll(cycle)});
			texts = texts.length >= 2 * maxTexts ? texts.slice(-maxTexts) : texts;
			way.take({cycles: ++cycles, state: toPastState(state), thirdness});
			return null;
		};
	});
	return {
		take,
		answer() {
			const stretch = collected();
			const newest = texts.slice(-maxTexts);
			const visits = visitsOf(newest);
			return {
				begins: stretch.begins,
				from: toPastState(stretch.from),
				to: toPastState(stretch.to),
				cycles: stretch.cycles.length,
				faded: stretch.cycles.length - newest.length,
				isHashed,
				visits: {all: visits.length, single: visits.filter(({length}) => length === 1).length},
				netMrad: turnMrad(stretch.from.row('thirdness'), stretch.to.row('thirdness')),
				...(question.ordinary && newest.length > 0
					? compareWithTwins(start.rules, stretch, newest, way.steps(), question.ordinary, question.directions)
					: {chance: null, path: way.steps().map(step => pointAt(stretch.from.row('thirdness'), step)), sources: weighSources(newest)}),
			};
		},
	};
};

/** Keeps the first, the last, and in between some of the states of a way, evenly spread, however long it is. */
const trackWay = () => {
	let steps: Step[] = [];
	let last: Step;
	let stride = 1;
	return {
		take(step: Step) {
			last = step;
			if (step.cycles % stride === 0) {
				steps.push(step);
				if (steps.length > 4 * maxPoints) {
					stride *= 2;
					steps = steps.filter(({cycles}) => cycles % stride === 0);
				}
			}
		},
		steps: () => sampleEvenly(steps.at(-1) === last ? steps : [...steps, last], maxPoints),
	};
};

const compareWithTwins = (rules: ReplayRules, {from, to}: Stretch<unknown>, texts: readonly DriftText[], steps: readonly Step[], ordinary: OrdinaryTalk, directions: readonly Float32Array[]): Pick<DriftResult, 'chance' | 'path' | 'sources'> => {
	const first = from.row('thirdness');
	const row = to.row('thirdness');
	// Without the texts of a source the state is as many texts younger. Which source that will be is not known yet.
	const counts = [...Map.groupBy(texts, ({source}) => source).values()].map(own => own.length);
	const lengths = [...new Set([...steps.map(({cycles}) => Math.min(cycles, texts.length)), ...counts.map(count => texts.length - count)])].toSorted((a, b) => a - b);
	const rows = runTwins({rules, start: from, baseline: ordinary.texts, lengths, random: chanceFor(ordinary, to.stateId)});
	const twinsAfter = (cycles: number): Float32Array[] => rows[lengths.indexOf(Math.min(cycles, texts.length))]!;

	const twins = twinsAfter(texts.length);
	const shares = shareSources({texts: weigh(texts), baseline: ordinary.texts.map(({vector}) => vector), excess: excessOf(row, twins)});
	const visits = countVisits(texts);
	const sources = [...shares].map(([source, share]) => ({source, ...share, visits: visits.get(source)!})).toSorted((a, b) => b.unusualShare - a.unusualShare);
	const others = texts.filter(({source}) => source !== sources[0]!.source);
	const {distance, typical, p} = measureApart(row, twins);
	return {
		chance: {
			expectedMrad: quantileOf(twins.map(twin => turnMrad(first, twin)), 0.5),
			excessMrad: distance,
			typicalMrad: typical,
			p,
			pWithoutTopSource: others.length === 0 ? null : measureApart(replayTexts(rules, from, others), twinsAfter(others.length)).p,
			...measureMoved(row, twins, directions),
		},
		path: steps.map(step => pointAt(first, step, twinsAfter(step.cycles))),
		sources,
	};
};

/** The thirdness that texts make of a state. */
const replayTexts = (rules: ReplayRules, from: StateTensor, texts: readonly DriftText[]): Float32Array =>
	replay(rules, startReplay(rules, from), texts.map(({vector, proposals}): ReplayText => ({kind: 'cycle', timestamp: from.timestamp, vector, proposals}))).state.row('thirdness');

/** A state on the way, beside its twins. */
const pointAt = (first: Float32Array, {state, thirdness}: Step, twins?: readonly Float32Array[]): DriftPoint => {
	const nets = twins?.map(twin => turnMrad(first, twin));
	const apart = twins && measureApart(thirdness, twins);
	return {
		...state,
		netMrad: turnMrad(first, thirdness),
		netLowMrad: nets ? quantileOf(nets, 0.05) : null,
		netMedianMrad: nets ? quantileOf(nets, 0.5) : null,
		netHighMrad: nets ? quantileOf(nets, 0.95) : null,
		excessMrad: apart ? apart.distance : null,
		excessLowMrad: apart ? quantileOf(apart.distances, 0.05) : null,
		excessMedianMrad: apart ? quantileOf(apart.distances, 0.5) : null,
		excessHighMrad: apart ? quantileOf(apart.distances, 0.95) : null,
	};
};

/** The weight of each text in the present. */
const weigh = (texts: readonly DriftText[]) => {
	const left = remainders(texts.map(({factors}) => factors));
	return texts.map(({source, vector, factors}, k) => ({source, vector, weight: factors.text * left[k + 1]!}));
};

const countVisits = (texts: readonly BaselineText[]): Map<string, number> =>
	new Map([...Map.groupBy(visitsOf(texts), ([first]) => first!.source)].map(([source, visits]) => [source, visits.length]));

/** Where what is ordinary is not known. */
const weighSources = (texts: readonly DriftText[]): DriftResult['sources'] => {
	const visits = countVisits(texts);
	const weighed = weigh(texts);
	const sum = weighed.reduce((total, {weight}) => total + weight, 0);
	return [...Map.groupBy(weighed, ({source}) => source)].map(([source, own]) => ({
		source,
		texts: own.length,
		visits: visits.get(source)!,
		textShare: own.length / texts.length,
		weightShare: own.reduce((total, {weight}) => total + weight, 0) / sum,
		unusualShare: null,
		coherence: null,
	})).toSorted((a, b) => b.weightShare - a.weightShare);
};
