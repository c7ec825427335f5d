/** Documents as pages: Markdown to HTML, links to other documents as links to their pages, and the parts that are searched. */
import {existsSync, statSync} from 'node:fs';
import path from 'node:path';
import {Marked} from 'marked';
import {inPackage, readDocument, toPlainText, type Document} from '../documents.ts';

export type Page = {readonly name: string; readonly content: string};

/** What a search finds: a part of a page below one heading. */
export type Section = {readonly id: string; readonly page: string; readonly title: string; readonly text: string};

const pageOf = (document: string): string => document === 'README.md' ? 'index.html' : document.replace(/\.md$/, '.html');

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
	toPlainText(heading).toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

const toPage = (name: string, title: string, navigation: string, body: string): Page => {
	const up = path.posix.relative(path.posix.dirname(name), '') || '.';
	return {
		name,
		content: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}${name === 'index.html' ? '' : ' · Processual State'}</title>
<link rel="icon" type="image/svg+xml" href="${up}/inspector/icon.svg">
<link rel="stylesheet" href="${up}/site.css">
${['search', ...name === 'playground.html' ? ['playground'] : []].map(script => `<script type="module" src="${up}/${script}.js"></script>`).join('\n')}
</head>
<body data-root="${up}/">
<nav aria-label="Documents">
<form role="search"><label for="search">Search</label> <input id="search" type="search" autocomplete="off"></form>
<ul id="found" aria-live="polite"></ul>
${navigation.replaceAll('href="', `href="${up}/`)}
</nav>
<main>
${body}
</main>
</body>
</html>
`,
	};
};

const playground = `<h1>Playground</h1>
<p>The library and its encoder, in this page: nothing that you write leaves it.</p>
<form id="begin"><label for="beginning">Begin as a person who says</label>
<textarea id="beginning" rows="2" required>I trust nobody: everybody lies to me, and I am afraid of them.</textarea>
<button>Begin</button></form>
<form id="say" hidden><label for="text">Say something</label>
<textarea id="text" rows="2" required>My friends helped me without being asked, and I am grateful.</textarea>
<label for="times">this often</label> <input id="times" type="number" min="1" max="1000" value="100" required>
<button>Say it</button></form>
<p id="outcome" role="status"></p>
<h2>What stands out</h2>
<ul id="standouts"></ul>
<h2>What that text moved it towards</h2>
<ul id="moves"></ul>`;

/** Renders documents, with what they link to: other documents as pages, files as they are. */
export const renderPages = async (documents: readonly Document[]): Promise<{pages: Page[]; sections: Section[]; files: string[]}> => {
	const navigation = `<ul>
<li><a href="playground.html">Playground</a></li>
${documents.map(({path: document, title}) => `<li><a href="${pageOf(document)}">${escape(title)}</a></li>`).join('\n')}
</ul>`;
	const waiting = [...documents];
	const known = new Set(documents.map(document => document.path));
	const files = new Set<string>();
	const pages = [toPage('playground.html', 'Playground', navigation, playground)];
	const sections: Section[] = [];

	/** The address of a link's target within the site; null if the site does not have it. */
	const resolve = async (from: string, link: string): Promise<string | null> => {
		const [target = '', anchor] = link.split('#');
		const file = target === '' ? from : path.posix.join(path.posix.dirname(from), target);
		if (!existsSync(inPackage(file)) || statSync(inPackage(file)).isDirectory()) {
			return null;
		}

		if (!file.endsWith('.md')) {
			files.add(file);
		} else if (!known.has(file)) {
			known.add(file);
			waiting.push(await readDocument(file));
		}

		const relative = path.posix.relative(path.posix.dirname(pageOf(from)), file.endsWith('.md') ? pageOf(file) : file);
		return anchor === undefined ? relative : `${relative}#${anchor}`;
	};

	for (let document = waiting.shift(); document; document = waiting.shift()) {
		const {path: from, title, markdown} = document;
		const marked = new Marked({
			async: true,
			async walkTokens(token) {
				if ((token.type === 'link' || token.type === 'image') && !/^\w+:/.test(token['href'] as string)) {
					token['href'] = await resolve(from, token['href'] as string) ?? '';
				}
			},
			renderer: {
				heading({text, depth, tokens}) {
					return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
				},
				link({href, tokens}) {
					const inside = this.parser.parseInline(tokens);
					return href === '' ? inside : `<a href="${escape(href)}">${inside}</a>`;
				},
			},
		});
		pages.push(toPage(pageOf(from), title, navigation, await marked.parse(markdown)));
		for (const part of markdown.replaceAll(/^```.*?^```/gms, '').split(/^(?=#{1,4} )/m)) {
			const heading = /^#+ (.+)/.exec(part)?.[1];
			if (heading !== undefined) {
				const id = `${pageOf(from)}#${toAnchor(heading)}`;
				sections.push({id, page: title, title: toPlainText(heading), text: toPlainText(part.replace(/^.*\n/, ''))});
			}
		}
	}

	return {pages, sections, files: [...files]};
};
