/**
 * The drift since a moment, from the records: how far what was heard and what was said lies from ordinary talk, and, where that
 * is more than chance does, on which directions, and whose talk led there (`docs/spec/instruments.md#4-validate-conversations-drift`).
 */
import type {ConversationChart, PastState, UptakeText} from '../generated/types.ts';
import type {Chance} from '../journal/validation.ts';
import {paceOf, type BaselinePace} from './drift/pace.ts';
import type {SourceChange} from './drift/changes.ts';
import type {SourceUptake} from './drift/uptake.ts';
import {coherenceOf, type WeightedSums} from './drift/weighted-sums.ts';
import {pOfNow, type Findings} from './drift/examine.ts';
import {unusualP} from './drift/findings.ts';
import type {Life} from './drift/life.ts';
import {lengthOf} from './drift/measure.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Look} from './drift/paths.ts';
import {bytesIn} from '../platform/bytes-in.ts';
import {Following, maxTrail, type Followed, type OwnPlace} from './following.ts';
import type {ChartMoment} from './drift/chart.ts';
import type {Voice} from './source-of.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {Instrument} from './instrument.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {shownText} from './run-ledger.ts';
import {toPastState, type BeginningKind} from './stretch.ts';

export type DriftQuestion = {
	/** Null where no validation says what is ordinary. */
	readonly ordinary: OrdinaryTalk | null;
	/** Unit vectors that the drift is read on. */
	readonly directions: readonly Float32Array[];
	/** What was followed up to where the records begin. @default they begin with the validation, or another moment */
	readonly goesOn?: Followed | null;
};

export type VoiceDrift = {
	readonly looks: readonly Look[];
	readonly foundAt: number | null;
	/** Of this moment alone; null before the first look. */
	readonly pNow: number | null;
	/** Null where it is no more than chance does. */
	readonly findings: Findings | null;
	readonly chart: ConversationChart;
	/** Of twenty ordinary lives nineteen stay under it, at all looks; in medians. */
	readonly limit: number;
};

/** What was heard of a source. */
export type SourceTalked<Own = UptakeText> = {
	readonly source: string;
	/** How many it is: one, unless strangers made up too many. */
	readonly sources: number;
	readonly texts: number;
	readonly conversations: number;
	readonly weightShare: number;
	/** Null where what is ordinary is not known. */
	readonly coherence: number | null;
	readonly change: SourceChange;
	readonly uptake: SourceUptake & {readonly shownBy: readonly Own[]};
};

/** The drift, and the stretch that it is of. */
export type DriftResult<Own = UptakeText> = {
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
	readonly sources: ReadonlyArray<SourceTalked<Own>>;
	/** Null where too little says what is ordinary. */
	readonly chance: Pick<Chance, 'horizon' | 'usesIds' | 'alike' | 'stationaryP'> | null;
	/** Whether conversations are so much longer than in the baseline that chance does clearly more. */
	readonly isLonger: boolean;
	/** Whether a few long conversations decide what is ordinary. */
	readonly isOfFew: boolean;
	readonly voices: Readonly<Record<Voice, VoiceDrift | null>>;
	/** The chart of what was heard after each of the newest conversations, oldest first. */
	readonly trail: readonly ChartMoment[];
};

/** A drift, some of whose texts have to be read. */
export type SketchedDrift = DriftResult<OwnPlace>;

/** Completes a drift. @param read gives the cycle of a number */
export const completeDrift = async (
	{sources, ...drift}: SketchedDrift, read: (seq: number) => Promise<StoredCycle>,
): Promise<DriftResult> => {
	const complete: SourceTalked[] = [];
	for (const {uptake: {shownBy, ...uptake}, ...source} of sources) {
		const texts = await Promise.all(shownBy.map(async ({seq, ...text}) => ({...text, content: shownText(await read(seq))})));
		complete.push({...source, uptake: {...uptake, shownBy: texts}});
	}

	return {...drift, sources: complete};
};

/** How many own texts show what was taken up. */
const shown = 3;

export const runDrift: Instrument<DriftQuestion, SketchedDrift> = (start, question) => {
	const {ordinary: talk, goesOn} = question;
	const following = new Following(start, talk, goesOn ?? null);
	const {life, kept, chance, ordinary} = following;
	const heard = ordinary.heard?.calibration;
	const answer = (): SketchedDrift => {
		const {begins, from, to, cycles} = following.collected();
		return {
			begins,
			from: toPastState(from),
			to: toPastState(to),
			importedFrom: kept.importedFrom,
			pace: talk ? null : paceOf(following.newest),
			cycles: cycles.length,
			isHashed: kept.isHashed,
			netMrad: turnMrad(from.row('thirdness'), to.row('thirdness')),
			excessMrad: heard ? 1000 * lengthOf(following.excess.total()) : null,
			sources: listTalked(life, following.talked, heard?.mean ?? null)
				.map(one => ({...one, uptake: showUptake(life, one.source, kept.said)})),
			chance: chance && {horizon: chance.horizon, usesIds: chance.usesIds, alike: chance.alike, stationaryP: chance.stationaryP},
			isLonger: life.isLonger,
			isOfFew: life.isOfFew,
			voices: {heard: measureVoice(following, 'heard', question), said: measureVoice(following, 'said', question)},
			trail: kept.trail.slice(-maxTrail),
		};
	};

	return {
		take: entries => following.take(entries),
		answer,
		again: {
			ask: other => isSameQuestion(question, other as DriftQuestion) ? answer : null,
			// The baseline's texts are most of it; then come the measures of two voices.
			bytes: () => bytesIn([question, following.data]),
		},
	};
};

/** How a voice stands; null where the baseline has too little of it. */
const measureVoice = (following: Following, voice: Voice, {directions}: DriftQuestion): VoiceDrift | null => {
	const followed = following.life.voice(voice);
	if (!followed) {
		return null;
	}

	const {state: {looks, foundAt}, chart, ordinary: {chance: {largest}}} = followed;
	const last = looks.at(-1);
	const isFound = last !== undefined && last.p <= unusualP;
	const twins = last && (isFound || !following.twinsOf(voice)) ? following.examine(voice) : null;
	return {
		looks,
		foundAt,
		pNow: last ? pOfNow(followed, twins?.distances ?? following.twinsOf(voice)!) : null,
		findings: isFound ? twins!.find(directions) : null,
		chart: chart.describe(),
		limit: largest[Math.ceil(0.95 * largest.length) - 1]!,
	};
};

const isSameQuestion = (one: DriftQuestion, other: DriftQuestion): boolean =>
	one.ordinary?.seq === other.ordinary?.seq && one.directions.length === other.directions.length
		&& one.directions.every((direction, i) => direction.every((value, k) => value === other.directions[i]![k]));

/** With the own texts that show it most, where it is more than chance does. */
const showUptake = (life: Life, source: string, said: Following['kept']['said']): SourceTalked<OwnPlace>['uptake'] => {
	const uptake = life.uptake.of(source);
	const strongest = uptake.p !== null && uptake.p <= unusualP ? life.uptake.strongest(source) : null;
	const texts = strongest?.ids.flatMap(id => said.get(id) ?? []) ?? [];
	const along = new Map(texts.map(text => [text, strongest!.along(text.vector)]));
	return {
		...uptake,
		shownBy: [...along].toSorted(([, a], [, b]) => b - a).slice(0, shown).map(([{id, timestamp, seq}]) => ({id, timestamp, seq})),
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
