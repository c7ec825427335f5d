/** The ledger of a stretch of life, from its records. */
import type {PastState} from '../generated/types.ts';
import {cutText} from '../platform/plain-line.ts';
import {dot} from '../kernel/dot.ts';
import type {StoredCycle} from '../journal/journal.ts';
import type {Instrument} from './instrument.ts';
import {composeLedger, type Composition, type Grouping, type LedgerText} from './ledger.ts';
import {readName, saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind} from './stretch.ts';
import {unrollFrom} from './unroll.ts';

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
	const {take, collected} = collectStretch(start, ({rows}) => {
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
		answer: () => answerTo(question),
		again: {
			ask: (other: LedgerQuestion) => isEqual(other.direction, direction) ? () => answerTo(other) : null,
			bytes: () => collected().cycles.reduce((sum, text) => sum + bytesOf(text), 0),
		},
	};
};
