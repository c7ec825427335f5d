/** What a revision does, in numbers and words; and what it excludes. */
import type {PastRevision, RevisionResponse} from '../generated/types.ts';
import type {Exclusion, Holds, Revision, RevisionFacts, SettlementFacts, TextChoice} from '../journal/revision.ts';
import type {StoredCycle, StoredHeld} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {InputError} from '../platform/errors.ts';
import type {Direction} from '../semiosis/profile.ts';
import {compareStates, describeChanges} from './compare.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {Tombstone} from './forgetting-records.ts';
import type {RevisionResult} from './run-revision.ts';
import {describeUnsaid} from './text-choice.ts';

/** What is to be forgotten, and who must know of it. */
export type ForgetDecision = {
	readonly choice: TextChoice;
	/** Called with each of the texts while it is known. */
	readonly hear: (text: StoredCycle | StoredHeld) => void;
	/** Called when all were heard, before anything is changed: what else has them, forgets them. */
	readonly prepare: () => Promise<void>;
	/** Called when they are gone. */
	readonly onDone: (done: {readonly tombstones: readonly Tombstone[]; readonly unreached: readonly string[]}) => void;
};

/** What a caller decides. */
export type Decision = {
	readonly note: string;
	readonly by: string | null;
	/** Null where the state of a moment is to be present again. */
	readonly without: TextChoice | null;
	/** Whether further texts of the sources and conversations are held back. */
	readonly hold: boolean;
	/** That moment, and the number of its record. */
	readonly at: {readonly seq: number; readonly stateId: number; readonly timestamp: string} | null;
	/** The texts that are to be gone for good. */
	readonly forget?: ForgetDecision;
};

/** What is excluded of the records up to `to`: what is asked, and no more. A moment of the past has the revision that was in force then. */
export const exclusionsOf = ({without, at}: Decision, revisions: readonly Revision[], to: number): Exclusion[] => {
	if (at) {
		const before = revisions.findLast(({seq}) => seq <= at.seq)?.exclusions ?? [];
		return [...before, {from: at.seq + 1, to, texts: null}];
	}

	return without && Object.keys(without).length > 0 ? [{from: 1, to, texts: without}] : [];
};

/** Whose further texts wait by a decision; a moment of the past leaves that as it is. */
export const holdsOf = ({without, at, hold}: Decision, present: Holds | null): Holds | null => {
	const {sources, conversations} = (at ? present : hold ? without : null) ?? {};
	return sources || conversations ? {...(sources && {sources}), ...(conversations && {conversations})} : null;
};

const asText = (holds: Holds | null): string =>
	JSON.stringify([holds?.sources, holds?.conversations].map(names => [...new Set(names)].toSorted()));

/** Whether the same is on hold. */
export const isSameHold = (one: Holds | null, other: Holds | null): boolean => asText(one) === asText(other);

/**
 * @param before The present state. @param changesHold Whether something else is on hold by it.
 * @throws {InputError} for a name that no text has, and where nothing would change
 */
export const requireChange = (
	{unsaid, differsFrom, compacted, thirdness}: RevisionResult, before: StateTensor, changesHold: boolean,
): void => {
	if (unsaid) {
		throw new InputError(`${describeUnsaid(unsaid)}${compacted ? ` ${limitOf({compacted})}` : ''}`);
	}

	if (!changesHold && (differsFrom === null || turnMrad(before.row('thirdness'), thirdness) === 0)) {
		throw new InputError('Nothing would change. Say which weigh nothing (without), or to which moment to go back (at).');
	}
};

const limitOf = ({compacted}: Pick<RevisionResult, 'compacted'>): string | null => compacted
	&& `Records up to state ${compacted.stateId} of ${compacted.timestamp} are compacted: `
	+ 'their texts can neither be left out nor taken back. From that state on it is exact.';

/** What the state is turned by. */
export type Turned = {
	readonly before: StateTensor; readonly after: StateTensor; readonly directions: readonly Direction[]; readonly kernel: Kernel;
};

/** The facts of a revision that is made, or would be. */
export const factsOfRevision = (
	{note, by, without, at}: Decision, {excluded, differsFrom}: RevisionResult, {before, after}: Pick<Turned, 'before' | 'after'>,
	{to, ...made}: {id: string; exclusions: readonly Exclusion[]; holds: Holds | null; to: number},
): RevisionFacts => ({
	...made,
	timestamp: after.timestamp, note, by, without, excluded, differsFrom: differsFrom ?? to + 1,
	at: at && {stateId: at.stateId, timestamp: at.timestamp},
	stateIdBefore: before.stateId, stateId: after.stateId, turnMrad: turnMrad(before.row('thirdness'), after.row('thirdness')),
});

/** A decision in the list of all. */
export const toPastRevision = (facts: RevisionFacts | SettlementFacts): PastRevision => {
	const {id, timestamp, note, by, stateIdBefore, stateId, turnMrad: angle} = facts;
	const shared = {id, timestamp, note, by, stateIdBefore, stateId, turnMrad: angle};
	if ('ids' in facts) {
		return {...shared, kind: facts.kind, without: null, at: null, holds: null, excluded: 0, settled: facts.ids.length, forgotten: null};
	}

	const {without, at, holds = null, excluded, forgotten = null} = facts;
	return {...shared, kind: 'revision', without, at, holds, excluded, settled: 0, forgotten};
};

export const describeRevision = (
	facts: RevisionFacts, result: RevisionResult, {before, after, directions, kernel}: Turned, tookSeconds: number,
): RevisionResponse => {
	const changes = compareStates(kernel, before.rows, after.rows, directions);
	return {
		...toPastRevision(facts), texts: result.texts, directions: changes, words: [describeChanges(changes)], p: result.p,
		limit: limitOf(result), tookSeconds,
	};
};

/** What a reader of the past must know of the revision in force; null where no text is left out. */
export const describeInForce = (
	revision: Pick<RevisionFacts, 'timestamp' | 'note' | 'excluded'> | undefined,
): string | null => revision && revision.excluded > 0
	? `Since the revision of ${revision.timestamp} (“${revision.note}”) ${revision.excluded} texts weigh nothing: the past is `
		+ 'read without them.'
	: null;
