/**
 * How many of a fleet are named by chance, and how many of those that were steered: `npm run bench:fleet-budget -- [FLEETS]`,
 * default 60. A fleet is 1,000 identities over 90 days, about 4,000 texts each, at the level of the instrument's statistics: the
 * moving mean of whitened conversations, its distance at every look, and the largest of all looks, beside 199 twins. Intervals
 * are those of Wilson for 95 %.
 *
 * `--histories COUNT` checks instead whole ordinary histories, vector by vector, with their own baselines and twins.
 */
import {parseArgs} from 'node:util';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../src/instruments/drift/ordinary.ts';
import {Life, startLife} from '../src/instruments/drift/life.ts';
import {defaultHorizon, measurePaths, rankOf} from '../src/instruments/drift/paths.ts';
import {nameUpTo, tailOf} from '../src/instruments/name-identities.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {startTalk} from '../test/instruments/ordinary-life.ts';
import {markdown} from './report.ts';

const {values: {histories}, positionals: [fleetCount = '60']} = parseArgs({options: {histories: {type: 'string'}}, allowPositionals: true});
const random = mulberry32(37);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const [size, steered, twins, conversations, poolSize] = [1000, 20, 199, 600, 20_000];

/** What a conversation of some texts leaves of the mean. */
const left = (1 - usualWeight) ** 6.5;

/**
 * The distance after each conversation. The baseline's mean is as wrong as that of 60 conversations is.
 *
 * @param push how far every second conversation is moved from the middle on, in standard deviations of one
 */
const walk = (scales: readonly number[], push = 0): Float64Array => {
	const row = new Float64Array(scales.length);
	const wrong = scales.map(scale => scale * normal() / Math.sqrt(60));
	return Float64Array.from({length: conversations}, (_, i) => {
		const pushed = i >= conversations / 2 && i % 2 === 0 ? push : 0;
		let squares = 0;
		for (const [j, scale] of scales.entries()) {
			row[j] = left * row[j]! + (1 - left) * (scale * normal() + wrong[j]! + (j === 0 ? pushed : 0));
			squares += row[j]! ** 2;
		}

		return Math.sqrt(squares);
	}).filter((_, i) => i % 3 === 0 && i > 12);
};

/** Talk, by how much it varies on each of its directions; and whether all identities hear of the same event. */
const worlds: ReadonlyArray<readonly [string, readonly number[], boolean]> = [
	['30 directions', Array<number>(30).fill(1), false],
	['30, unlike', Array.from({length: 30}, (_, i) => 1 / (1 + i / 4)), false],
	['30, unlike, one event', Array.from({length: 30}, (_, i) => 1 / (1 + i / 4)), true],
	['8 directions', Array<number>(8).fill(1), false],
];

/** Benjamini and Yekutieli (2001), for any dependence. */
const yekutieli = (ps: readonly number[]): number => nameUpTo(ps, 0.05 / ps.reduce((sum, _, i) => sum + 1 / (i + 1), 0));

/** e-BH (Wang and Ramdas 2022), with e = 1/2 p^(−1/2) of a p. */
const byEValues = (ps: readonly number[]): number => (nameUpTo(ps.map(p => 2 * Math.sqrt(p))) / 2) ** 2;

/** Who is named: up to which of the p, which are by rank among the twins or by their tail. */
const methods = {
	'p of .05, each alone': ['rank', () => 0.05],
	'Benjamini–Hochberg, 199 twins': ['rank', nameUpTo],
	'e-BH, tail': ['tail', byEValues],
	'Benjamini–Yekutieli, tail': ['tail', yekutieli],
	'Benjamini–Hochberg, tail': ['tail', nameUpTo],
} as const satisfies Record<string, readonly ['rank' | 'tail', (ps: readonly number[]) => number]>;

const pOf = {rank: rankOf, tail: tailOf};

const percent = (value: number): string => (100 * Math.max(0, value)).toFixed(1);

const interval = (found: number, of: number): string => {
	const [share, z] = [found / of, 1.96];
	const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
	const half = z / (1 + z ** 2 / of) * Math.sqrt(share * (1 - share) / of + z ** 2 / (4 * of ** 2));
	return `${percent(share)} % (${percent(middle - half)} to ${percent(middle + half)})`;
};

const pick = (from: readonly number[]): number => from[Math.floor(random() * from.length)]!;

/** One of ascending values that has half of its place in common with all of a fleet: an event that all hear of. */
const pickAlike = (from: readonly number[], common: number): number => {
	const z = Math.SQRT1_2 * (common + normal());
	// The normal distribution, as the logistic one comes close to it (Bowling et al. 2009).
	return from[Math.min(from.length - 1, Math.floor(from.length / (1 + Math.exp(-1.5976 * z - 0.07056 * z ** 3))))]!;
};

type Own = {readonly largest: readonly number[]; readonly own: number; readonly moved: number | null};

const drawFleet = (pool: readonly number[], pushed: readonly number[], areAlike: boolean): Own[] => {
	const common = normal();
	return Array.from({length: size}, (_, i) => ({
		largest: Array.from({length: twins}, () => pick(pool)).toSorted((a, b) => a - b),
		own: areAlike ? pickAlike(pool, common) : pick(pool),
		moved: i < steered ? pick(pushed) : null,
	}));
};

/** A mean of shares, of which each is of one fleet. */
const meanOf = (shares: readonly number[]): string => {
	const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
	const error = 1.96 * Math.sqrt(shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1) / shares.length);
	return `${(100 * mean).toFixed(1)} % (± ${(100 * error).toFixed(1)})`;
};

const simulate = (): void => {
	const fleets = Number(fleetCount);
	const rows: string[][] = [['talk', 'who is named', 'fleets of ordinary ones with one named', 'of 20 steered, named', 'of the named, ordinary']];
	const names = Object.keys(methods) as Array<keyof typeof methods>;
	for (const [world, scales, areAlike] of worlds) {
		const ordinary = Array.from({length: poolSize}, () => walk(scales));
		const {medians} = measurePaths(ordinary.slice(0, 2001));
		const largestOf = (path: Float64Array): number => path.reduce((most, distance, look) => Math.max(most, distance / medians[look]!), 0);
		const pool = ordinary.map(largestOf).toSorted((a, b) => a - b);
		const pushed = Array.from({length: 1000}, () => largestOf(walk(scales, 3)));
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

/** How often a whole ordinary history has a p by tail as small as some. */
const checkHistories = (count: number): void => {
	const ps = Array.from({length: count}, (_, seed) => {
		const talk = startTalk(mulberry32(1000 + seed));
		const texts = talk.texts(600);
		const chance = findChance(texts, {seed, horizon: defaultHorizon, weight: usualWeight})!;
		const ordinary = prepareOrdinary(texts, chance);
		const state = startLife(ordinary);
		const life = new Life(ordinary, state);
		for (let said = 0; said < 3000;) {
			for (const text of talk.visit()) {
				life.take(text);
				said++;
			}
		}

		const {looks} = life.voice('heard')!.state;
		return tailOf(chance.heard.largest, Math.max(...looks.map(({distance}) => distance)));
	});
	console.log(markdown([
		['whole ordinary histories with a p of at most', 'share'],
		...[0.05, 0.01, 0.005, 0.001, 0.0001].map(p => [String(p), interval(ps.filter(one => one <= p).length, count)]),
		['the smallest', Math.min(...ps).toPrecision(2)],
	]));
};

if (histories === undefined) {
	simulate();
} else {
	checkHistories(Number(histories));
}
