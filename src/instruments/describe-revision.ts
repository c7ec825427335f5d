/** What a revision does, in numbers and words; and what it excludes. */
import type {PastRevision, RevisionResponse} from '../generated/types.ts';
import type {Exclusion, Revision, RevisionFacts, TextChoice} from '../journal/revision.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {InputError} from '../platform/errors.ts';
import type {Direction} from '../semiosis/profile.ts';
import {compareStates, describeChanges} from './compare.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {RevisionResult} from './run-revision.ts';
import {describeUnsaid} from './text-choice.ts';

/** What a caller decides. */
export type Decision = {
	readonly note: string;
	readonly by: string | null;
	/** Null where the state of a moment is to be present again. */
	readonly without: TextChoice | null;
	/** That moment, and the number of its record. */
	readonly at: {readonly seq: number; readonly stateId: number; readonly timestamp: string} | null;
};

/** What is excluded of the records up to `to`: what is asked, and no more. A moment of the past has the revision that was in force then. */
export const exclusionsOf = ({without, at}: Decision, revisions: readonly Revision[], to: number): Exclusion[] => {
	if (at) {
		const before = revisions.findLast(({seq}) => seq <= at.seq)?.exclusions ?? [];
		return [...before, {from: at.seq + 1, to, texts: null}];
	}

	return without && Object.keys(without).length > 0 ? [{from: 1, to, texts: without}] : [];
};

/** @param before The present state. @throws {InputError} for a name that no text has, and where nothing would change */
export const requireChange = ({unsaid, differsFrom, compacted, thirdness}: RevisionResult, before: StateTensor): void => {
	if (unsaid) {
		throw new InputError(`${describeUnsaid(unsaid)}${compacted ? ` ${limitOf({compacted})}` : ''}`);
	}

	if (differsFrom === null || turnMrad(before.row('thirdness'), thirdness) === 0) {
		throw new InputError('Nothing would change. Say which weigh nothing (without), or to which moment to go back (at).');
	}
};

const limitOf = ({compacted}: Pick<RevisionResult, 'compacted'>): string | null => compacted
	&& `Records up to state ${compacted.stateId} of ${compacted.timestamp} are compacted: `
	+ 'their texts can neither be left out nor taken back.';

/** What the state is turned by. */
export type Turned = {
	readonly before: StateTensor; readonly after: StateTensor; readonly directions: readonly Direction[]; readonly kernel: Kernel;
};

/** The facts of a revision that is made, or would be. */
export const factsOfRevision = (
	{note, by, without, at}: Decision, {excluded, differsFrom}: RevisionResult, {before, after}: Pick<Turned, 'before' | 'after'>,
	made: {id: string; exclusions: readonly Exclusion[]},
): RevisionFacts => ({
	...made,
	timestamp: after.timestamp, note, by, without, excluded, differsFrom: differsFrom!,
	at: at && {stateId: at.stateId, timestamp: at.timestamp},
	stateIdBefore: before.stateId, stateId: after.stateId, turnMrad: turnMrad(before.row('thirdness'), after.row('thirdness')),
});

/** A revision in the list of all. */
export const toPastRevision = (facts: Revision | RevisionFacts): PastRevision => {
	const {id, timestamp, note, by, without, at, excluded, stateIdBefore, stateId, turnMrad: angle} = facts;
	return {id, timestamp, note, by, without, at, excluded, stateIdBefore, stateId, turnMrad: angle};
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
