/** The words of `docs/words.md` for a page's tooltips: each word with its meaning as plain text. */

const row = /^\| \*\*(?<word>[^*]+)\*\*[^|]* \| (?<meaning>.+) \|$/gm;

/** References at the end of a meaning: they lead to other documents. */
const references = / \((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g;

const toPlainText = (markdown: string): string =>
	markdown.replaceAll(references, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

/** Reads the tables of a glossary in Markdown. */
export const readGlossary = (markdown: string): Record<string, string> =>
	Object.fromEntries([...markdown.matchAll(row)].map(({groups}) => [groups!['word'], toPlainText(groups!['meaning']!)]));
