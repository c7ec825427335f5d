/** Describes the effect of a revision in numbers and words, and derives what it excludes. */
import type {PastRevision, RevisionResponse} from '../generated/types.ts';
import type {Exclusion, Holds, DecidedBy, Revision, RevisionFacts, SettlementFacts, TextChoice} from '../journal/revision.ts';
import type {StoredCycle, StoredHeld} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {InputError} from '../platform/errors.ts';
import {nameMoment} from '../platform/clock.ts';
import {phrase} from '../platform/phrase.ts';
import {quote} from '../platform/plain-line.ts';
import type {Direction} from '../semiosis/profile.ts';
import {compareStates, describeChanges} from './compare.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {Tombstone} from './forgetting-records.ts';
import type {RevisionResult} from './run-revision.ts';
import {describeUnsaid, nameUnsaid} from './text-choice.ts';

/** The texts to forget, and callbacks for the other places that have them. */
export type ForgetDecision = {
	readonly choice: TextChoice;
	/** Called with each of the texts while it is still known. */
	readonly hear: (text: StoredCycle | StoredHeld) => void;
	/** Called after all texts, and before the journal changes, so that other stores can forget them first. */
	readonly prepare: (found: FoundToForget) => Promise<void>;
	/** Called when they are gone. */
	readonly onDone: (unreached: readonly string[]) => void;
};

/** The texts that a forgetting has found. */
export type FoundToForget = {
	readonly id: string;
	readonly timestamp: string;
	readonly texts: number;
	readonly tombstones: readonly Tombstone[];
	/** SHA-256 over the tombstones. */
	readonly digest: string;
	/** The numbers of all records that have one of the texts. */
	readonly records: readonly number[];
};

/** A caller's decision. */
export type Decision = {
	readonly note: string;
	readonly by: string | null;
	/** Null to return to the moment `at`, or to keep the present exclusions. */
	readonly without: TextChoice | null;
	/** The sources and conversations to hold from then on; null for none, absent to keep the present ones. */
	readonly holds?: Holds | null;
	/** The moment to return to, and the number of its record. */
	readonly at: {readonly seq: number; readonly stateId: number; readonly timestamp: string} | null;
	/** Texts to remove for good. */
	readonly forget?: ForgetDecision;
};

/**
 * The exclusions after a decision, up to the record `to`. `without` replaces all earlier ones; a return to a moment restores those
 * in force then, and excludes everything since; a hold alone keeps the present ones.
 */
export const exclusionsOf = ({without, at}: Decision, revisions: readonly Revision[], to: number): readonly Exclusion[] => {
	if (without) {
		return Object.keys(without).length > 0 ? [{from: 1, to, texts: without}] : [];
	}

	const before = revisions.findLast(({seq}) => seq <= (at?.seq ?? to))?.exclusions ?? [];
	return at ? [...before, {from: at.seq + 1, to, texts: null}] : before;
};

/** Whether the exclusions stay as they are, as with a hold alone or a forgetting. */
const keepsExclusions = ({without, at}: Decision): boolean => !without && !at;

/** The sources and conversations on hold after a decision. */
export const holdsOf = ({holds}: Pick<Decision, 'holds'>, present: Holds | null): Holds | null => {
	const {sources, conversations} = (holds === undefined ? present : holds) ?? {};
	return sources || conversations ? {...(sources && {sources}), ...(conversations && {conversations})} : null;
};

const asText = (holds: Holds | null): string =>
	JSON.stringify([holds?.sources, holds?.conversations].map(names => [...new Set(names)].toSorted()));

/**
 * @param before The present state. @param present The present holds.
 * @throws {InputError} for a name that no text has, unless it is only held; and if nothing would change
 */
export const requireChange = (
	decision: Decision, {unsaid, differsFrom, compacted, thirdness}: RevisionResult, before: StateTensor, present: Holds | null,
): void => {
	const changesHold = asText(holdsOf(decision, present)) !== asText(present);
	if (keepsExclusions(decision)) {
		if (!changesHold) {
			throw new InputError(`Nothing would change: ${describeHolds(present)}`);
		}

		return;
	}

	if (unsaid) {
		throw new InputError(`${describeUnsaid(unsaid)}${compacted ? ` ${limitOf({compacted})}` : ''}`);
	}

	if (!changesHold && (differsFrom === null || turnMrad(before.row('thirdness'), thirdness) === 0)) {
		throw new InputError('Nothing would change. Say which weigh nothing (without), or to which moment to go back (at).');
	}
};

const namesOf = (holds: Holds | null): string[] => [...holds?.sources ?? [], ...holds?.conversations ?? []].map(name => quote(name, 60));

const describeHolds = (holds: Holds | null): string =>
	holds ? phrase`further texts of ${namesOf(holds).join(', ')} wait.` : phrase`no one is on hold.`;

/** Whose texts wait from now on, and whose no longer do: a revision that leaves texts out may end a hold too. */
const describeChangedHolds = (before: Holds | null, after: Holds | null): string[] => {
	const ended = after ? namesOf(before).filter(name => !namesOf(after).includes(name)) : [];
	return [
		...asText(after) === asText(before) ? [] : [phrase`From now on ${describeHolds(after)}`],
		...ended.length === 0 ? [] : [phrase`Those of ${ended.join(', ')} pass again.`],
	];
};

const limitOf = ({compacted}: Pick<RevisionResult, 'compacted'>): string | null => compacted
	&& phrase`Records up to state ${compacted.stateId} of ${nameMoment(compacted.timestamp)} are compacted: their texts can neither be left
		out nor taken back. From that state on it is exact.`;

/** The states before and after, and what is needed to compare them. */
export type Turned = {
	readonly before: StateTensor; readonly after: StateTensor; readonly directions: readonly Direction[]; readonly kernel: Kernel;
};

type Decided = Turned & {/** The holds before the decision. */ readonly onHold: Holds | null};

const decidedBy = ({timestamp, note, by}: DecidedBy): DecidedBy => ({timestamp, note, by});

/** The earlier decisions that made the exclusions and holds which this one leaves as they are. @param earlier The previous revision. */
const originsOf = (
	decision: Decision, holds: Holds | null, earlier: RevisionFacts | undefined,
): Pick<RevisionFacts, 'excludedBy' | 'heldBy'> => ({
	...(earlier && keepsExclusions(decision) && earlier.excluded > 0 && {excludedBy: decidedBy(earlier.excludedBy ?? earlier)}),
	...(earlier?.holds && asText(earlier.holds) === asText(holds) && {heldBy: decidedBy(earlier.heldBy ?? earlier)}),
});

type Known = Pick<RevisionFacts, 'id' | 'exclusions' | 'forgotten'> & {
	readonly holds: Holds | null; readonly to: number; readonly earlier: RevisionFacts | undefined;
};

/** The facts of a revision or a forgetting, real or hypothetical. */
export const factsOfRevision = (
	decision: Decision, {excluded, differsFrom}: Pick<RevisionResult, 'excluded' | 'differsFrom'>,
	{before, after}: Pick<Turned, 'before' | 'after'>, {to, earlier, ...made}: Known,
): RevisionFacts => ({
	...made,
	...originsOf(decision, made.holds, earlier),
	timestamp: after.timestamp, note: decision.note, by: decision.by, without: decision.without, excluded,
	differsFrom: differsFrom ?? to + 1,
	at: decision.at && {stateId: decision.at.stateId, timestamp: decision.at.timestamp},
	stateIdBefore: before.stateId, stateId: after.stateId, turnMrad: turnMrad(before.row('thirdness'), after.row('thirdness')),
});

/** A decision in the form of the list of all decisions. */
export const toPastRevision = (facts: RevisionFacts | SettlementFacts): PastRevision => {
	const {id, timestamp, note, by, stateIdBefore, stateId, turnMrad: angle} = facts;
	const shared = {id, timestamp, note, by, stateIdBefore, stateId, turnMrad: angle};
	if ('ids' in facts) {
		return {...shared, kind: facts.kind, without: null, at: null, holds: null, excluded: 0, settled: facts.ids.length, forgotten: null};
	}

	const {without, at, holds = null, excluded, forgotten = null} = facts;
	const kind = without || at || forgotten ? 'revision' : 'hold';
	return {...shared, kind, without, at, holds, excluded, settled: 0, forgotten};
};

export const describeRevision = (
	facts: RevisionFacts, result: RevisionResult, {before, after, directions, kernel, onHold}: Decided, tookSeconds: number,
): RevisionResponse => {
	const changes = compareStates(kernel, before.rows, after.rows, directions);
	const past = toPastRevision(facts);
	const words = [
		...past.kind === 'hold' ? [] : [describeChanges(changes)],
		...describeChangedHolds(onHold, past.holds),
		...past.kind === 'hold' && result.unsaid ? [nameUnsaid(result.unsaid)] : [],
	];
	return {
		...past, texts: result.texts, directions: changes, words, p: result.p,
		limit: limitOf(result), tookSeconds,
	};
};

/** A note for answers about the past, if the revision in force leaves texts out; else null. */
export const describeInForce = (
	revision: Pick<RevisionFacts, 'timestamp' | 'note' | 'excluded'> | undefined,
): string | null => revision && revision.excluded > 0
	? revision.excluded === 1
		? phrase`Since the revision of ${nameMoment(revision.timestamp)} (“${revision.note}”) 1 text weighs nothing: the past is
			read without it.`
		: phrase`Since the revision of ${nameMoment(revision.timestamp)} (“${revision.note}”) ${revision.excluded} texts weigh nothing:
			the past is read without them.`
	: null;
