/**
 * How many identities of a fleet are named by chance, and how many of the steered ones are named: `npm run bench:fleet-budget --
 * [FLEETS]`, default 60. A fleet has 1,000 identities over 90 days, about 4,000 texts each. It is simulated at the level of the
 * instrument's statistics: the moving mean of whitened conversations, its distance at every look, and the largest of these,
 * compared with 199 twins. Intervals are Wilson's, for 95 %.
 *
 * `--histories COUNT` instead checks whole histories, vector by vector, with separate baselines and twins: how small p of ordinary
 * ones is, and whether one source explains the drift of the others.
 */
import {parseArgs} from 'node:util';
import {examine, twinTalkFor} from '../src/instruments/drift/examine.ts';
import {unusualP} from '../src/instruments/drift/findings.ts';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../src/instruments/drift/ordinary.ts';
import {Monitor} from '../src/instruments/drift/monitor.ts';
import {defaultHorizon, rankOf} from '../src/instruments/drift/paths.ts';
import {nameUpTo, tailOf} from '../src/instruments/name-identities.ts';
import type {BaselineText} from '../src/journal/validation.ts';
import {toUnitLength} from '../src/kernel/normalise.ts';
import {mulberry32, type Random} from '../src/platform/clock.ts';
import {unitVector} from '../test/instruments/run-texts.ts';
import {startTalk} from '../test/instruments/simulated-talk.ts';
import {drawPools, drawTwins, interval, meanOf, normal, pick, pickAlike, size, worlds, type Pools} from './fleet-statistics.ts';
import {simulateSources} from './fleet-sources.ts';
import {markdown} from './report.ts';

const {values: {histories}, positionals: [fleetCount = '60']} = parseArgs({options: {histories: {type: 'string'}}, allowPositionals: true});

const steered = 20;

/** Benjamini and Yekutieli (2001), for any dependence. */
const yekutieli = (ps: readonly number[]): number => nameUpTo(ps, 0.05 / ps.reduce((sum, _, i) => sum + 1 / (i + 1), 0));

/** e-BH (Wang and Ramdas 2022), with e = 1/2 p^(−1/2) of a p. */
const byEValues = (ps: readonly number[]): number => (nameUpTo(ps.map(p => 2 * Math.sqrt(p))) / 2) ** 2;

/** Whether a p is by rank among the twins or by their tail, and up to which p identities are named. */
const methods = {
	'p of .05, each alone': ['rank', () => 0.05],
	'Benjamini–Hochberg, 199 twins': ['rank', nameUpTo],
	'e-BH, tail': ['tail', byEValues],
	'Benjamini–Yekutieli, tail': ['tail', yekutieli],
	'Benjamini–Hochberg, tail': ['tail', nameUpTo],
} as const satisfies Record<string, readonly ['rank' | 'tail', (ps: readonly number[]) => number]>;

const pOf = {rank: rankOf, tail: tailOf};

type Drawn = {readonly largest: readonly number[]; readonly own: number; readonly moved: number | null};

const drawFleet = (pool: readonly number[], pushed: readonly number[], areAlike: boolean): Drawn[] => {
	const common = normal();
	return Array.from({length: size}, (_, i) => ({
		largest: drawTwins(pool),
		own: areAlike ? pickAlike(pool, common) : pick(pool),
		moved: i < steered ? pick(pushed) : null,
	}));
};

const simulate = (pools: readonly Pools[]): void => {
	const fleets = Number(fleetCount);
	const rows: string[][] = [['talk', 'who is named', 'ordinary fleets with any named', 'of 20 steered, named', 'of the named, ordinary']];
	const names = Object.keys(methods) as Array<keyof typeof methods>;
	for (const [place, [world, , areAlike]] of worlds.entries()) {
		const {pool, pushed} = pools[place]!;
		const counts = Object.fromEntries(names.map(name => [name, {any: 0, found: 0, wrong: [] as number[]}]));
		for (let fleet = 0; fleet < fleets; fleet++) {
			const drawn = drawFleet(pool, pushed, areAlike);
			const psOf = (kind: 'rank' | 'tail') => ({
				alone: drawn.map(({largest, own}) => pOf[kind](largest, own)),
				mixed: drawn.map(({largest, own, moved}) => pOf[kind](largest, moved ?? own)),
			});
			const ps = {rank: psOf('rank'), tail: psOf('tail')};
			for (const name of names) {
				const [kind, upTo] = methods[name];
				const {alone, mixed} = ps[kind];
				const count = counts[name]!;
				const limits = {alone: upTo(alone), mixed: upTo(mixed)};
				const named = [...mixed.keys()].filter(i => mixed[i]! <= limits.mixed);
				const found = named.filter(i => i < steered).length;
				count.any += Number(alone.some(p => p <= limits.alone));
				count.found += found;
				count.wrong.push(named.length === 0 ? 0 : 1 - found / named.length);
			}
		}

		for (const [name, {any, found, wrong}] of Object.entries(counts)) {
			rows.push([world, name, interval(any, fleets), interval(found, fleets * steered), meanOf(wrong)]);
		}
	}

	console.log(markdown(rows));
};

/** Follows a history for `until` texts after a validation by 600 ordinary ones. @param change replaces an ordinary visit */
const follow = (seed: number, until: number, change = (visit: BaselineText[], _random: Random): BaselineText[] => visit) => {
	const random = mulberry32(1000 + seed);
	const talk = startTalk(random);
	const texts = talk.texts(600);
	const chance = findChance(texts, {seed, horizon: defaultHorizon, weight: usualWeight})!;
	const monitor = new Monitor(prepareOrdinary(texts, chance));
	for (let said = 0; said < until;) {
		for (const text of change(talk.visit(), random)) {
			monitor.take(text);
			said++;
		}
	}

	return {texts, chance, monitor, heard: monitor.voice('heard')!};
};

/** The share of whole ordinary histories whose p by tail is at most some limits. */
const checkHistories = (count: number): void => {
	const ps = Array.from({length: count}, (_, seed) => {
		const {chance, heard} = follow(seed, 3000);
		return tailOf(chance.heard.largest, Math.max(...heard.state.looks.map(({distance}) => distance)));
	});
	console.log(markdown([
		['whole ordinary histories with a p of at most', 'share'],
		...[0.05, 0.01, 0.005, 0.001, 0.0001].map(p => [String(p), interval(ps.filter(one => one <= p).length, count)]),
		['the smallest', Math.min(...ps).toPrecision(2)],
	]));
};

/** Replaces the texts of a visit by texts near a topic. */
const turnTo = (topic: number, visit: readonly BaselineText[], random: Random, source?: string): BaselineText[] => visit.map(text => ({
	...text, source: source ?? text.source,
	vector: toUnitLength(unitVector(topic, 64).map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.3 : 0))),
}));

const changes: ReadonlyArray<readonly [string, (visit: BaselineText[], random: Random) => BaselineText[]]> = [
	['one new source, in 20 % of the visits', (visit, random) => random() < 0.2 ? turnTo(9000, visit, random, 'Viktor') : visit],
	['an event that all six speak of in 20 %', (visit, random) => random() < 0.2 ? turnTo(9000, visit, random) : visit],
	['the event, in 60 %', (visit, random) => random() < 0.6 ? turnTo(9000, visit, random) : visit],
	['two new sources of two topics, in 20 % each', (visit, random) => {
		const drawn = random();
		return drawn < 0.2 ? turnTo(9000, visit, random, 'Viktor') : drawn < 0.4 ? turnTo(9001, visit, random, 'Irina') : visit;
	}],
];

/** How often one source is said to explain the drift of a history of 800 texts. */
const checkExplained = (count: number): void => {
	const rows = changes.map(([name, change]) => {
		const found = Array.from({length: count}, (_, seed) => {
			const {texts, chance, monitor, heard} = follow(seed, 800, change);
			const {sources, pWithoutTopSource: rest} = examine(heard, twinTalkFor(heard, texts, chance), monitor.texts).find([]);
			const [top, {p}] = [...sources][0]!;
			const isUnusual = heard.state.looks.at(-1)!.p <= unusualP;
			const isPushed = isUnusual && p <= unusualP;
			return {isUnusual, isPushed, explains: isPushed && (rest ?? 1) > unusualP, isNew: !top.startsWith('user')};
		});
		const countOf = (is: (one: typeof found[number]) => boolean) => interval(found.filter(is).length, count);
		return [
			name, countOf(one => one.isUnusual), countOf(one => one.isPushed), countOf(one => one.explains),
			countOf(one => one.explains && one.isNew),
		];
	});
	console.log(markdown([['talk', 'p ≤ .05', 'a source pushes more than chance', 'it explains the drift', 'and is new'], ...rows]));
};

if (histories === undefined) {
	const pools = worlds.map(([, scales]) => drawPools(scales));
	simulate(pools);
	console.log(markdown(simulateSources(pools, Number(fleetCount))));
} else {
	checkHistories(Number(histories));
	checkExplained(Number(histories));
}
