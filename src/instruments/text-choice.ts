/** A choice of texts by source, conversation, trigger or id. */
import type {TextChoice} from '../journal/revision.ts';
import {InputError} from '../platform/errors.ts';
import {quoteInEnglish, toEscapes} from '../platform/plain-line.ts';
import {nearestName} from '../platform/unknown-names.ts';
import {hashOf} from './hash.ts';
import {conversationOf, readConversation, readName, sourceOf, type SaidText} from './source-of.ts';

const parts = ['sources', 'conversations', 'triggers', 'ids'] as const satisfies Array<keyof TextChoice>;

type Part = (typeof parts)[number];

/** A caller's choice without its empty lists. @throws {InputError} if a list is not an array of strings */
export const toChoice = (given: {readonly [Each in Part]?: readonly string[] | undefined}): TextChoice =>
	Object.fromEntries(parts.filter(part => given[part]?.length).map(part => [part, requireList(part, given[part]!)]));

/** JavaScript callers may pass anything: a string would be read as a list of letters. @throws {InputError} that names the field */
export const requireList = (field: string, given: readonly string[]): readonly string[] => {
	if (!(Array.isArray(given) && given.every(each => typeof each === 'string'))) {
		throw new InputError(`The field ${field} must be a list of texts, such as ["Ada"].`);
	}

	return given;
};

/** A name or an id that no text has, and the most similar one that some text has. */
export type Unsaid = {readonly by: Part; readonly name: string; readonly nearest: string | null};

type NamedText = SaidText & {readonly id: string};

export type TextNames = Readonly<Record<Part, string | null>>;

export const namesOf = (cycle: NamedText): TextNames =>
	({sources: sourceOf(cycle), conversations: conversationOf(cycle), triggers: cycle.trigger, ids: cycle.id});

const eachPart = <Value>(make: (part: Part) => Value) => Object.fromEntries(parts.map(part => [part, make(part)])) as Record<Part, Value>;

/** The functions that read names from records. */
const readers: Partial<Record<Part, (name: string) => string | null>> = {sources: readName, conversations: readConversation};

/** Normalises a given name as those of records are, so that they can be compared. */
const asRead = (part: Part, name: string): string => readers[part]?.(name) ?? name;

const wantedBy = (choice: TextChoice) => eachPart(part => new Set(choice[part]?.map(name => asRead(part, name))));

/** A choice without the names of another one. */
export const withoutNames = (choice: TextChoice, other: TextChoice): TextChoice => {
	const gone = wantedBy(other);
	return toChoice(eachPart(part => choice[part]?.filter(name => !gone[part].has(asRead(part, name)))));
};

/** The names that both choices have. */
export const sharedNames = (choice: TextChoice, other: TextChoice): string[] => {
	const wanted = wantedBy(other);
	return parts.flatMap(part => choice[part]?.filter(name => wanted[part].has(asRead(part, name))) ?? []);
};

/** The names of a choice that some texts have. */
export const namesAmong = (choice: TextChoice, texts: readonly TextNames[]): TextChoice =>
	toChoice(eachPart(part => {
		const had = new Set(texts.map(names => names[part]));
		return choice[part]?.filter(name => had.has(asRead(part, name)));
	}));

/** Tests whether texts with some names are chosen. */
export const isNamedBy = (choice: TextChoice): ((names: TextNames) => boolean) => {
	const wanted = wantedBy(choice);
	const asked = parts.filter(part => wanted[part].size > 0);
	return names => asked.some(part => names[part] !== null && wanted[part].has(names[part]));
};

/** Tests whether a text is chosen. */
export const chosenBy = (choice: TextChoice): ((text: NamedText) => boolean) => {
	const isNamed = isNamedBy(choice);
	return text => isNamed(namesOf(text));
};

/** The names of many texts, and the hashes of their ids. */
export type NamesOfMany = Readonly<Record<Exclude<Part, 'ids'>, readonly string[]>> & {readonly ids: ReadonlySet<number>};

/** Tests whether any of many texts may be chosen, by their names alone. */
export const mayHave = (choice: TextChoice): ((names: NamesOfMany) => boolean) => {
	const {ids, triggers, ...wanted} = wantedBy(choice);
	const [hashes, shown] = [[...ids].map(hashOf), [...triggers].map(name => readName(name) ?? '')];
	return names => hashes.some(hash => names.ids.has(hash)) || shown.some(name => names.triggers.includes(name))
		|| [...wanted.sources].some(name => names.sources.includes(name))
		|| [...wanted.conversations].some(name => names.conversations.includes(name));
};

/** The names among which a similar one is sought: strangers may have made up many more. */
const maxKnown = 1000;

const maxAlike = 10;

/** Takes texts, and finds afterwards a name of a choice that none of them has. */
export const followUnsaid = (choice: TextChoice): {
	hear: (cycle: NamedText) => void;
	/** Takes the names of many texts. */
	hearMany: (names: Omit<NamesOfMany, 'ids'>) => void;
	find: () => Unsaid | null;
} => {
	const unsaid = wantedBy(choice);
	const known = eachPart(() => new Set<string>());
	const hear = (part: Part, name: string): void => {
		unsaid[part].delete(name);
		if (unsaid[part].size > 0 && known[part].size < maxKnown) {
			known[part].add(name);
		}
	};

	return {
		hearMany(names) {
			for (const part of ['sources', 'triggers', 'conversations'] as const) {
				names[part].forEach(name => hear(part, name));
			}
		},
		hear(cycle) {
			for (const [part, name] of Object.entries(namesOf(cycle)) as Array<[Part, string | null]>) {
				if (name !== null) {
					hear(part, name);
				}
			}
		},
		find() {
			const by = parts.find(part => unsaid[part].size > 0);
			if (by === undefined) {
				return null;
			}

			const [name] = unsaid[by];
			return {by, name: name!, nearest: nearestName(name!, [...known[by]])};
		},
	};
};

/** The look of a name, without differences in case, spaces and Unicode form. */
const looksOf = (name: string): string =>
	name.normalize('NFKC').toLowerCase().replaceAll(/\p{Format}/gu, '').replaceAll(/\s+/gu, ' ').trim();

/** A name as JSON in which invisible differences are escaped. */
const spell = (name: string): string => JSON.stringify(name).replaceAll(/[\p{Mark}\p{Format}]|(?! )\s/gu, toEscapes);

/** Takes texts, and finds the sources that look like chosen ones but differ: a name written in two ways is two sources. */
export const followAlike = (choice: TextChoice): {hear: (cycle: NamedText) => void; find: () => string[]} => {
	const {sources} = wantedBy(choice);
	const looks = new Set([...sources].map(looksOf));
	const alike = new Set<string>();
	return {
		hear(cycle) {
			const source = sourceOf(cycle);
			if (looks.size > 0 && alike.size < maxAlike && !sources.has(source) && looks.has(looksOf(source))) {
				alike.add(source);
			}
		},
		find: () => [...alike].map(spell),
	};
};

const nouns: Record<Part, string> = {sources: 'of', conversations: 'in the conversation', triggers: 'with the trigger', ids: 'with the id'};

const nearestOf = ({nearest}: Unsaid): string => nearest === null ? '' : `; nearest: ${quoteInEnglish(nearest)}`;

/** @param since The place from which on the texts were searched. */
export const nameUnsaid = (unsaid: Unsaid, since = 'since the beginning or the last reset'): string =>
	`There are no texts ${nouns[unsaid.by]} ${quoteInEnglish(unsaid.name)} ${since}${nearestOf(unsaid)}.`;

/** For texts that are to be left out. */
export const describeUnsaid = (unsaid: Unsaid, since?: string): string =>
	`${nameUnsaid(unsaid, since)} Only texts that were said can be left out.`;

/** For texts that are to be released or dropped. */
export const describeUnheld = (unsaid: Unsaid): string =>
	`No text ${nouns[unsaid.by]} ${quoteInEnglish(unsaid.name)} waits${nearestOf(unsaid)}. “held” lists the texts that wait.`;
