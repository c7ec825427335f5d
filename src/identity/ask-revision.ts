/** Checks revisions and holds, and runs a revision on the past as a dry run. */
import type {HoldRequest} from '../generated/types.ts';
import {timestampOf} from '../platform/clock.ts';
import {InputError} from '../platform/errors.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {requireKnownNames} from '../platform/unknown-names.ts';
import {
	describeRevision, exclusionsOf, factsOfRevision, holdsOf, requireChange, type Decision,
} from '../instruments/describe-revision.ts';
import type {Past} from '../instruments/past/past.ts';
import {isRevision} from '../journal/revision.ts';
import {toChoice} from '../instruments/text-choice.ts';
import {choiceNames} from './ask-past.ts';
import {checkNote} from './cycle-request.ts';
import type {IdentityParts} from './local-identity.ts';
import type {RevisionRequest, RevisionView} from './views.ts';

/** @throws {InputError} unless the request gives either `without`, texts that are to weigh nothing, or `at`, a moment to go back to */
export const decide = async (
	{note, by, without, at, hold = false}: RevisionRequest, past: Past, signal?: AbortSignal,
): Promise<Decision> => {
	requireKnownNames('What is left out', without ?? undefined, choiceNames, {kind: 'field', Failure: InputError});
	const isMoment = at !== null && at !== undefined;
	if (isMoment === (without !== null && without !== undefined)) {
		throw new InputError('A revision says which texts weigh nothing (without), or to which moment to go back (at): one of the two.');
	}

	const checked = {note: checkNote(note, 'a revision'), by: by || null};
	if (!isMoment) {
		const choice = toChoice(without!);
		if (hold && !choice.sources && !choice.conversations) {
			throw new InputError('A hold applies to further texts: name their sources or conversations (without).');
		}

		return {...checked, without: choice, at: null, holds: hold ? choice : null};
	}

	const {seq, state: {stateId, timestamp}} = await past.find(at, signal);
	return {...checked, without: null, at: {seq, stateId, timestamp}};
};

/** @throws {InputError} unless the request either names sources or conversations, or takes a hold back */
export const toHold = ({note, by, takeBack = false, ...names}: HoldRequest): Decision => {
	const holds = toChoice(names);
	if (takeBack === (Object.keys(holds).length > 0)) {
		throw new InputError('Say whose further texts are to wait (sources, conversations), or take the hold back: one of the two.');
	}

	return {note: checkNote(note, 'a hold'), by: by || null, without: null, at: null, holds};
};

/** Runs a revision and discards the result. @throws {InputError} for a name that no text has, or if nothing would change */
export const dryRevision = async (
	decision: Decision, {machine: {kernel, time}, past, getContext, onProgress}: IdentityParts, signal?: AbortSignal,
): Promise<RevisionView> => {
	const begun = time.elapsed();
	const {quarantine: {hold: present}, boot: {directions}} = getContext();
	const [revisions, ordinary] = [(await past.decisions(signal)).filter(isRevision), await past.validation(signal)];
	const exclusions = exclusionsOf(decision, revisions, past.records);
	const question = {exclusions, revisions, without: decision.without ?? decision.holds ?? {}, ordinary};
	const {answer: result, to: {state: before}} = await past.ask('revision', question, {asRecorded: true, onProgress}, {signal});
	requireChange(decision, result, before, present);
	const after = before.withThirdness(before.stateId + 1, timestampOf(time), result.thirdness);
	const made = {id: '', exclusions, holds: holdsOf(decision, present), to: past.records, earlier: revisions.at(-1)};
	const facts = factsOfRevision(decision, result, {before, after}, made);
	const turned = {before, after, directions, kernel, onHold: present};
	return deepFreeze({...describeRevision(facts, result, turned, (time.elapsed() - begun) / 1000), id: null});
};
