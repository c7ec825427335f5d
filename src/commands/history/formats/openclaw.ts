/**
 * Sessions of OpenClaw: one file of JSON Lines each, in `~/.openclaw/agents/<agent>/sessions`. The first line is the session;
 * lines of the type `message` have a message with parts. The gateway puts the user's name before the user's text.
 */
import {valueOfJson} from '../../../platform/describe-faults.ts';
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format} from '../past-text.ts';

/** “Conversation info (untrusted metadata):” and a block of JSON; there may be several. */
const heading = /^\s*[A-Z][^\n]{0,100}\(untrusted[^\n]*\):\s*```json([\s\S]*?)```\s*/;

/** “[Mon 2026-02-23 23:41 GMT+8]”, possibly with the channel and the name before the time. */
const stamp = /^\[[^\]\n]{0,200}\d{4}-\d\d-\d\d[^\]\n]{0,200}\]\s*/;

/** The gateway's requests in the user's place, and the agent's answers that it has nothing to say. */
const byProgram = /^(?:A new session was started via|Read HEARTBEAT\.md|System: \[|HEARTBEAT_OK$|NO_REPLY$)/;

export const openClaw: Format = {
	name: 'OpenClaw sessions',
	detect: ({values: [first, ...others]}) => first?.['type'] === 'session' && typeof first['id'] === 'string'
		&& (others.length === 0 || others.some(({type, message}) => type !== 'message' || message !== undefined)),
	read({path}) {
		let conversation: string | null = null;
		return foundIn(readJsonLines(path), value => {
			const {type, id, timestamp, message} = fieldsOf(value);
			conversation = type === 'session' ? String(id) : conversation;
			const {role, content} = fieldsOf(message);
			const speaker = type === 'message' ? speakerOf(role) : null;
			const {text, name} = speaker === 'user' ? withoutHeadings(textOf(content)) : {text: textOf(content), name: null};
			return !speaker || byProgram.test(text.trim()) ? [] : said(text, name ?? speaker, {conversation, saidAt: timeOf(timestamp)});
		});
	},
};

/** Separates the user's text from the name in the headings. */
const withoutHeadings = (whole: string): {text: string; name: string | null} => {
	let [text, name]: [string, string | null] = [whole, null];
	for (let found = heading.exec(text); found; found = heading.exec(text)) {
		text = text.slice(found[0].length);
		name ??= nameIn(fieldsOf(valueOfJson(found[1]!)));
	}

	return {text: text.replace(stamp, ''), name};
};

const nameIn = ({sender, name, label, username, sender_id: id}: Fields): string | null =>
	[sender, name, label, username, id].find(value => typeof value === 'string' && value !== '') as string | undefined ?? null;
