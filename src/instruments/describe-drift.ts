/** Describes drift and sources: the numbers, a sentence, and notes for the reader. */
import type {
	Drift, DriftDirection, DriftPoint, DriftSource, MovedAlike, SaidDrift, Source as SourceReport,
	Sources as SourcesReport, Uptake, UptakeSource,
} from '../generated/types.ts';
import type {ValidationFacts} from '../journal/validation.ts';
import {nameDay, nameMoment} from '../platform/clock.ts';
import {formatCount, formatFixed, formatP, phrase} from '../platform/phrase.ts';
import {quote} from '../platform/plain-line.ts';
import {keyOf, type Direction} from '../semiosis/profile.ts';
import {hashNote, joinNotes} from './describe-ledger.ts';
import {maxUnreadShare, minSaid, nameNeeded} from './drift/baseline.ts';
import {describePace} from './drift/pace.ts';
import {unusualP} from './drift/findings.ts';
import {surelyAlike} from './drift/ordinary.ts';
import {textsAt} from './drift/paths.ts';
import {minHeard} from './drift/uptake.ts';
import {joinedSource} from './drift/weighted-sums.ts';
import {sampleEvenly} from './history.ts';
import type {DriftResult, SourceTalked, VoiceDrift} from './run-drift.ts';
import {maxSources} from './source-of.ts';

/** The data behind answers about drift, sources and uptake. */
export type DriftReport = {
	readonly result: DriftResult;
	/** Null if there is none. */
	readonly validation: ValidationFacts | null;
	/** The directions of the question, in order. */
	readonly directions: readonly Direction[];
};

/** Null if too much of the difference was read badly: then nothing stands out, and no source is named. */
const readableFindingsOf = ({findings}: VoiceDrift): VoiceDrift['findings'] =>
	findings && findings.unread.share <= maxUnreadShare ? findings : null;

/** The most looks in an answer. */
const maxPoints = 100;

export const describeDrift = (report: DriftReport): Drift => {
	const {result, validation, directions} = report;
	const {chance, voices: {heard, said}} = result;
	const sources = nameSources(listSources(result), sumSources);
	return {
		stateId: result.to.stateId,
		since: result.from,
		validation: validation && describeValidation(validation, chance),
		cycles: result.cycles,
		netMrad: result.netMrad,
		excessMrad: result.excessMrad,
		...describeVoice(heard, directions),
		moved: heard?.findings?.moved ?? null,
		horizon: chance && chance.horizon,
		expired: chance !== null && result.cycles > chance.horizon,
		sources: sources.map(toSource),
		pWithoutTopSource: heard && (readableFindingsOf(heard)?.pWithoutTopSource ?? null),
		said: said && describeVoice(said, directions) satisfies SaidDrift,
		sentence: joinNotes(describeMove(result), heard && describeChance(heard, sources), said && describeSaid(said),
			describeTakenUp(result))!,
		note: noteOf(report),
	};
};

export const describeSources = (report: DriftReport, countEchoes?: (source: string) => number | null): SourcesReport => {
	const {result} = report;
	const talked = new Map(result.sources.map(one => [one.source, one]));
	const reports = listSources(result).map(source => {
		const {coherence, change, uptake} = talked.get(source.source)!;
		const echoes = countEchoes?.(source.source) ?? null;
		return {...source, coherence, changedP: change.p, changedNow: change.now, uptakeP: uptake.p, echoes};
	});
	return {
		stateId: result.to.stateId,
		since: result.from,
		sources: nameSources(reports, others => ({
			...sumSources(others), echoes: sum(others, 'echoes'), coherence: null, changedP: null, changedNow: null, uptakeP: null,
		})).map(({coherence, changedP, changedNow, uptakeP, echoes, ...source}): SourceReport =>
			({...toSource(source), conversations: source.conversations, coherence, changedP, changedNow, uptakeP, echoes})),
		moved: result.voices.heard?.findings?.moved ?? null,
		note: noteOf(report),
	};
};

const describeValidation = (
	{id, timestamp, note, stateId, baseline: {texts, heard, conversations}}: ValidationFacts, chance: DriftResult['chance'],
): Drift['validation'] => ({
	id, timestamp, note, stateId, texts, heard, conversations,
	ids: chance?.usesIds === false ? 'set aside' : 'used',
	alike: chance && chance.alike,
	stationaryP: chance && chance.stationaryP,
});

const describeVoice = (voice: VoiceDrift | null, directions: readonly Direction[]): SaidDrift => {
	const last = voice?.looks.at(-1);
	return {
		distance: last?.distance ?? null,
		p: last?.p ?? null,
		pNow: voice && voice.pNow,
		foundAt: voice && voice.foundAt,
		limit: voice && voice.limit,
		unread: voice?.findings?.unread ?? null,
		standOut: voice ? listStandOut(readableFindingsOf(voice), directions) : [],
		path: voice ? sampleEvenly(voice.looks, maxPoints).map(({look, time, distance, p}): DriftPoint =>
			({texts: textsAt(look), timestamp: new Date(time).toISOString(), distance, p})) : [],
		chart: voice && voice.chart,
	};
};

type NamedSource = DriftSource & Pick<SourceTalked, 'conversations' | 'sources'>;

const toSource = ({source, others, texts, textShare, weightShare, share, push, p}: NamedSource): DriftSource =>
	({source, texts, textShare, weightShare, share, push, p, ...(others !== undefined && {others})});

/** The largest push first; then the largest weight of those whose push is not known. */
const listSources = ({sources, voices: {heard}}: DriftResult): NamedSource[] => {
	const texts = sources.reduce((total, source) => total + source.texts, 0);
	const named = sources.map(({source, sources: count, texts: own, conversations, weightShare}): NamedSource => {
		const {share = null, push = null, p = null} = (heard && readableFindingsOf(heard)?.sources.get(source)) ?? {};
		return {source, sources: count, texts: own, conversations, textShare: own / texts, weightShare, share, push, p};
	});
	return named.toSorted((a, b) =>
		Number(b.push !== null) - Number(a.push !== null) || (b.push ?? b.weightShare) - (a.push ?? a.weightShare));
};

/** Names the first {@link maxSources}, and joins the others in one entry. */
const nameSources = <Source extends NamedSource>(sources: readonly Source[], join: (others: readonly Source[]) => Source): Source[] => {
	const named = sources.filter(({source}) => source !== joinedSource).slice(0, maxSources);
	const others = sources.filter(source => !named.includes(source));
	// The joined ones have no known share, but all shares sum to 1.
	const share = named.some(one => one.share !== null) ? 1 - named.reduce((total, one) => total + (one.share ?? 0), 0) : null;
	return [...named, ...(others.length === 0 ? [] : [{...join(others), share}])];
};

/** Null if any value is null. */
const sum = <Name extends string>(sources: ReadonlyArray<Readonly<Record<Name, number | null>>>, name: Name): number | null =>
	sources.reduce((total: number | null, source) => total === null || source[name] === null ? null : total + source[name], 0);

const sumSources = (others: readonly NamedSource[]): NamedSource => ({
	source: 'others',
	sources: sum(others, 'sources')!,
	others: sum(others, 'sources')!,
	texts: sum(others, 'texts')!,
	conversations: sum(others, 'conversations')!,
	textShare: sum(others, 'textShare')!,
	weightShare: sum(others, 'weightShare')!,
	share: null,
	push: null,
	p: null,
});

/** The strongest first. */
const listStandOut = (findings: VoiceDrift['findings'], directions: readonly Direction[]): DriftDirection[] =>
	(findings?.directions ?? []).flatMap(({t, isPositive, p}, place): DriftDirection[] => {
		const {typicalT} = findings!;
		const {polePositive, poleNegative} = directions[place]!;
		return p > unusualP ? [] : [
			{key: keyOf(directions[place]!), pole: isPositive ? polePositive : poleNegative, polePositive, poleNegative, t, typicalT, p},
		];
	}).toSorted((a, b) => b.t - a.t);

const noteOf = (
	{result: {begins, from, pace, cycles, isHashed, chance, isLonger, isOfFew}, validation}: DriftReport,
): string | null => joinNotes(
	begins === 'reset' && phrase`The identity was reset on ${nameMoment(from.timestamp)}: it is measured from there,
		and each reset starts over.`,
	begins === 'compaction' && phrase`Records up to state ${from.stateId} are compacted: it is measured from there.`,
	begins === 'compaction' && validation !== null && phrase`Validate again.`,
	validation === null && phrase`No validation yet, so ordinary talk is not known. Validate the identity when it is as it should
		be: that needs ${nameNeeded()}.`,
	pace && describePace(pace),
	validation !== null && begins !== 'reset' && begins !== 'compaction' && from.stateId !== validation.stateId
		&& phrase`It is not measured from the validation: p holds only for a moment that was chosen before looking.`,
	validation !== null && chance === null
		&& phrase`The baseline is too small to say what is ordinary: that needs ${nameNeeded()}. Validate again.`,
	chance !== null && cycles < firstTexts && phrase`p is known after ${firstTexts} texts; there are ${cycles}.`,
	chance !== null && cycles > chance.horizon
		&& phrase`p held for the first ${chance.horizon} texts, and stays as it was there. Validate again.`,
	chance !== null && !chance.usesIds && phrase`Neighbouring conversations are alike when ids divide the talk, as with one id for
		each text or one for a whole channel: ids are ignored, and a pause of 30 minutes or 100 texts end a conversation.`,
	chance !== null && chance.alike.p <= surelyAlike && phrase`Neighbouring conversations continue each other: p may be too small.`,
	chance !== null && chance.alike.p <= unusualP && phrase`It is not known whether a source talks differently than before: neighbouring
		conversations are alike.`,
	chance?.stationaryP != null && chance.stationaryP <= unusualP && phrase`The talk already changed within the baseline, so p is
		too small. Validate again when it is as it should be.`,
	isOfFew && phrase`A few long conversations decide what is ordinary, and the next one is about something else: p may be too small.`,
	isLonger && phrase`Conversations are longer than in the baseline, and chance does more in fewer and longer ones: p may be
		too small.`,
	isHashed && hashNote(),
);

const firstTexts = textsAt(0);

const describeMove = ({begins, from, importedFrom, cycles, netMrad}: DriftResult): string => {
	const day = nameDay(importedFrom ?? from.timestamp);
	if (cycles === 0) {
		// Where a clock was put back, texts before that state have later times.
		return begins === 'moment'
			? phrase`No text came after state ${from.stateId} of ${day}.`
			: begins === 'reset' ? phrase`Nothing was said since the reset of ${day}.` : phrase`Nothing was said since ${day}.`;
	}

	const [way, texts] = [netMrad.toFixed(0), formatCount(cycles, 'text')];
	return begins === 'reset'
		? phrase`Since the reset of ${day} it moved ${way} mrad in ${texts}.`
		: phrase`Since ${day} it moved ${way} mrad in ${texts}.`;
};

const describeChance = (voice: VoiceDrift, [top]: readonly NamedSource[]): string | null => {
	const {looks, findings} = voice;
	const last = looks.at(-1);
	if (!last) {
		return null;
	}

	const how = phrase`What it heard has drifted ${formatFixed(last.distance, 1)} times as far from ordinary talk as chance usually takes it`;
	if (!findings) {
		return phrase`${how}: chance alone explains that (p ${formatP(last.p)}).`;
	}

	const howUnlikely = phrase`${how} (p ${formatP(last.p)}).`;
	if (!readableFindingsOf(voice)) {
		const {share, pWithout} = findings.unread;
		return joinNotes(howUnlikely, phrase`${Math.round(100 * share)} % of that comes from texts that the model read badly (cut off,
			very short, code, links, other languages), so no source is named; without them p is ${formatP(pWithout)}.`,
		describeMoved(findings.moved));
	}

	if (top?.p == null || top.p > unusualP) {
		const {alike, sources} = findings.moved;
		return sources === 1 ? howUnlikely
			: `${howUnlikely} ${phrase`No one source explains it: ${alike} of ${formatCount(sources, 'source')} moved this way.`}`;
	}

	return joinNotes(howUnlikely, describeTop(quote(top.source), formatP(top.p), findings.pWithoutTopSource), describeMoved(findings.moved));
};

const describeTop = (source: string, p: string, without: number | null): string => without === null
	? phrase`${source} pushes more than any one source does by chance (p ${p}).`
	: without <= unusualP
		? phrase`${source} pushes more than any one source does by chance (p ${p}), but does not account for all of it: without
			these texts p is ${formatP(without)}.`
		: phrase`${source} pushes more than any one source does by chance (p ${p}); without these texts p is ${formatP(without)}.`;

/** Null for a single source, which always moves as all do. */
export const describeMoved = ({alike, sources}: MovedAlike): string | null =>
	sources === 1 ? null : phrase`${alike} of ${formatCount(sources, 'source')} moved this way.`;

const describeSaid = ({looks}: VoiceDrift): string | null => {
	const last = looks.at(-1);
	return last && last.p <= unusualP ? phrase`What it says itself is unusual too (p ${formatP(last.p)}).` : null;
};

/** The sources with which the agent was compared, the smallest p first. */
const testedOf = ({sources}: DriftResult): SourceTalked[] =>
	sources.filter(({uptake}) => uptake.p !== null).toSorted((a, b) => a.uptake.p! - b.uptake.p! || b.uptake.effect! - a.uptake.effect!);

/** Describes the uptake from the first three sources that is more than chance; null for none. */
const describeTakenUp = (result: DriftResult): string | null =>
	joinNotes(...testedOf(result).filter(({uptake: {p}}) => p! <= unusualP).slice(0, 3).map(({source, uptake: {p, effect, since}}) =>
		phrase`Since ${nameDay(since!)} it speaks ${formatFixed(effect!, 1)} deviations more like ${quote(source)} in other
			conversations (p ${formatP(p!)}).`));

export const describeUptake = (report: DriftReport): Uptake => {
	const {result} = report;
	const {from, to, chance, voices: {said}} = result;
	const tested = testedOf(result);
	return {
		stateId: to.stateId,
		since: from,
		sources: tested.slice(0, maxSources).map(({source, texts, uptake: {p, now, effect, since, shownBy}}): UptakeSource =>
			({source, texts, since: new Date(since!).toISOString(), effect: effect!, p: p!, pNow: now!, shownBy})),
		sentence: describeTakenUp(result)
			?? (tested.length === 0
				? phrase`Nothing is known yet about its uptake.`
				: phrase`It speaks no more like any of them than chance explains.`),
		note: joinNotes(
			noteOf(report),
			chance !== null && said === null && phrase`How it speaks is measured only if ${minSaid.texts} texts of the baseline are by the
				identity, in ${minSaid.conversations} conversations, and differ.`,
			said !== null && tested.length === 0
				&& phrase`A source is compared when it has said ${minHeard} texts, and the identity has spoken in 4 conversations
					without it.`,
		),
	};
};
