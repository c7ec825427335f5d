/** Which texts are meant: by who said them, in which conversation, why, or which they are. */
import type {TextChoice} from '../journal/revision.ts';
import {InputError} from '../platform/errors.ts';
import {quoteInEnglish, toEscapes} from '../platform/plain-line.ts';
import {nearestName} from '../platform/unknown-names.ts';
import {conversationOf, readConversation, readName, sourceOf, type SaidText} from './source-of.ts';

const parts = ['sources', 'conversations', 'triggers', 'ids'] as const satisfies Array<keyof TextChoice>;

type Part = (typeof parts)[number];

/** What a caller chooses, without lists that say nothing. @throws {InputError} for what is no list of names */
export const toChoice = (given: {readonly [Each in Part]?: readonly string[] | undefined}): TextChoice =>
	Object.fromEntries(parts.filter(part => given[part]?.length).map(part => [part, requireList(part, given[part]!)]));

/** JavaScript callers may give anything: one text would be read as the list of its letters. @throws {InputError} naming the field */
export const requireList = (field: string, given: readonly string[]): readonly string[] => {
	if (!(Array.isArray(given) && given.every(each => typeof each === 'string'))) {
		throw new InputError(`The field ${field} must be a list of texts, such as ["Ada"].`);
	}

	return given;
};

/** A name or an id that no text has. */
export type Unsaid = {readonly by: Part; readonly name: string; /** Which one was perhaps meant. */ readonly nearest: string | null};

type NamedText = SaidText & {readonly id: string};

/** The names of a text. */
export type TextNames = Readonly<Record<Part, string | null>>;

export const namesOf = (cycle: NamedText): TextNames =>
	({sources: sourceOf(cycle), conversations: conversationOf(cycle), triggers: cycle.trigger, ids: cycle.id});

const eachPart = <Value>(make: (part: Part) => Value) => Object.fromEntries(parts.map(part => [part, make(part)])) as Record<Part, Value>;

/** How a name is read of a record. */
const readers: Partial<Record<Part, (name: string) => string | null>> = {sources: readName, conversations: readConversation};

/** A name as texts are compared with it: it is read as a record's is. */
const asRead = (part: Part, name: string): string => readers[part]?.(name) ?? name;

const wantedBy = (choice: TextChoice) => eachPart(part => new Set(choice[part]?.map(name => asRead(part, name))));

/** A choice without the names that another one has. */
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

/** Whether texts of these names are chosen. */
export const isNamedBy = (choice: TextChoice): ((names: TextNames) => boolean) => {
	const wanted = wantedBy(choice);
	const asked = parts.filter(part => wanted[part].size > 0);
	return names => asked.some(part => names[part] !== null && wanted[part].has(names[part]));
};

/** Whether texts are chosen. */
export const chosenBy = (choice: TextChoice): ((text: NamedText) => boolean) => {
	const isNamed = isNamedBy(choice);
	return text => isNamed(namesOf(text));
};

/** The names and the hashes of ids that some texts have. */
export type NamesOfMany = {
	readonly sources: readonly string[]; readonly triggers: readonly string[]; readonly conversations: readonly string[];
	readonly ids: ReadonlySet<number>;
};

/** Whether some texts may be chosen, by their names alone. @param hashOf of an id */
export const mayHave = (choice: TextChoice, hashOf: (id: string) => number): ((names: NamesOfMany) => boolean) => {
	const {ids, triggers, ...wanted} = wantedBy(choice);
	const [hashes, shown] = [[...ids].map(id => hashOf(id)), [...triggers].map(name => readName(name) ?? '')];
	return names => hashes.some(hash => names.ids.has(hash)) || shown.some(name => names.triggers.includes(name))
		|| [...wanted.sources].some(name => names.sources.includes(name))
		|| [...wanted.conversations].some(name => names.conversations.includes(name));
};

/** Strangers may have made up more names than are worth a search. */
const maxKnown = 1000;

const maxAlike = 10;

/** Hears texts, and knows afterwards which name of a choice none of them has. */
export const followUnsaid = (choice: TextChoice): {
	hear: (cycle: NamedText) => void;
	/** Hears texts of these names. */
	hearMany: (names: Pick<NamesOfMany, 'sources' | 'triggers' | 'conversations'>) => void;
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

/** What a name looks like: whatever its case, its spaces and the form of its letters in Unicode. */
const looksOf = (name: string): string =>
	name.normalize('NFKC').toLowerCase().replaceAll(/\p{Format}/gu, '').replaceAll(/\s+/gu, ' ').trim();

/** A name as JSON, in which the difference to one that looks the same can be seen. */
const spell = (name: string): string => JSON.stringify(name).replaceAll(/[\p{Mark}\p{Format}]|(?! )\s/gu, toEscapes);

/** Hears texts, and knows afterwards which sources look like chosen ones, and are not: somebody who is written in two ways is two. */
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

/** Whose texts there are none of. */
const nouns: Record<Part, string> = {sources: 'of', conversations: 'in the conversation', triggers: 'with the trigger', ids: 'with the id'};

const nearestOf = ({nearest}: Unsaid): string => nearest === null ? '' : `; nearest: ${quoteInEnglish(nearest)}`;

/** @param since From where on they were looked for. */
export const nameUnsaid = (unsaid: Unsaid, since = 'since the beginning or the last reset'): string =>
	`There are no texts ${nouns[unsaid.by]} ${quoteInEnglish(unsaid.name)} ${since}${nearestOf(unsaid)}.`;

/** Of texts that are to be left out. */
export const describeUnsaid = (unsaid: Unsaid, since?: string): string =>
	`${nameUnsaid(unsaid, since)} Nothing can be left out that was not said.`;

/** Of texts that are to be released or dropped. */
export const describeUnheld = (unsaid: Unsaid): string =>
	`No text ${nouns[unsaid.by]} ${quoteInEnglish(unsaid.name)} waits${nearestOf(unsaid)}. “held” lists what waits.`;
