/** Describes the effect of a forgetting in numbers and words. */
import type {ForgetResponse} from '../generated/types.ts';
import type {HeldEntry} from '../journal/journal.ts';
import type {BaselineText, Validation} from '../journal/validation.ts';
import type {Holds, Revision, RevisionFacts, TextChoice} from '../journal/revision.ts';
import {InputError} from '../platform/errors.ts';
import {nameMoment} from '../platform/clock.ts';
import {formatCount, phrase} from '../platform/phrase.ts';
import {quote} from '../platform/plain-line.ts';
import {hasAtLeast, minBaseline, nameNeeded, sizeOf} from './drift/baseline.ts';
import type {ForgetDecision, Turned} from './describe-revision.ts';
import {compareStates, describeChanges} from './compare.ts';
import type {ForgettingResult, Tombstone} from './forgetting-records.ts';
import {chosenBy, isNamedBy, namesAmong, namesOf, nameUnsaid, sharedNames, withoutNames, type TextNames} from './text-choice.ts';

/** The remaining texts of a validation; null if they are too few. `gone` is the number of the others. */
export type LeftBaseline = {readonly gone: number; readonly texts: readonly BaselineText[] | null};

const namesOfBaseline = ({id: ids, source: sources, conversation: conversations}: BaselineText): TextNames =>
	({ids, sources, conversations, triggers: null});

export const leftOf = ({texts, chance}: Validation, choice: TextChoice): LeftBaseline => {
	const isNamed = isNamedBy(choice);
	const left = texts.filter(text => !isNamed(namesOfBaseline(text)));
	return {gone: texts.length - left.length, texts: hasAtLeast(sizeOf(left, chance?.usesIds), minBaseline) ? left : null};
};

const namesIn = (choice: TextChoice): TextNames[] => Object.entries(choice).flatMap(([part, names]) =>
	names.map(name => ({sources: null, conversations: null, triggers: null, ids: null, [part]: name})));

/**
 * The names of a choice that occur outside the records: compaction removes records, but not the baseline, held texts and decisions.
 * A name on hold stays in the decisions, and does not count there. @param held Pages of held texts.
 */
export const namesBeside = async (
	choice: TextChoice, validation: Validation | null, revisions: readonly Revision[], held: AsyncIterable<readonly HeldEntry[]>,
): Promise<TextChoice> => {
	const onHold = revisions.at(-1)?.holds ?? {};
	const names = (validation?.texts ?? []).map(namesOfBaseline);
	for (const {without, holds} of revisions) {
		names.push(...[without, holds].flatMap(said => said ? namesIn(withoutNames(said, onHold)) : []));
	}

	const isChosen = chosenBy(choice);
	for await (const page of held) {
		names.push(...page.flatMap(({record}) => isChosen(record) ? [{...namesOf(record), triggers: null}] : []));
	}

	return namesAmong(choice, names);
};

/**
 * Finds the chosen texts that are held. `settled` has their numbers; `compacted` counts those whose records were compacted.
 * @param hear Called with each of the latter.
 */
export const findWaiting = async (
	choice: TextChoice, {tombstones}: ForgettingResult, held: AsyncIterable<readonly HeldEntry[]>, hear: ForgetDecision['hear'] = () => {},
): Promise<{settled: number[]; compacted: number}> => {
	const isChosen = chosenBy(choice);
	const heard = new Set(tombstones.map(({seq}) => seq));
	const found = {settled: [] as number[], compacted: 0};
	for await (const page of held) {
		for (const {seq, record} of page.filter(entry => isChosen(entry.record))) {
			found.settled.push(seq);
			if (!heard.has(seq)) {
				found.compacted++;
				hear(record);
			}
		}
	}

	return found;
};

/** @throws {InputError} for a name that no text has */
export const requireTexts = ({unsaid, block}: ForgettingResult): void => {
	if (unsaid) {
		const forgotten = '“revisions” lists earlier forgettings.';
		throw new InputError(`${nameUnsaid(unsaid, 'in the journal')} ${forgotten}${block ? ` ${limitOf({block})}` : ''}`);
	}
};

const limitOf = ({block}: Pick<ForgettingResult, 'block'>): string | null => block
	&& phrase`Records up to state ${block.stateId} of ${nameMoment(block.timestamp)} are compacted: their texts are gone already,
		but what they moved stays in the states that are left of them, mixed with that of others, and cannot be taken out.`;

const stayingOf = ({alike}: Pick<ForgettingResult, 'alike'>): string | null => alike.length === 0
	? null
	: phrase`The texts of ${alike.join(', ')} stay: the name looks the same, but is spelled differently. If they are of the same
		person, forget that source too.`;

const onHoldOf = (holds: Holds | null, choice: TextChoice): string | null => {
	const names = sharedNames(holds ?? {}, choice).map(name => quote(name, 60));
	return names.length === 0
		? null
		: phrase`Further texts of ${names.join(', ')} still wait, and so the name is kept. To remove it too, take the hold back before
			you forget, or forget again after that.`;
};

const validationOf = (left: LeftBaseline | null): string | null => {
	if (!left || left.gone === 0) {
		return null;
	}

	return left.texts
		? phrase`The validation is made again without ${formatCount(left.gone, 'text')}; ${left.texts.length} are left.`
		: phrase`The validation no longer holds: without ${formatCount(left.gone, 'text')} its baseline is too short. It needs
			${nameNeeded()}.`;
};

export const describeForgetting = (
	{id, timestamp, note, by, stateIdBefore, stateId, turnMrad: angle, holds = null}: RevisionFacts, result: ForgettingResult,
	left: LeftBaseline | null, {before, after, directions, kernel}: Turned,
	rest: {readonly choice: TextChoice; readonly waiting: number; readonly tookSeconds: number},
): ForgetResponse => {
	const changes = compareStates(kernel, before.rows, after.rows, directions);
	return {
		id, timestamp, note, by, texts: result.texts + rest.waiting, stateIdBefore, stateId, turnMrad: angle,
		directions: changes, words: [describeChanges(changes)], validation: validationOf(left),
		limit: [limitOf(result), stayingOf(result), onHoldOf(holds, rest.choice)].filter(Boolean).join(' ') || null,
		elsewhere: [], receipt: null, tookSeconds: rest.tookSeconds,
	};
};

/** SHA-256 over the numbers and times of tombstones, in hexadecimal. */
export const digestOfTombstones = async (tombstones: readonly Tombstone[]): Promise<string> =>
	sha256(tombstones.map(({seq, timestamp}) => `${seq} ${timestamp}\n`).join(''));

/** SHA-256 of a text, in hexadecimal. It does not use Node, because an identity can run in a web page. */
export const sha256 = async (text: string): Promise<string> =>
	Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))), byte =>
		byte.toString(16).padStart(2, '0'),
	).join('');

/** Abbreviates ascending numbers: `17 20-24`. */
export const toRanges = (numbers: readonly number[]): string => {
	const ranges: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.[1] === number - 1) {
			last[1] = number;
		} else {
			ranges.push([number, number]);
		}
	}

	return ranges.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`).join(' ');
};
