/**
 * Loads the reference person from the configured files. If the messages cannot be read, that is a warning; if the
 * profile cannot be read or is missing, an error.
 */
import {ConfigurationError, isOutage, reasonOf, warnToConsole, type Warn} from '../platform/errors.ts';
import type {DeclaredProfile, Person} from '../semiosis/reference.ts';
import {readMessages} from './message-file.ts';
import {type Messages, readRecentWords} from './recent-words.ts';
import {readFile} from 'node:fs/promises';
import {parseTree, type Node} from 'jsonc-parser';
import {nameOf} from '../platform/option-names.ts';

/** The files that describe the reference person. */
export type PersonSources = {
	/** SQLite file of messages. It need not exist. */
	messagesFile: string;
	/** JSON file of the declared profile. */
	profileFile: string | undefined;
};

/**
 * Reads the words and the declared profile of the reference person. `warn`, by default `console.warn`, is called if the
 * messages cannot be read.
 *
 * @throws {ConfigurationError} for a profile that cannot be read
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadPerson} from 'processual-state/sources';
 *
 * const files = {messagesFile: 'messages.sqlite', profileFile: 'profile.json'};
 * export const identity = createIdentity({person: async boot => loadPerson(files, boot)});
 * ```
 */
export const loadPerson = async ({messagesFile, profileFile}: PersonSources, options: {warn?: Warn} = {}): Promise<Person> =>
	loadPersonFrom({read: () => readMessages(messagesFile)}, profileFile, options);

/** Like {@link loadPerson}, with messages from any place. */
export const loadPersonFrom = async (
	messages: Pick<Messages, 'read'>, profileFile: string | undefined, {warn = warnToConsole}: {warn?: Warn},
): Promise<Person> => {
	let words: Person['words'] = null;
	try {
		words = await readRecentWords(messages.read());
	} catch (error) {
		if (isOutage(error)) {
			throw error;
		}

		warn(`The reference is made without messages: ${reasonOf(error)}`);
	}

	return {words, profile: profileFile === undefined ? null : await readDeclaredProfile(profileFile)};
};

// A declared profile is a JSON file `{category: {name: value}}` with values from −10 to 10, or null if undeclared. The
// order in the file matters (`docs/spec/numerics.md#reference-from-a-declared-profile`), so it is read from the syntax tree: a
// JavaScript object would put names like "7" first, and lose duplicates.

const form = 'It needs the form {"affective": {"calm": 7, "joy": -2.5, "hope": null}}, with values from -10 to 10.';

/** @throws {ConfigurationError} if the file cannot be read or is not JSON; otherwise naming each wrong entry. */
export const readDeclaredProfile = async (file: string): Promise<DeclaredProfile> => {
	let text: string;
	let root: Node;
	try {
		text = new TextDecoder('utf-8', {fatal: true}).decode(await readFile(file));
		// The messages of JSON.parse are clearer than those of the tree's parser.
		JSON.parse(text);
		root = parseTree(text)!;
	} catch (error) {
		throw new ConfigurationError(`The declared profile ${file} cannot be read (${reasonOf(error)}). `
			+ `Correct ${nameOf('person.profileFile')} or the file. ${form}`, {cause: error});
	}

	const {profile, faults} = check(root, text);
	if (faults.length > 0) {
		throw new ConfigurationError(`The declared profile ${file} is wrong: ${faults.join('; ')}. ${form}`);
	}

	return profile;
};

const check = (root: Node, text: string): {profile: DeclaredProfile; faults: string[]} => {
	const faults: string[] = [];

	const membersOf = (node: Node, place: string): Array<[name: string, value: Node]> => {
		if (node.type !== 'object') {
			faults.push(`${place || 'the file'}: ${excerpt(node, text)} is not an object`);
			return [];
		}

		const members = node.children!.map(({children}): [string, Node] => [children![0]!.value, children![1]!]);
		for (const [name, {length}] of Map.groupBy(members, ([member]) => member)) {
			if (length > 1) {
				faults.push(`${within(place, name)} appears ${length} times`);
			}
		}

		return members;
	};

	const valueOf = (node: Node, place: string): number | null => {
		const value: unknown = node.value;
		if (node.type !== 'null' && !(typeof value === 'number' && Math.abs(value) <= 10)) {
			faults.push(`${place}: ${excerpt(node, text)} is not ${typeof value === 'number' ? 'between -10 and 10' : 'a number or null'}`);
		}

		return value as number | null;
	};

	const profile = membersOf(root, '').map(([category, values]) =>
		[category, membersOf(values, category).map(([name, value]) => [name, valueOf(value, `${category}.${name}`)] as const)] as const);
	return {profile, faults};
};

const within = (place: string, name: string): string => place === '' ? name : `${place}.${name}`;

/** The value's first 40 characters. */
const excerpt = ({offset, length}: Node, text: string): string =>
	length > 40 ? `${text.slice(offset, offset + 40)}…` : text.slice(offset, offset + length);
