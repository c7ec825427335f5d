/**
 * Sessions of Claude Code: one file of JSON Lines each, in `~/.claude/projects`. A line is an event; those of the types
 * `user` and `assistant` have a message of the Messages API. Texts that the program inserts for the user are left out.
 */
import {removeElements} from '../../../platform/remove-elements.ts';
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText} from '../past-text.ts';

/** Elements that the program inserts into the user's text, or sends in place of it. */
const inserted = new RegExp('<(system-reminder|local-command-\\w+|command-\\w+|bash-(?:input|stdout|stderr)|ide_\\w+|task-notification'
	+ '|user-prompt-submit-hook)>', 'g');

const byProgram = /^(?:\[Request interrupted by user|Caveat: The messages below were generated|This session is being continued from)/;

/** Origins of a user's text that people write; older versions and `claude -p` name none. All others are programs and agents. */
const byPeople: ReadonlySet<unknown> = new Set([undefined, 'human', 'channel']);

export const claudeCode: Format = {
	name: 'Claude Code sessions',
	detect: ({values}) => values.some(({sessionId, type, uuid, message}) =>
		typeof sessionId === 'string' && typeof type === 'string' && (typeof uuid === 'string' || message !== undefined)),
	read: ({path}) => foundIn(readJsonLines(path), toTexts),
};

/** What the user sends while the agent works is an attachment of its turn, and no line of the type `user`. */
const withQueued = (event: Fields): Fields => {
	const {type, prompt, commandMode, carriedByCompaction, isMeta, origin} = fieldsOf(event['attachment']);
	return type === 'queued_command' && commandMode === 'prompt' && !carriedByCompaction
		? {...event, type: 'user', message: {content: prompt}, isMeta, origin}
		: event;
};

const toTexts = (event: unknown): FoundText[] => {
	const {type, message, sessionId, timestamp, isMeta, isSidechain, isCompactSummary, isApiErrorMessage, origin, uuid}
		= withQueued(fieldsOf(event));
	const speaker = speakerOf(type);
	const {content, model} = fieldsOf(message);
	// A sidechain is the agent's exchange with its helpers. In the agent's name, the program writes “No response requested.”
	if (!speaker || isMeta || isSidechain || isCompactSummary || isApiErrorMessage || model === '<synthetic>'
		|| !byPeople.has(fieldsOf(origin)['kind'])) {
		return [];
	}

	const text = removeElements(textOf(content), inserted, '').trim();
	return byProgram.test(text) ? [] : said(text, speaker, {
		conversation: String(sessionId), saidAt: timeOf(timestamp),
		// A forked session begins with copies of another one's lines.
		...typeof uuid === 'string' && {uuid},
	});
};
