/** Writes `llms.txt`, a list of the documents for language models, and `llms-full.txt`, all documents in one file. */
import {writeFile} from 'node:fs/promises';
import {posix} from 'node:path';
import {inPackage, readDocuments, type Document} from './documents.ts';

/** The first sentence is enough to choose a document by. */
const toItem = ({path, title, about}: Document): string => `- [${title}](${path}): ${/^.*?\.(?= |$)/.exec(about)?.[0] ?? about}`;

/** Files of the repository that the package does not include. */
const isLeftOut = /^(?:benchmarks\/|CONTRIBUTING\.md|compose\.yaml)|\.png$/;

/** Makes links relative to the root, where the one file is. A link to a file outside the package becomes its text. */
const linkFromRoot = ({path, markdown}: Document): string =>
	markdown.replaceAll(/(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)/g, (_, mark: string, text: string, target: string) => {
		const place = posix.join(posix.dirname(path), target);
		return isLeftOut.test(place) ? text : `${mark}[${text}](${place})`;
	});

const documents = await readDocuments();
const [readme] = documents;
const isSpecification = ({path}: Document): boolean => path.startsWith('docs/spec/');

await writeFile(inPackage('llms.txt'), [
	`# ${readme!.title}`,
	`> ${readme!.about}`,
	'To add it to an agent, follow [SKILL.md](SKILL.md). All documents in one: [llms-full.txt](llms-full.txt).',
	`## Docs\n\n${documents.filter(document => !isSpecification(document)).map(toItem).join('\n')}`,
	`## Optional\n\n${documents.filter(isSpecification).map(toItem).join('\n')}`,
].join('\n\n') + '\n');
await writeFile(inPackage('llms-full.txt'), documents.map(document => `<!-- ${document.path} -->\n\n${linkFromRoot(document).trim()}\n`).join('\n'));
