/** The documents of the package in reading order, each with its title and a summary. */
import {readdir, readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';

export type Document = {
	/** From the root of the package. */
	readonly path: string;
	readonly title: string;
	/** Its first paragraph, in plain text. */
	readonly about: string;
	readonly markdown: string;
};

export const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The reading order; the other documents follow by name. */
const order = [
	'README', 'docs/instruments', 'docs/drift', 'docs/inspector', 'docs/agents', 'docs/recipes', 'docs/library', 'docs/endpoints',
	'docs/begin-as-somebody', 'docs/models', 'docs/configuration', 'docs/operations',
];

const rankOf = (path: string): number => {
	const rank = order.indexOf(path.replace(/\.md$/, ''));
	return rank === -1 ? order.length : rank;
};

const documentsIn = async (folder: string): Promise<string[]> =>
	(await readdir(inPackage(folder))).filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`).toSorted();

export const toPlainText = (markdown: string): string =>
	markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim();

export const readDocument = async (path: string): Promise<Document> => {
	const markdown = await readFile(inPackage(path), 'utf8');
	const [, title = path] = /^# (.+)$/m.exec(markdown) ?? [];
	const paragraph = markdown.split(/\n{2,}/).find(block => /^(?!```)[\p{L}*`[]/u.test(block)) ?? '';
	return {path, title, about: toPlainText(paragraph), markdown};
};

export const readDocuments = async (): Promise<Document[]> => {
	const docs = (await documentsIn('docs')).toSorted((one, other) => rankOf(one) - rankOf(other));
	return Promise.all(['README.md', ...docs, 'SECURITY.md', ...await documentsIn('docs/spec')].map(readDocument));
};
