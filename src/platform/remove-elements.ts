/**
 * Removes elements, such as `<think>…</think>`, from a text that a stranger may have written. A regular expression for a whole
 * element searches the rest of the text again at each unclosed tag: 1 MB of them would block the program for minutes.
 */

/** How many different names may be unclosed: each costs a search of the whole text. */
const maxUnclosed = 20;

/**
 * Removes each element from its opening tag to the next closing tag of that name, whatever its case. An unclosed one stays.
 *
 * @param opening Matches an opening tag; its first group is the name, in letters, digits, `_` and `-`. Has the flag `g`.
 * @param replacement Stands in the place of each element, and of adjacent ones together.
 */
export const removeElements = (text: string, opening: RegExp, replacement: string): string => {
	const unclosed = new Set<string>();
	const kept: string[] = [];
	let from = 0;
	for (const {0: tag, 1: name = '', index} of text.matchAll(opening)) {
		if (index < from || unclosed.has(name) || unclosed.size === maxUnclosed) {
			continue;
		}

		const closing = new RegExp(`</${name}\\s*>`, 'gi');
		closing.lastIndex = index + tag.length;
		if (closing.test(text)) {
			kept.push(...index > from ? [text.slice(from, index)] : []);
			from = closing.lastIndex;
		} else {
			unclosed.add(name);
		}
	}

	return [...kept, text.slice(from)].join(replacement);
};
