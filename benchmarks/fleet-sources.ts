/**
 * Which sources are named because they move many identities of a fleet, and how often that is wrong. Every thirty of 1,000 identities
 * share a source, and all their p count against it, whatever they are: the worst case for an ordinary source.
 */
import {fleetLevel, nameUpTo, pOfMoving, tailOf} from '../src/instruments/name-identities.ts';
import {drawTwins, interval, normal, pick, pickAlike, size, worlds, type Pools} from './fleet-statistics.ts';

const shared = 30;

/** The p of the identities that hear a source if it explains their drift, else 1. */
type SourcePs = readonly number[];

const ascending = (ps: SourcePs): number[] => ps.toSorted((a, b) => a - b);

/** The probability that chi-squared with `2 * half` degrees of freedom is at least as large. */
const chiSquared = (value: number, half: number): number => {
	let [term, sum] = [1, 1];
	for (let i = 1; i < half; i++) {
		term *= value / 2 / i;
		sum += term;
	}

	return Math.exp(-value / 2) * sum;
};

/** How the p of the identities after the first are combined: "two or more" of Benjamini and Heller (2008). */
const combine = {
	bonferroni: (ps: SourcePs) => ps.length * ps[0]!,
	simes: (ps: SourcePs) => Math.min(...ps.map((p, i) => ps.length * p / (i + 1))),
	fisher: (ps: SourcePs) => chiSquared(-2 * ps.reduce((sum, p) => sum + Math.log(p), 0), ps.length),
	// Cauchy's combination (Liu and Xie 2020) is not defined for a p of 1.
	cauchy: (ps: SourcePs) =>
		0.5 - Math.atan(ps.reduce((sum, p) => sum + Math.tan((0.5 - Math.min(p, 0.995)) * Math.PI), 0) / ps.length) / Math.PI,
	harmonic: (ps: SourcePs) => ps.length / ps.reduce((sum, p) => sum + 1 / p, 0),
};

/** Names sources by one p of each. */
const byBudget = (one: (ps: SourcePs) => number) => (sources: readonly SourcePs[]): boolean[] => {
	const ps = sources.map(of => one(ascending(of)));
	const limit = nameUpTo(ps);
	return ps.map(p => p <= limit);
};

const methods: Record<string, (sources: readonly SourcePs[]) => boolean[]> = {
	'one or more move: Simes, Benjamini–Hochberg': byBudget(combine.simes),
	'two of its identities are named': sources => {
		const limit = nameUpTo(sources.flat());
		return sources.map(of => of.filter(p => p <= limit).length > 1);
	},
	...Object.fromEntries(([
		['Bonferroni', 'bonferroni'], ['Fisher', 'fisher'], ['Cauchy', 'cauchy'], ['harmonic mean', 'harmonic'], ['Simes', 'simes'],
	] as const).map(([name, key]) => [
		`two or more of thirty: ${name}, Benjamini–Hochberg`, byBudget(([, ...rest]) => combine[key](rest)),
	])),
	'two or more of all: Simes': sources => sources.map(of => pOfMoving(of.filter(p => p < 1), size) <= fleetLevel),
};

/** How many identities one source steers, and how far; or, with `each`, that many sources steer one each. */
const scenarios: ReadonlyArray<readonly [string, {readonly moved: number; readonly by: number; readonly each?: true}]> = [
	['none steers', {moved: 0, by: 0}],
	['20 steer one each', {moved: 20, by: 3, each: true}],
	['it steers 30', {moved: 30, by: 3}],
	['30, half as far', {moved: 30, by: 1.5}],
	['5', {moved: 5, by: 3}],
	['2', {moved: 2, by: 3}],
];

/** The scenarios in which no source should be named, and those in which one should. */
const [innocent, guilty] = [[0, 1], [2, 3, 4, 5]] as const;

const groups = Math.ceil(size / shared);

/** The p of the ordinary sources, and last those of the steering one. */
const drawSources = (ordinary: readonly number[], {moved, each}: {moved: number; each?: true}, steered: () => number): SourcePs[] => {
	const sources = Array.from({length: groups}, (_, group) => ordinary.slice(shared * group, shared * (group + 1)));
	if (each) {
		return [...sources.map((of, group) => group < moved ? [steered(), ...of.slice(1)] : of), Array<number>(shared).fill(1)];
	}

	const culprit = Array.from({length: shared}, (_, i) => i < moved ? steered() : 1);
	return [sources[0]!.map((p, i) => i < moved ? 1 : p), ...sources.slice(1), culprit];
};

/** @returns a table: in how many fleets a source is named wrongly, and in how many the steering one is named */
export const simulateSources = (pools: readonly Pools[], fleets: number): string[][] => {
	const head = ['talk', 'a source is named where', ...innocent.map(place => `${scenarios[place]![0]}: one named`), 'one steers: another named'];
	const rows = [[...head, ...guilty.map(place => `${scenarios[place]![0]}: named`)]];
	for (const [place, [world, , areAlike]] of worlds.entries()) {
		const {pool, push} = pools[place]!;
		const pushed = new Map(scenarios.map(([, {by}]) => [by, push(by)]));
		const counts = new Map(Object.keys(methods).map(name => [name, scenarios.map(() => ({wrong: 0, right: 0}))]));
		for (let fleet = 0; fleet < fleets; fleet++) {
			// The identities that share a source also share the effect of an event.
			const events = Array.from({length: groups}, normal);
			const ordinary = Array.from({length: size}, (_, i) =>
				tailOf(drawTwins(pool), areAlike ? pickAlike(pool, events[Math.floor(i / shared)]!) : pick(pool)));
			for (const [column, [, scenario]] of scenarios.entries()) {
				const sources = drawSources(ordinary, scenario, () => tailOf(drawTwins(pool), pick(pushed.get(scenario.by)!)));
				for (const [name, method] of Object.entries(methods)) {
					const named = method(sources);
					const count = counts.get(name)![column]!;
					count.wrong += Number(named.slice(0, -1).includes(true));
					count.right += Number(named.at(-1));
				}
			}
		}

		for (const [name, columns] of counts) {
			const others = guilty.reduce((sum, column) => sum + columns[column]!.wrong, 0);
			rows.push([
				world, name, ...innocent.map(column => interval(columns[column]!.wrong, fleets)), interval(others, guilty.length * fleets),
				...guilty.map(column => interval(columns[column]!.right, fleets)),
			]);
		}
	}

	return rows;
};
