/**
 * The drift since a moment, from the records: how far what was heard and what was said lies from ordinary talk, and, where that
 * is more than chance does, on which directions, and whose talk led there (`docs/spec/instruments.md#4-validate-conversations-drift`).
 */
import type {PastState} from '../generated/types.ts';
import type {BaselineText, Chance} from '../journal/validation.ts';
import {maxTexts, paceOf, toBaselineText, type BaselinePace} from './drift/baseline.ts';
import type {SourceChange} from './drift/changes.ts';
import type {SourceUptake} from './drift/uptake.ts';
import {nearestLimit, type ChartSince, type Blame, type Reading} from './drift/chart.ts';
import {coherenceOf, WeightedSums} from './drift/weighted-sums.ts';
import {examine, twinTalkFor, type Findings} from './drift/examine.ts';
import {unusualP, type MovedAlike} from './drift/findings.ts';
import {Life, type FollowedVoice} from './drift/life.ts';
import {lengthOf} from './drift/measure.ts';
import {chanceOf, prepareOrdinary, unknownOrdinary, type OrdinaryTalk} from './drift/ordinary.ts';
import type {Look} from './drift/paths.ts';
import type {Voice} from './source-of.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {Instrument} from './instrument.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {shownText} from './run-ledger.ts';
import {saidAtOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind} from './stretch.ts';
import {unrollFrom} from './unroll.ts';

/** What the drift is measured with. */
export type DriftQuestion = {
	/** Null where no validation says what is ordinary. */
	readonly ordinary: OrdinaryTalk | null;
	/** Unit vectors that the drift is read on. */
	readonly directions: readonly Float32Array[];
};

/** The chart after a conversation. */
export type ChartMoment = {
	/** When the text that ended it was said; milliseconds since the epoch. */
	readonly time: number;
	readonly readings: readonly Reading[];
};

/** The chart of one voice. */
export type ChartResult = {
	readonly conversations: number;
	readonly readings: readonly Reading[];
	readonly isAlarm: boolean;
	/** Of the reading that is nearest to its limit. */
	readonly blame: readonly Blame[];
	/** How much of that reading texts made that the model read badly. */
	readonly unreadShare: number;
	readonly moved: MovedAlike;
	readonly since: ChartSince | null;
};

/** The drift of one voice. */
export type VoiceDrift = {
	readonly looks: readonly Look[];
	readonly foundAt: number | null;
	/** Of this moment alone; null before the first look. */
	readonly pNow: number | null;
	/** Null where it is no more than chance does. */
	readonly findings: Findings | null;
	readonly chart: ChartResult;
	/** Of twenty ordinary lives nineteen stay under it, at all looks; in medians. */
	readonly limit: number;
};

/** What was heard of a source. */
export type SourceTalked = {
	readonly source: string;
	/** How many it is: one, unless strangers made up too many. */
	readonly sources: number;
	readonly texts: number;
	readonly conversations: number;
	readonly weightShare: number;
	/** Null where what is ordinary is not known. */
	readonly coherence: number | null;
	readonly change: SourceChange;
	readonly uptake: SourceUptake & {readonly shownBy: readonly OwnText[]};
};

/** A text of the agent that shows how it speaks. */
export type OwnText = Pick<StoredCycle, 'id' | 'timestamp'> & {
	/** Null where the journal keeps hashes. */
	readonly content: string | null;
};

/** The drift, and the stretch that it is of. */
export type DriftResult = {
	readonly begins: BeginningKind;
	readonly from: PastState;
	readonly to: PastState;
	/** When the first text was said, where it was imported; ISO 8601, UTC. Null for one that was said as its cycle ran. */
	readonly importedFrom: string | null;
	/** What there is of a baseline; null where there is a validation, and without texts. */
	readonly pace: BaselinePace | null;
	/** All texts, own ones too. */
	readonly cycles: number;
	readonly isHashed: boolean;
	readonly netMrad: number;
	/** How much of the state is its texts' difference from the ordinary; null where that is not known. */
	readonly excessMrad: number | null;
	/** The largest weight first. */
	readonly sources: readonly SourceTalked[];
	/** Null where too little says what is ordinary. */
	readonly chance: Pick<Chance, 'horizon' | 'usesIds' | 'alike' | 'stationaryP'> | null;
	readonly voices: Readonly<Record<Voice, VoiceDrift | null>>;
	/** The chart of what was heard after each of the newest conversations, oldest first. */
	readonly trail: readonly ChartMoment[];
};

/** How many of the newest own texts are kept, and how many of them show what was taken up. */
const [maxOwn, shown] = [1000, 3];

/** How many moments of the chart are kept. */
const maxTrail = 2000;

export const runDrift: Instrument<DriftQuestion, DriftResult> = (start, question) => {
	const {ordinary: talk} = question;
	const chance = talk && chanceOf(talk);
	const ordinary = chance ? prepareOrdinary(talk!.texts, chance) : unknownOrdinary;
	const heard = ordinary.heard?.calibration;
	const life = new Life(ordinary);
	const trail: ChartMoment[] = [];
	/** The newest own texts, by id, where it is known what is ordinary of them. */
	const said = new Map<string, OwnText & {readonly vector: Float32Array}>();
	let isHashed = false;
	let importedFrom: string | null = null;
	/** Without a validation: the newest texts, of which a baseline could be made. */
	let newest: BaselineText[] = [];
	/** What was heard of each source, unfaded; and the difference that the state has, by the ledger. */
	let [talked, excess] = [new WeightedSums(0), new WeightedSums(0)];

	const {take, collected} = collectStretch(start, from => {
		const unroll = unrollFrom(start.rules.kernel, from.rows);
		const width = heard?.measure.width ?? 0;
		[talked, excess] = [new WeightedSums(width), new WeightedSums(width)];
		life.reset();
		[importedFrom, newest] = [null, []];
		let isFirst = true;
		return (cycle): null => {
			importedFrom = isFirst && cycle.origin === 'import' ? saidAtOf(cycle) : importedFrom;
			isFirst = false;
			isHashed ||= cycle.isHashed;
			const text = toBaselineText(cycle);
			const {kept, text: weight} = unroll(cycle);
			excess.fade(kept);
			if (heard && !text.isOwn) {
				talked.add(text.source, 1, text.vector, heard.mean);
				excess.add('', weight, text.vector, ordinary.heard!.mean);
			}

			if (ordinary.saidBefore && text.isOwn) {
				said.set(text.id, {id: text.id, timestamp: saidAtOf(cycle), content: shownText(cycle), vector: text.vector});
				said.delete(said.size > maxOwn ? said.keys().next().value! : '');
			}

			newest = talk ? newest : takeNewest(newest, text);
			life.take(text);
			noteMoment(life, trail, text.time);
			return null;
		};
	});

	const answer = (): DriftResult => {
		const {begins, from, to, cycles} = collected();
		return {
			begins,
			from: toPastState(from),
			to: toPastState(to),
			importedFrom,
			pace: talk ? null : paceOf(newest.slice(-maxTexts)),
			cycles: cycles.length,
			isHashed,
			netMrad: turnMrad(from.row('thirdness'), to.row('thirdness')),
			excessMrad: heard ? 1000 * lengthOf(excess.total()) : null,
			sources: listTalked(life, talked, heard?.mean ?? null).map(one => ({...one, uptake: showUptake(life, one.source, said)})),
			chance: chance && {horizon: chance.horizon, usesIds: chance.usesIds, alike: chance.alike, stationaryP: chance.stationaryP},
			voices: {heard: measureVoice(life, 'heard', question, chance), said: measureVoice(life, 'said', question, chance)},
			trail: trail.slice(-maxTrail),
		};
	};

	return {
		take,
		answer,
		again: {
			ask: other => isSameQuestion(question, other as DriftQuestion) ? answer : null,
			// The measures of two voices, and what is kept of each source.
			bytes: () => 8 * 600 * 600 + 8 * 600 * 8 * talked.parts().length + 8 * 1024 * said.size,
		},
	};
};

/** How a voice stands; null where the baseline has too little of it. @param chance known where a voice is followed */
const measureVoice = (
	life: Life, voice: Voice, {ordinary: talk, directions}: DriftQuestion, chance: Chance | null,
): VoiceDrift | null => {
	const followed = life.voice(voice);
	if (!followed) {
		return null;
	}

	const {state: {looks, foundAt}, chart, ordinary: {chance: {largest}}} = followed;
	const last = looks.at(-1);
	const twins = last ? examine(followed, twinTalkFor(followed, talk!.texts, chance!), Math.min(life.texts, chance!.horizon)) : null;
	return {
		looks,
		foundAt,
		pNow: twins && twins.pNow,
		findings: last && last.p <= unusualP ? twins!.find(directions) : null,
		chart: readChart(chart),
		limit: largest[Math.ceil(0.95 * largest.length) - 1]!,
	};
};

const noVector = new Float32Array();

/** Keeps what a baseline would, and up to as much again. */
const takeNewest = (newest: BaselineText[], text: BaselineText): BaselineText[] => {
	newest.push({...text, vector: noVector});
	return newest.length < 2 * maxTexts ? newest : newest.slice(-maxTexts);
};

const isSameQuestion = (one: DriftQuestion, other: DriftQuestion): boolean =>
	one.ordinary?.seq === other.ordinary?.seq && one.directions.length === other.directions.length
		&& one.directions.every((direction, i) => direction.every((value, k) => value === other.directions[i]![k]));

/** With the own texts that show it most, where it is more than chance does. */
const showUptake = (life: Life, source: string, said: ReadonlyMap<string, OwnText & {vector: Float32Array}>): SourceTalked['uptake'] => {
	const uptake = life.uptake.of(source);
	const strongest = uptake.p !== null && uptake.p <= unusualP ? life.uptake.strongest(source) : null;
	const texts = strongest?.ids.flatMap(id => said.get(id) ?? []) ?? [];
	const along = new Map(texts.map(text => [text, strongest!.along(text.vector)]));
	return {
		...uptake,
		shownBy: [...along].toSorted(([, a], [, b]) => b - a).slice(0, shown).map(([{id, timestamp, content}]) => ({id, timestamp, content})),
	};
};

/** @param talked What was heard of each source, unfaded. @param mean of what is ordinary; null where that is not known */
const listTalked = (life: Life, talked: WeightedSums, mean: Float64Array | null): Array<Omit<SourceTalked, 'uptake'>> => {
	const sums = new Map(talked.parts().map(part => [part.source, part]));
	const parts = life.talk.parts().toSorted((a, b) => b.weight - a.weight);
	const weights = parts.reduce((sum, {weight}) => sum + weight, 0);
	return parts.map(({source, sources, added, conversations, weight}) => ({
		source, sources, texts: added, conversations, weightShare: weight / weights, change: life.changeOf(source),
		coherence: mean && sums.has(source) ? coherenceOf(sums.get(source)!, mean) : null,
	}));
};

const noteMoment = (life: Life, trail: ChartMoment[], time: number): void => {
	const chart = life.voice('heard')?.chart;
	if (chart && chart.readings !== trail.at(-1)?.readings && chart.conversations > 0) {
		trail.push({time, readings: chart.readings});
		if (trail.length > 2 * maxTrail) {
			trail.splice(0, maxTrail);
		}
	}
};

const readChart = (chart: FollowedVoice['chart']): ChartResult => {
	const {conversations, readings, isAlarm} = chart;
	const place = nearestLimit(readings);
	return {
		conversations, readings, isAlarm, blame: conversations === 0 ? [] : chart.blame(place), unreadShare: chart.unreadShare(place),
		moved: chart.moved(place), since: chart.since(place),
	};
};
