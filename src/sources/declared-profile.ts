/**
 * A person's declared profile: a JSON file `{category: {name: value}}` with values from −10 to 10,
 * or null if nothing is declared.
 *
 * The order of the file matters (`docs/spec/numerics.md#reference-from-a-declared-profile`), so it
 * is read from the syntax tree: a JavaScript object would put names like "7" first, and lose duplicates.
 */
import {readFile} from 'node:fs/promises';
import {parseTree, type Node} from 'jsonc-parser';
import {ConfigurationError, reasonOf} from '../platform/errors.ts';
import type {DeclaredProfile} from '../semiosis/reference.ts';
import {nameOf} from '../platform/option-names.ts';

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
