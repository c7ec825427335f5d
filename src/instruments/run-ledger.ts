/** The ledger of a stretch of life, from its records. */
import type {PastState} from '../generated/types.ts';
import {cutText} from '../platform/plain-line.ts';
import {dot} from '../kernel/dot.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {methods, type Method} from '../semiosis/fixation.ts';
import {decodeDigest, factorsOf, sumOf, type Digest} from './digest.ts';
import type {Instrument} from './instrument.ts';
import {composeLedger, type Composition, type Grouping, type LedgerText} from './ledger.ts';
import {readName, saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind} from './stretch.ts';
import {remainders, unrollFrom} from './unroll.ts';

/** What a ledger is asked for. */
export type LedgerQuestion = {
	/** Each gives a composition. */
	by: readonly Grouping[];
	/** How many entries are shown; the others are one. */
	limit: number;
	/** The vector that parts are measured on; null for shares alone. */
	direction: Float32Array | null;
};

/** The ledger, and the stretch that it is of. */
export type LedgerResult = {
	/** In the order of the groupings that were asked for. */
	readonly compositions: readonly Composition[];
	readonly begins: BeginningKind;
	readonly from: PastState;
	readonly to: PastState;
	readonly cycles: number;
	/** The present value on the direction; null without one. */
	readonly value: number | null;
	/** Whether a text's hash alone is known. */
	readonly isHashed: boolean;
};

/** Single texts are told apart among so many of the newest records: what is older weighs little. */
const freshTexts = 4000;

/** How many of the newest records a ledger reads beside digests. */
export const freshOf = ({by, limit}: LedgerQuestion): number => by.includes('text') ? Math.max(freshTexts, 8 * limit) : 0;

/** A text is shown up to here: twenty long ones would be megabytes. */
const maxShown = 1000;

/** The text as far as it is kept and shown; null for a hash. */
export const shownText = ({content, isHashed}: {content: string; isHashed: boolean}): string | null =>
	isHashed ? null : cutText(content, maxShown);

/** Which text it is, why it was said and by whom: each is short. */
const shownNames = (cycle: StoredCycle): Pick<LedgerText, 'id' | 'trigger' | 'source'> =>
	({id: cycle.id, trigger: readName(cycle.trigger) ?? '', source: sourceOf(cycle)});

/** What a text of a ledger takes beside its characters: the object, its factors, and the strings' heads. */
const textBytes = 600;

const bytesOf = ({id, timestamp, source, trigger, content}: LedgerText): number =>
	textBytes + 2 * (id.length + timestamp.length + source.length + trigger.length + (content?.length ?? 0));

const isEqual = (a: Float32Array | null, b: Float32Array | null): boolean =>
	a === null || b === null ? a === b : a.length === b.length && a.every((value, i) => value === b[i]);

export const runLedger: Instrument<LedgerQuestion, LedgerResult> = (start, question) => {
	const {direction} = question;
	let isHashed = false;
	const {take, takeDigest, collected} = collectStretch<LedgerText>(start, ({rows}) => {
		const follow = unrollFrom(start.rules.kernel, rows);
		return (cycle): LedgerText => {
			isHashed ||= cycle.isHashed;
			return {
				...shownNames(cycle), timestamp: saidAtOf(cycle), content: shownText(cycle), factors: follow(cycle),
				along: direction ? dot(cycle.vector, direction) : 0,
			};
		};
	});
	const answerTo = ({by, limit}: LedgerQuestion): LedgerResult => {
		const {begins, from, to, cycles} = collected();
		return {
			compositions: by.map(grouping => composeLedger({rows: from.rows, texts: cycles, direction}, {by: grouping, limit})),
			begins,
			from: toPastState(from),
			to: toPastState(to),
			cycles: cycles.length,
			value: direction && dot(to.row('thirdness'), direction),
			isHashed,
		};
	};

	return {
		take,
		takeDigest(stored) {
			const digest = decodeDigest(stored);
			isHashed ||= digest.isHashed;
			takeDigest(digest, () => toLedgerTexts(digest, direction));
		},
		answer: () => answerTo(question),
		again: {
			ask: (other: LedgerQuestion) => isEqual(other.direction, direction) ? () => answerTo(other) : null,
			bytes: () => collected().cycles.reduce((sum, text) => sum + bytesOf(text), 0),
		},
	};
};

/** The texts of a digest, by what it says of them. */
const toLedgerTexts = (digest: Digest, direction: Float32Array | null): LedgerText[] => {
	const {columns, sources, triggers, bySource, byTrigger, byMethod} = digest;
	const factors = factorsOf(digest);
	const left = remainders(factors);
	const weightOf = (k: number, weight: number) => weight * left[k + 1]!;
	/** The mean of each group, by its sum. */
	const meansOf = (sums: readonly Float32Array[], placeOf: (k: number) => number): number[] => {
		const weights = new Float64Array(sums.length);
		for (const [k, {text}] of factors.entries()) {
			weights[placeOf(k)]! += weightOf(k, text);
		}

		return sums.map((row, place) => direction ? dotOf(row, direction) / (weights[place]! || 1) : 0);
	};

	const [ofSources, ofTriggers] = [meansOf(bySource, k => sumOf(columns.source[k]!)), meansOf(byTrigger, k => sumOf(columns.trigger[k]!))];
	const ofMethods = Object.fromEntries(methods.map((method, place) => {
		const weight = factors.reduce((sum, {byMethod: by}, k) => sum + weightOf(k, by[method]), 0);
		return [method, direction ? dotOf(byMethod[place]!, direction) / (weight || 1) : 0];
	})) as Record<Method, number>;
	return factors.map((one, k) => {
		const [source, trigger] = [columns.source[k]!, columns.trigger[k]!];
		return {
			id: '', timestamp: '', content: null, source: sources[source]!, trigger: triggers[trigger]!, factors: one,
			along: {source: ofSources[sumOf(source)]!, trigger: ofTriggers[sumOf(trigger)]!, ...ofMethods},
		};
	});
};

const dotOf = (row: Float32Array, direction: Float32Array): number => dot(row, direction.subarray(0, row.length));
