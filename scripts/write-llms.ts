/** Writes `llms.txt`, the list of the documents for programs that read, and `llms-full.txt`, all of them in one. */
import {writeFile} from 'node:fs/promises';
import {inPackage, readDocuments, type Document} from './documents.ts';

/** The first sentence is enough to choose by. */
const toItem = ({path, title, about}: Document): string => `- [${title}](${path}): ${/^.*?[.:](?= |$)/.exec(about)?.[0] ?? about}`;

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
await writeFile(inPackage('llms-full.txt'), documents.map(({path, markdown}) => `<!-- ${path} -->\n\n${markdown.trim()}\n`).join('\n'));
