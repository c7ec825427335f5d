/**
 * The ledger: the exact composition of the present thirdness. It is a weighted sum of the first row, of each text's vector, and of
 * the rule's own push (`docs/spec/instruments.md#2-ledger-what-the-present-is-made-of-exactly`).
 */
import type {DifferenceText, LedgerEntry as AnsweredEntry} from '../generated/types.ts';
import {methods, type Method} from '../semiosis/fixation.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {dot} from '../kernel/dot.ts';
import {maxSources} from './source-of.ts';
import {pushWeight, remainders, type Factors} from './unroll.ts';

export type LedgerText = Omit<DifferenceText, 'share'> & {
	readonly factors: Factors;
	/** The projection of its vector on the direction; 0 without a direction. */
	readonly projection: number;
};

/** All texts of one source and trigger in a digest. */
export type DigestedTexts = Pick<LedgerText, 'source' | 'trigger'> & {
	readonly texts: number;
	/** The number of texts to which each method gives a weight. */
	readonly weighed: Readonly<Record<Method, number>>;
	/** The sums of their factors, weighted as at the end of the digest. */
	readonly factors: Factors;
	/** The weighted mean projections of all texts in the digest with that source, with that trigger, and by each method. */
	readonly projection: Readonly<Record<'source' | 'trigger' | Method, number>>;
};

type Part = LedgerText | DigestedTexts;

const countOf = (part: Part): number => 'texts' in part ? part.texts : 1;

export const countTexts = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + countOf(part), 0);

const projectionBy = ({projection}: Part, by: 'source' | 'trigger' | Method): number =>
	typeof projection === 'number' ? projection : projection[by];

/** A history: its first rows, its texts in order, and the direction on which they are projected. */
export type UnrolledHistory = {
	readonly rows: Rows;
	readonly texts: readonly Part[];
	readonly direction: Float32Array | null;
};

/** An entry is one text, all texts of a source or of a trigger, or one method's part of all texts. */
export const groupings = ['text', 'source', 'trigger', 'method'] as const;

/** How a ledger groups texts into entries. */
export type Grouping = (typeof groupings)[number];

/** A part of the present thirdness. */
export type LedgerEntry = Pick<AnsweredEntry, 'key' | 'texts' | 'share' | 'part'> & {
	readonly kind: Exclude<AnsweredEntry['kind'], 'before'>;
	/** Its weight in the sum of rows; negative if it pushed away. */
	readonly weight: number;
	/** The text, if the entry is a single one. */
	readonly text?: LedgerText;
};

type Unshared = Omit<LedgerEntry, 'share'>;

export type Composition = {
	/** The weight of the first row. */
	readonly beginningLeft: number;
	/** The number of cycles after which half of a text's weight is left; null if nothing fades. */
	readonly halfLifeCycles: number | null;
	readonly entries: readonly LedgerEntry[];
};

/** Composes a ledger. The beginning and the push come first, then entries by size; small ones are joined as `others`. */
export const composeLedger = (history: UnrolledHistory, {by, limit}: {by: Grouping; limit: number}): Composition => {
	const left = remainders(history.texts.map(({factors}) => factors));
	// Not the logarithm of `left`, which underflows after a million cycles.
	const fading = -history.texts.reduce((sum, {factors: {kept}}) => sum + Math.log(kept), 0);
	const group = by === 'method' ? groupByMethod : groupTexts;
	const shown = by === 'text' ? limit : Math.min(limit, maxSources);
	return {
		beginningLeft: left[0]!,
		halfLifeCycles: fading > 0 ? countTexts(history.texts) * Math.LN2 / fading : null,
		entries: share([
			beginningEntry(history, left[0]!),
			pushEntry(history, left),
			...joinSmall(group(history, left, by), shown),
		]),
	};
};

const share = (entries: readonly Unshared[]): LedgerEntry[] => {
	const sum = entries.reduce((total, {weight}) => total + Math.abs(weight), 0);
	return entries.map(entry => ({...entry, share: Math.abs(entry.weight) / sum}));
};

const row = ({rows}: UnrolledHistory, dimension: 'secondness' | 'thirdness' | 'valeurs'): Float32Array => rows[indexOf(dimension)]!;

/** The projection of Σ weight · row on the direction; null without one. */
const partOf = (history: UnrolledHistory, weights: Partial<Record<'secondness' | 'thirdness' | 'valeurs', number>>): number | null => {
	const {direction} = history;
	return direction && Object.entries(weights).reduce(
		(sum, [dimension, weight]) => sum + weight * dot(row(history, dimension as 'thirdness'), direction), 0,
	);
};

const beginningEntry = (history: UnrolledHistory, weight: number): Unshared =>
	({kind: 'beginning', key: 'beginning', texts: 0, weight, part: partOf(history, {thirdness: weight})});

/** The part that every cycle pushes in, whatever its text says. */
const pushEntry = (history: UnrolledHistory, left: Float64Array): Unshared => {
	let [secondness, valeurs] = [0, 0];
	for (const [k, {factors}] of history.texts.entries()) {
		secondness += factors.secondness * left[k + 1]!;
		valeurs += factors.valeurs * left[k + 1]!;
	}

	return {
		kind: 'push', key: 'push', texts: 0, weight: pushWeight(history.rows)(secondness, valeurs),
		part: partOf(history, {secondness, valeurs}),
	};
};

type Sum = {key: string; texts: number; weight: number; part: number; text?: LedgerText};

const groupTexts = ({texts, direction}: UnrolledHistory, left: Float64Array, by: Grouping): Unshared[] => {
	const sums = new Map<string | LedgerText, Sum>();
	for (const [k, text] of texts.entries()) {
		// Not by id: an application may use one id for two texts of a long history.
		const group = by === 'text' ? ('texts' in text ? othersKey : text) : text[by as 'source'];
		let sum = sums.get(group);
		if (!sum) {
			sum = {...(typeof group === 'string' ? {key: group} : {key: group.id, text: group}), texts: 0, weight: 0, part: 0};
			sums.set(group, sum);
		}

		const weight = text.factors.text * left[k + 1]!;
		sum.texts += countOf(text);
		sum.weight += weight;
		sum.part += weight * projectionBy(text, by === 'trigger' ? by : 'source');
	}

	return toEntries([...sums.values()], by === 'text' ? 'text' : 'texts', direction);
};

const groupByMethod = ({texts, direction}: UnrolledHistory, left: Float64Array): Unshared[] => toEntries(methods.map(method => {
	const sum: Sum = {key: method, texts: 0, weight: 0, part: 0};
	for (const [k, text] of texts.entries()) {
		const weight = text.factors.byMethod[method] * left[k + 1]!;
		sum.texts += 'texts' in text ? text.weighed[method] : Number(weight !== 0);
		sum.weight += weight;
		sum.part += weight * projectionBy(text, method);
	}

	return sum;
}), 'method', direction);

/** The texts of digests cannot be listed singly: they are among the others, whatever their weight. */
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
