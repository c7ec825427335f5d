/**
 * The memory of a newer Letta agent: a folder of Markdown files under git. The lines that a commit adds to a file are a text of
 * the agent to itself. The first version of the persona is the identity's beginning.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {ownSource} from '../../../instruments/source-of.ts';
import {ConfigurationError, reasonOf} from '../../../platform/errors.ts';
import {said, timeOf, type Format, type FoundText, type PastFile} from '../past-text.ts';

export const lettaFolder: Format = {
	name: 'Letta memory folders',
	detect: ({isFolder}) => isFolder,
	read,
};

/** Starts the line of a commit; no line of a diff starts with it. */
const mark = '\u0001';

async function * read({path}: PastFile): AsyncGenerator<FoundText> {
	// Runs no program that the folder's configuration names: no hook, pager or external diff.
	const git = spawn('git', [
		'-C', path, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', 'log', '--reverse', '--no-color',
		'--no-ext-diff', '--no-textconv', '--no-renames', '--diff-filter=AM', '--unified=0', '--patch', `--format=${mark}%aI`, '--', '*.md',
	], {stdio: ['ignore', 'pipe', 'pipe']});
	const ended = once(git, 'close').then(([code]) => code as number, (error: unknown) => error);
	let problem = '';
	git.stderr.setEncoding('utf8').on('data', (text: string) => {
		problem = (problem + text).slice(-500);
	});

	let [saidAt, file, added]: [number | null, string, string[]] = [null, '', []];
	const flush = (): FoundText[] => {
		const text = withoutFrontMatter(added.join('\n'));
		added = [];
		return file === 'system/persona.md' && text.trim() !== ''
			? [{persona: text.trim()}, ...said(text, ownSource, {conversation: file, saidAt})]
			: said(text, ownSource, {conversation: file, saidAt});
	};

	for await (const line of createInterface({input: git.stdout, crlfDelay: Infinity})) {
		if (line.startsWith(mark)) {
			yield * flush();
			saidAt = timeOf(line.slice(1));
		} else if (line.startsWith('+++ ')) {
			yield * flush();
			file = line.replace(/^\+\+\+ (?:b\/)?/, '');
		} else if (line.startsWith('+')) {
			added.push(line.slice(1));
		}
	}

	yield * flush();
	const code = await ended;
	if (code !== 0) {
		const reason = typeof code === 'number' ? problem.trim() : reasonOf(code);
		throw new ConfigurationError(`The history of ${path} cannot be read with git: ${reason}`);
	}
}

/** Removes the front matter, which describes the file to a program. */
const withoutFrontMatter = (text: string): string => text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '');
