/**
 * Sessions of Claude Code: a file of JSON Lines for each, in `~/.claude/projects`. A line is an event; those of the types
 * `user` and `assistant` have a message of the Messages API. What the program says in the user's name is left out.
 */
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Format, type FoundText} from '../past-text.ts';

/** Elements that the program puts into what a user says, or says in a user's place. */
const inserted = /<(system-reminder|local-command-\w+|command-\w+|bash-(?:input|stdout|stderr)|ide_\w+)>[\s\S]*?<\/\1>/g;

const byProgram = /^(?:\[Request interrupted by user|Caveat: The messages below were generated|This session is being continued from)/;

export const claudeCode: Format = {
	name: 'Claude Code sessions',
	detect: ({values}) => values.some(({sessionId, type, uuid, message}) =>
		typeof sessionId === 'string' && typeof type === 'string' && (typeof uuid === 'string' || message !== undefined)),
	read: ({path}) => foundIn(readJsonLines(path), toTexts),
};

const toTexts = (event: unknown): FoundText[] => {
	const {type, message, sessionId, timestamp, isMeta, isSidechain, isCompactSummary, isApiErrorMessage} = fieldsOf(event);
	const speaker = speakerOf(type);
	// A sidechain is what the agent tells its helpers, and what they answer.
	if (!speaker || isMeta || isSidechain || isCompactSummary || isApiErrorMessage) {
		return [];
	}

	const text = textOf(fieldsOf(message)['content']).replaceAll(inserted, '').trim();
	return byProgram.test(text) ? [] : said(text, speaker, {conversation: String(sessionId), saidAt: timeOf(timestamp)});
};
