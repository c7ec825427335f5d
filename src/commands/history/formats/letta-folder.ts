/**
 * The memory of a newer agent of Letta: a folder of Markdown files under git. What a commit added to a file is what the agent
 * told itself then; the persona, as it was at first, is what it begins with.
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

/** Begins the line of a commit: no line of a difference begins so. */
const mark = '\u0001';

async function * read({path}: PastFile): AsyncGenerator<FoundText> {
	// No program of the folder's own configuration is run: no hook, no pager, no external difference.
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

/** What describes a file to a program stands before its text. */
const withoutFrontMatter = (text: string): string => text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '');
