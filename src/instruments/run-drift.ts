/**
 * Measures the drift since a moment from the records: how far what was heard and said lies from ordinary talk. If that is more than
 * chance, it names the directions and the sources that led there (`docs/spec/instruments.md#4-validate-conversations-drift`).
 */
import type {ConversationChart, PastState, UptakeText} from '../generated/types.ts';
import type {Chance} from '../journal/validation.ts';
import {paceOf, type BaselinePace} from './drift/pace.ts';
import type {SourceChange} from './drift/changes.ts';
import type {SourceUptake} from './drift/uptake.ts';
import {coherenceOf, type WeightedSums} from './drift/weighted-sums.ts';
import {pOfNow, type Findings} from './drift/examine.ts';
import {unusualP} from './drift/findings.ts';
import type {Monitor} from './drift/monitor.ts';
import {lengthOf} from './drift/measure.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Look} from './drift/paths.ts';
import {Following, maxTrail, type Followed, type OwnPlace} from './following.ts';
import type {Voice} from './source-of.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {Instrument} from './instrument.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {shownText} from './run-ledger.ts';
import {toPastState, type BeginningKind} from './stretch.ts';

export type DriftQuestion = {
	/** Null without a validation. */
	readonly ordinary: OrdinaryTalk | null;
	/** Unit vectors on which the drift is projected. */
	readonly directions: readonly Float32Array[];
	/** The earlier run to continue. @default null, to start with the records */
	readonly resumed?: Followed | null;
};

export type VoiceDrift = {
	readonly looks: readonly Look[];
	readonly foundAt: number | null;
	/** p of this moment alone; null before the first look. */
	readonly pNow: number | null;
	/** Null unless the drift is unusual. */
	readonly findings: Findings | null;
	readonly chart: ConversationChart;
	/** The distance, in medians, under which 19 of 20 ordinary histories stay at all looks. */
	readonly limit: number;
};

/** The talk of a source that was heard. */
export type SourceTalked<Own = UptakeText> = {
	readonly source: string;
	/** The number of sources: one, unless the lightest of too many were joined. */
	readonly sources: number;
	readonly texts: number;
	readonly conversations: number;
	readonly weightShare: number;
	/** Null without a sufficient baseline. */
	readonly coherence: number | null;
	readonly change: SourceChange;
	readonly uptake: SourceUptake & {readonly shownBy: readonly Own[]};
};

/** The drift over a stretch. */
export type DriftResult<Own = UptakeText> = Readonly<Pick<Following['kept'], 'importedFrom' | 'isHashed' | 'trail'>>
	& Pick<Monitor, 'isLonger' | 'isOfFew'> & {
		readonly begins: BeginningKind;
		readonly from: PastState;
		readonly to: PastState;
		/** The progress towards a first baseline; null with a validation, and without texts. */
		readonly pace: BaselinePace | null;
		/** The number of all texts, own ones too. */
		readonly cycles: number;
		readonly netMrad: number;
		/** The part of the state that is its texts' difference from the ordinary; null without a sufficient baseline. */
		readonly excessMrad: number | null;
		/** The largest weight first. */
		readonly sources: ReadonlyArray<SourceTalked<Own>>;
		/** Null without a sufficient baseline. */
		readonly chance: Pick<Chance, 'horizon' | 'usesIds' | 'alike' | 'stationaryP'> | null;
		readonly voices: Readonly<Record<Voice, VoiceDrift | null>>;
	};

/** A drift without the content of its texts, which has to be read from the journal. */
export type SketchedDrift = DriftResult<OwnPlace>;

/** Adds the content of the texts. @param read Reads the cycle of a record's number. */
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

/** The most own texts that are shown as evidence of uptake from one source. */
const shown = 3;

export const runDrift: Instrument<DriftQuestion, SketchedDrift> = (start, question) => {
	const {ordinary: talk, resumed} = question;
	const following = new Following(start, talk, resumed ?? null);
	const {monitor, kept, chance, ordinary} = following;
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
			sources: listTalked(monitor, following.talked, heard?.mean ?? null)
				.map(one => ({...one, uptake: showUptake(monitor, one.source, kept.said)})),
			chance: chance && {horizon: chance.horizon, usesIds: chance.usesIds, alike: chance.alike, stationaryP: chance.stationaryP},
			isLonger: monitor.isLonger,
			isOfFew: monitor.isOfFew,
			voices: {heard: measureVoice(following, 'heard', question), said: measureVoice(following, 'said', question)},
			trail: kept.trail.slice(-maxTrail),
		};
	};

	return {
		take: entries => following.take(entries),
		answer,
	};
};

/** Null if the baseline has too little of this voice. */
const measureVoice = (following: Following, voice: Voice, {directions}: DriftQuestion): VoiceDrift | null => {
	const followed = following.monitor.voice(voice);
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

/** Adds the own texts that show the uptake most, if it is more than chance. */
const showUptake = (monitor: Monitor, source: string, said: Following['kept']['said']): SourceTalked<OwnPlace>['uptake'] => {
	const uptake = monitor.uptake.of(source);
	const strongest = uptake.p !== null && uptake.p <= unusualP ? monitor.uptake.strongest(source) : null;
	const texts = strongest?.ids.flatMap(id => said.get(id) ?? []) ?? [];
	const projections = new Map(texts.map(text => [text, strongest!.project(text.vector)]));
	return {
		...uptake,
		shownBy: [...projections].toSorted(([, a], [, b]) => b - a).slice(0, shown).map(([{id, timestamp, seq}]) => ({id, timestamp, seq})),
	};
};

/** @param talked The unfaded sums of each source. @param mean The ordinary mean; null without a sufficient baseline. */
const listTalked = (monitor: Monitor, talked: WeightedSums, mean: Float64Array | null): Array<Omit<SourceTalked, 'uptake'>> => {
	const sums = new Map(talked.parts().map(part => [part.source, part]));
	const parts = monitor.talk.parts().toSorted((a, b) => b.weight - a.weight);
	const weights = parts.reduce((sum, {weight}) => sum + weight, 0);
	return parts.map(({source, sources, added, conversations, weight}) => ({
		source, sources, texts: added, conversations, weightShare: weight / weights, change: monitor.changeOf(source),
		// A source that was joined with others, and spoke again, has only its newer texts there.
		coherence: mean && sums.get(source)?.added === added ? coherenceOf(sums.get(source)!, mean) : null,
	}));
};
