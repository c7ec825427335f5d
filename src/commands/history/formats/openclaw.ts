/**
 * Sessions of OpenClaw: a file of JSON Lines for each, in `~/.openclaw/agents/<agent>/sessions`. The first line is the
 * session; lines of the type `message` have a message with parts. Before what a user says, the gateway writes who it is.
 */
import {valueOfJson} from '../../../platform/describe-faults.ts';
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format} from '../past-text.ts';

/** “Conversation info (untrusted metadata):” and a block of JSON, as often as it comes. */
const heading = /^\s*[A-Z][^\n]{0,100}\(untrusted[^\n]*\):\s*```json\s*([\s\S]*?)```\s*/;

/** “[Mon 2026-02-23 23:41 GMT+8]”, or with the channel and the name before it. */
const stamp = /^\[[^\]\n]*\d{4}-\d\d-\d\d[^\]\n]*\]\s*/;

/** What the gateway asks in a user's place, and how an agent answers that it has nothing to say. */
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

/** What a user said, and the name in the headings. */
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
