/** Drift and sources as they are answered: the numbers, a sentence, and what a reader must know besides them. */
import type {Drift, DriftDirection, DriftSource, Source as SourceReport, Sources as SourcesReport, VisitChart} from '../generated/types.ts';
import type {ValidationFacts} from '../journal/journal.ts';
import {quote} from '../platform/plain-line.ts';
import {keyOf, type Direction} from '../semiosis/profile.ts';
import {minBaseline} from './baseline.ts';
import {hashNote, joinNotes} from './describe-ledger.ts';
import type {ChartResult} from './run-chart.ts';
import type {Chance, DriftResult} from './run-drift.ts';
import {maxSources} from './source-of.ts';

/** All that drift and sources are answered from. */
export type DriftReport = {
	readonly result: DriftResult;
	/** Null where none was made; the chart is null then too. */
	readonly validation: ValidationFacts | null;
	/** Those that the result was asked with, in their order. */
	readonly directions: readonly Direction[];
	readonly chart: ChartResult | null;
	readonly averageRunLength: number;
};

export const describeDrift = (report: DriftReport): Drift => {
	const {result, validation, directions, chart, averageRunLength} = report;
	const {chance} = result;
	const sources = nameSources(result.sources.map(({source, texts, textShare, weightShare, unusualShare}): DriftSource => ({source, texts, textShare, weightShare, unusualShare})), sumSources);
	return {
		stateId: result.to.stateId,
		since: result.from,
		validation: validation && {id: validation.id, timestamp: validation.timestamp, note: validation.note, stateId: validation.stateId, texts: validation.baseline.texts, visits: validation.baseline.visits},
		cycles: result.cycles,
		netMrad: result.netMrad,
		expectedMrad: chance && chance.expectedMrad,
		excessMrad: chance && chance.excessMrad,
		typicalMrad: chance && chance.typicalMrad,
		p: chance && chance.p,
		standOut: chance ? listStandOut(chance, directions) : [],
		sources,
		pWithoutTopSource: chance && chance.pWithoutTopSource,
		path: result.path,
		chart: chart && describeChart(chart, averageRunLength),
		sentence: joinNotes(describeMove(result), chance && describeChance(chance, sources[0]!))!,
		note: joinNotes(noteOf(report), chance !== null && 2 * result.visits.single > result.visits.all && singleNote),
	};
};

export const describeSources = (report: DriftReport, budget: number, countEchoes?: (source: string) => number | null): SourcesReport => {
	const {result, chart} = report;
	const changed = new Map(chart?.chart?.changed.map(({source, p}) => [source, p]));
	return {
		stateId: result.to.stateId,
		since: result.from,
		sources: nameSources(
			result.sources.map((share): SourceReport => ({...share, changedP: changed.get(share.source) ?? null, echoes: countEchoes?.(share.source) ?? null})),
			others => ({...sumSources(others), visits: sum(others, 'visits')!, echoes: sum(others, 'echoes'), coherence: null, changedP: null}),
		),
		budget,
		note: noteOf(report),
	};
};

/** Names so many sources, the largest, and makes one entry of the others. */
const nameSources = <Source extends DriftSource>(sources: readonly Source[], join: (others: readonly Source[]) => Source): Source[] => {
	const others = sources.slice(maxSources);
	return [...sources.slice(0, maxSources), ...(others.length === 0 ? [] : [join(others)])];
};

/** Null where one is null. */
const sum = <Name extends string>(sources: ReadonlyArray<Readonly<Record<Name, number | null>>>, name: Name): number | null =>
	sources.reduce((total: number | null, source) => total === null || source[name] === null ? null : total + source[name], 0);

const sumSources = (others: readonly DriftSource[]): DriftSource => ({
	source: 'others',
	others: others.length,
	texts: sum(others, 'texts')!,
	textShare: sum(others, 'textShare')!,
	weightShare: sum(others, 'weightShare')!,
	unusualShare: sum(others, 'unusualShare'),
});

/** The strongest first. */
const listStandOut = ({moved, standOut}: Chance, directions: readonly Direction[]): DriftDirection[] => standOut.map(place => {
	const {polePositive, poleNegative} = directions[place]!;
	const {value, expected, z, p} = moved[place]!;
	return {key: keyOf(directions[place]!), polePositive, poleNegative, value, expected, z, p};
}).toSorted((a, b) => Math.abs(b.z) - Math.abs(a.z));

const describeChart = ({visits, chart, isCompacted}: ChartResult, averageRunLength: number): VisitChart => {
	const readings = chart?.trail.at(-1)?.readings ?? [];
	return {
		calibrated: chart !== null,
		visits,
		readings,
		averageRunLength,
		alarm: readings.some(({reading, limit}) => reading > limit),
		blame: chart?.blame ?? [],
		note: joinNotes(
			chart === null && `The chart is not calibrated: that needs a baseline of ${minBaseline.texts} texts in ${minBaseline.visits} visits.`,
			isCompacted && 'Records since the validation are compacted: their visits are not known, and the chart begins after them.',
		),
	};
};

const noteOf = ({result: {begins, from, cycles, faded, isHashed}, validation}: DriftReport): string | null => joinNotes(
	begins === 'reset' && `The identity was reset at ${from.timestamp}: it is measured from there.`,
	begins === 'compaction' && `Records up to state ${from.stateId} are compacted: it is measured from there.`,
	validation === null && `No validation yet, so what is ordinary is not known. Validate the identity when it is as it should be (POST /validate): that needs ${minBaseline.texts} texts in ${minBaseline.visits} visits.`,
	validation !== null && from.timestamp < validation.timestamp && from.stateId !== validation.stateId && 'It is measured from before the validation, so its texts are partly those that say what is ordinary: p says less.',
	faded > 0 && `Of ${cycles} texts the newest ${cycles - faded} are looked at: of what was said before them, less than 2 % is left.`,
	isHashed && hashNote,
);

/** What a visit is today is a run of one source: talk in turns has visits of one text. */
const singleNote = 'More than half of its visits have one text. A visit is a run of one source, so talk in which sources take turns looks more like drift than it is: the stated chances hold for longer visits.';

const describeMove = ({begins, from, cycles, netMrad}: DriftResult): string => {
	const since = `since ${begins === 'reset' ? 'the reset of ' : ''}${nameDay(from.timestamp)}`;
	return cycles === 0
		? `Nothing was said ${since}.`
		: `S${since.slice(1)} it moved ${netMrad.toFixed(0)} mrad in ${cycles} ${cycles === 1 ? 'text' : 'texts'}.`;
};

/** At p up to this a difference is called more than chance. */
const maxChance = 0.05;

const describeChance = ({expectedMrad, excessMrad, typicalMrad, p, pWithoutTopSource}: Chance, {source, unusualShare}: DriftSource): string => {
	const expected = `Ordinary talk would have moved it ${expectedMrad.toFixed(0)}.`;
	if (p > maxChance) {
		return `${expected} That is within what chance does (p ${p.toFixed(2)}).`;
	}

	const apart = `It ended up ${excessMrad.toFixed(0)} mrad from where ordinary talk would have taken it; by chance, about ${typicalMrad.toFixed(0)} (p ${p.toFixed(2)}).`;
	const why = pWithoutTopSource === null
		? `${quote(source)} said all of it.`
		: `${quote(source)} accounts for ${Math.round(100 * unusualShare!)} % of the difference; without these texts p is ${pWithoutTopSource.toFixed(2)}.`;
	return `${expected} ${apart} ${why}`;
};

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** The day of a time, as a sentence says it; UTC. */
const nameDay = (timestamp: string): string => {
	const day = new Date(timestamp);
	return `${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
};
