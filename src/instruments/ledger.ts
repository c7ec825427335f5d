/**
 * The ledger: what the present thirdness is made of, exactly. It is a sum of the first row, of each
 * text's vector, and of what the rule itself pushes in
 * (`docs/spec/instruments.md#2-ledger-what-the-present-is-made-of-exactly`).
 */
import type {DifferenceText, LedgerEntry as AnsweredEntry} from '../generated/types.ts';
import {methods, type Method} from '../semiosis/fixation.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {dot} from '../kernel/dot.ts';
import {maxSources} from './source-of.ts';
import {pushWeight, remainders, type Factors} from './unroll.ts';

/** A text of a life, by what a ledger needs. */
export type LedgerText = Omit<DifferenceText, 'share'> & {
	readonly factors: Factors;
	/** Its vector on the direction; 0 without one. */
	readonly along: number;
};

/** The texts of a source and a trigger in a digest, together. */
export type DigestedTexts = Pick<LedgerText, 'source' | 'trigger'> & {
	readonly texts: number;
	/** How many of them a method gives a weight. */
	readonly weighed: Readonly<Record<Method, number>>;
	/** The sums of theirs, as they weigh at the end of the digest. */
	readonly factors: Factors;
	/** The means of all texts of the source, of the trigger and of each method in the digest on the direction, by their weights. */
	readonly along: Readonly<Record<'source' | 'trigger' | Method, number>>;
};

type Part = LedgerText | DigestedTexts;

const countOf = (part: Part): number => 'texts' in part ? part.texts : 1;

export const countTexts = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + countOf(part), 0);

const alongBy = ({along}: Part, by: 'source' | 'trigger' | Method): number => typeof along === 'number' ? along : along[by];

/** A life: the rows that it begins with, its texts in their order, and the direction that they are measured on. */
export type UnrolledLife = {
	readonly rows: Rows;
	readonly texts: readonly Part[];
	readonly direction: Float32Array | null;
};

/** One text each, the texts of a source or of a trigger, or a method's part of all. */
export const groupings = ['text', 'source', 'trigger', 'method'] as const;

/** What the entries of a ledger are. */
export type Grouping = (typeof groupings)[number];

/** A part of the present. */
export type LedgerEntry = Pick<AnsweredEntry, 'key' | 'texts' | 'share' | 'part'> & {
	readonly kind: Exclude<AnsweredEntry['kind'], 'before'>;
	/** Its weight in the sum of rows; the sign says towards or away. */
	readonly weight: number;
	/** The text, where it is one. */
	readonly text?: LedgerText;
};

type Unshared = Omit<LedgerEntry, 'share'>;

/** The sum, entry by entry. */
export type Composition = {
	/** The weight of the first row. */
	readonly beginningLeft: number;
	/** After how many cycles half of a text is left; null where nothing fades. */
	readonly halfLifeCycles: number | null;
	readonly entries: readonly LedgerEntry[];
};

/** Composes the ledger of a life. Entries come by size, the beginning and the push first, and small ones are one entry, `others`. */
export const composeLedger = (life: UnrolledLife, {by, limit}: {by: Grouping; limit: number}): Composition => {
	const left = remainders(life.texts.map(({factors}) => factors));
	const beginningLeft = left[0]!;
	const group = by === 'method' ? groupByMethod : groupTexts;
	const shown = by === 'text' ? limit : Math.min(limit, maxSources);
	return {
		beginningLeft,
		halfLifeCycles: beginningLeft > 0 && beginningLeft < 1 ? -countTexts(life.texts) * Math.LN2 / Math.log(beginningLeft) : null,
		entries: share([
			beginningEntry(life, beginningLeft),
			pushEntry(life, left),
			...joinSmall(group(life, left, by), shown),
		]),
	};
};

const share = (entries: readonly Unshared[]): LedgerEntry[] => {
	const sum = entries.reduce((total, {weight}) => total + Math.abs(weight), 0);
	return entries.map(entry => ({...entry, share: Math.abs(entry.weight) / sum}));
};

const row = ({rows}: UnrolledLife, dimension: 'secondness' | 'thirdness' | 'valeurs'): Float32Array => rows[indexOf(dimension)]!;

/** The value of Σ weight · row on the direction. */
const partOf = (life: UnrolledLife, weights: Partial<Record<'secondness' | 'thirdness' | 'valeurs', number>>): number | null => {
	const {direction} = life;
	return direction && Object.entries(weights).reduce(
		(sum, [dimension, weight]) => sum + weight * dot(row(life, dimension as 'thirdness'), direction), 0,
	);
};

const beginningEntry = (life: UnrolledLife, weight: number): Unshared =>
	({kind: 'beginning', key: 'beginning', texts: 0, weight, part: partOf(life, {thirdness: weight})});

/** What every cycle pushes in, whatever its text says. */
const pushEntry = (life: UnrolledLife, left: Float64Array): Unshared => {
	let [secondness, valeurs] = [0, 0];
	for (const [k, {factors}] of life.texts.entries()) {
		secondness += factors.secondness * left[k + 1]!;
		valeurs += factors.valeurs * left[k + 1]!;
	}

	return {
		kind: 'push', key: 'push', texts: 0, weight: pushWeight(life.rows)(secondness, valeurs),
		part: partOf(life, {secondness, valeurs}),
	};
};

type Sum = {key: string; texts: number; weight: number; part: number; text?: LedgerText};

const groupTexts = ({texts, direction}: UnrolledLife, left: Float64Array, by: Grouping): Unshared[] => {
	const sums = new Map<string | LedgerText, Sum>();
	for (const [k, text] of texts.entries()) {
		// An application may give two texts of a long life one id.
		const group = by === 'text' ? ('texts' in text ? othersKey : text) : text[by as 'source'];
		let sum = sums.get(group);
		if (!sum) {
			sum = {...(typeof group === 'string' ? {key: group} : {key: group.id, text: group}), texts: 0, weight: 0, part: 0};
			sums.set(group, sum);
		}

		const weight = text.factors.text * left[k + 1]!;
		sum.texts += countOf(text);
		sum.weight += weight;
		sum.part += weight * alongBy(text, by === 'trigger' ? by : 'source');
	}

	return toEntries([...sums.values()], by === 'text' ? 'text' : 'texts', direction);
};

const groupByMethod = ({texts, direction}: UnrolledLife, left: Float64Array): Unshared[] => toEntries(methods.map(method => {
	const sum: Sum = {key: method, texts: 0, weight: 0, part: 0};
	for (const [k, text] of texts.entries()) {
		const weight = text.factors.byMethod[method] * left[k + 1]!;
		sum.texts += 'texts' in text ? text.weighed[method] : Number(weight !== 0);
		sum.weight += weight;
		sum.part += weight * alongBy(text, method);
	}

	return sum;
}), 'method', direction);

/** Single texts of digests are not told apart: they are among the others, whatever they weigh. */
const othersKey = 'others';

const toEntries = (sums: readonly Sum[], kind: LedgerEntry['kind'], direction: Float32Array | null): Unshared[] => sums.map(
	({part, ...sum}) => ({kind: kind === 'text' && !sum.text ? othersKey : kind, ...sum, part: direction && part}),
);

const sizeOf = ({weight, part}: Unshared): number => Math.abs(part ?? weight);

const joinSmall = (entries: readonly Unshared[], limit: number): Unshared[] => {
	const [digested, sized] = [entries.filter(({kind}) => kind === othersKey), entries.filter(({kind}) => kind !== othersKey)];
	const sorted = sized.toSorted((a, b) => sizeOf(b) - sizeOf(a));
	const small = [...sorted.splice(limit), ...digested];
	return small.length === 0 ? sorted : [...sorted, {
		kind: othersKey,
		key: othersKey,
		texts: small.reduce((sum, {texts}) => sum + texts, 0),
		weight: small.reduce((sum, {weight}) => sum + weight, 0),
		part: small[0]!.part === null ? null : small.reduce((sum, {part}) => sum + part!, 0),
	}];
};
