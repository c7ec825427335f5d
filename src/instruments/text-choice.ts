/** Which texts are meant: by who said them, in which conversation, why, or which they are. */
import type {TextChoice} from '../journal/revision.ts';
import {quote} from '../platform/plain-line.ts';
import {nearestName} from '../platform/unknown-names.ts';
import {conversationOf, readName, sourceOf, type SaidText} from './source-of.ts';

const parts = ['sources', 'conversations', 'triggers', 'ids'] as const satisfies Array<keyof TextChoice>;

type Part = (typeof parts)[number];

/** What a caller chooses, without lists that say nothing. */
export const toChoice = (given: {readonly [Each in Part]?: readonly string[] | undefined}): TextChoice =>
	Object.fromEntries(parts.filter(part => given[part]?.length).map(part => [part, given[part]!]));

/** A name or an id that no text has. */
export type Unsaid = {readonly by: Part; readonly name: string; /** Which one was perhaps meant. */ readonly nearest: string | null};

type NamedText = SaidText & {readonly id: string};

const namesOf = (cycle: NamedText): Record<Part, string | null> =>
	({sources: sourceOf(cycle), conversations: conversationOf(cycle), triggers: cycle.trigger, ids: cycle.id});

const eachPart = <Value>(make: (part: Part) => Value) => Object.fromEntries(parts.map(part => [part, make(part)])) as Record<Part, Value>;

/** The names as texts are compared with them: a source is read as a record's is. */
const wantedBy = (choice: TextChoice) => eachPart(part => {
	const names = choice[part] ?? [];
	return new Set(part === 'sources' ? names.map(name => readName(name) ?? name) : names);
});

/** A choice without the names that another one has. */
export const withoutNames = (choice: TextChoice, other: TextChoice): TextChoice => {
	const gone = wantedBy(other);
	return toChoice(eachPart(part => choice[part]?.filter(name => !gone[part].has(part === 'sources' ? readName(name) ?? name : name))));
};

/** Whether texts of these names are chosen. */
export const isNamedBy = (choice: TextChoice): ((names: Readonly<Record<Part, string | null>>) => boolean) => {
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

/** Hears texts, and knows afterwards which name of a choice none of them has. */
export const followUnsaid = (choice: TextChoice): {
	hear: (cycle: NamedText) => void;
	/** Hears texts of these names. */
	hearMany: (names: Pick<NamesOfMany, 'sources' | 'triggers' | 'conversations'>) => void;
	find: () => Unsaid | null;
} => {
	const unsaid = wantedBy(choice);
	const known = eachPart(() => new Set<string>());
	return {
		hearMany(names) {
			for (const part of ['sources', 'triggers', 'conversations'] as const) {
				for (const name of names[part]) {
					unsaid[part].delete(name);
				}

				for (const name of unsaid[part].size > 0 ? names[part].slice(0, maxKnown - known[part].size) : []) {
					known[part].add(name);
				}
			}
		},
		hear(cycle) {
			const names = namesOf(cycle);
			for (const part of parts) {
				const name = names[part];
				if (name !== null) {
					unsaid[part].delete(name);
					if (unsaid[part].size > 0 && known[part].size < maxKnown) {
						known[part].add(name);
					}
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


/** Whose texts there are none of. */
const nouns: Record<Part, string> = {sources: 'of', conversations: 'in the conversation', triggers: 'with the trigger', ids: 'with the id'};

const nearestOf = ({nearest}: Unsaid): string => nearest === null ? '' : `; nearest: ${quote(nearest)}`;

/** @param since From where on they were looked for. */
export const nameUnsaid = (unsaid: Unsaid, since = 'since the beginning or the last reset'): string =>
	`There are no texts ${nouns[unsaid.by]} ${quote(unsaid.name)} ${since}${nearestOf(unsaid)}.`;

/** Of texts that are to be left out. */
export const describeUnsaid = (unsaid: Unsaid, since?: string): string =>
	`${nameUnsaid(unsaid, since)} Nothing can be left out that was not said.`;

/** Of texts that are to be released or dropped. */
export const describeUnheld = (unsaid: Unsaid): string =>
	`No text ${nouns[unsaid.by]} ${quote(unsaid.name)} waits${nearestOf(unsaid)}. What waits is listed by GET /held.`;
