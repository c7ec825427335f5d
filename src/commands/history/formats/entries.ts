/**
 * Entries with named fields: the columns of a CSV file, or the objects of JSON Lines. `content`, `source`, `conversation` and
 * `said_at` are our names (`docs/look.md`); other common names are recognised too, in any case.
 */
import {ownSource} from '../../../instruments/source-of.ts';
import {isTable, readEntries} from '../../transfer/entry-reader.ts';
import {quoteInEnglish} from '../../../platform/plain-line.ts';
import {fieldsOf, foundIn, isUnspoken, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText} from '../past-text.ts';

/** The names of each field, ours first. */
const names = {
	content: ['content', 'text', 'message', 'body'],
	source: ['source', 'author', 'from', 'sender', 'speaker', 'name', 'username', 'user', 'nick', 'role'],
	conversation: ['conversation', 'conversation_id', 'thread', 'thread_id', 'session', 'session_id', 'channel'],
	saidAt: ['said_at', 'created', 'created_at', 'timestamp', 'time', 'date', 'ts', 'sent_at'],
} as const;

const fieldIn = (entry: Fields, field: keyof typeof names): unknown => {
	const name = names[field].find(each => entry[each] !== undefined && entry[each] !== null && entry[each] !== '');
	return name === undefined ? undefined : entry[name];
};

const inOurCase = (fields: Fields): Fields => Object.fromEntries(
	Object.entries(fields).map(([name, value]) => [name.trim().toLowerCase().replaceAll(' ', '_'), value]),
);

const isEntry = (value: Fields): boolean => {
	const fields = inOurCase(value);
	return names.content.some(name => name in fields) || fields['kind'] !== undefined;
};

const read: Format['read'] = ({path: file}) => foundIn(readEntries(file), toFound);

export const csv: Format = {
	name: 'CSV files',
	detect: ({name}) => isTable(name),
	read,
};

export const jsonLines: Format = {
	name: 'JSON Lines',
	detect: ({values}) => values.some(isEntry),
	read,
};

const nameSome = (fields: Fields): string => Object.keys(fields).slice(0, 8).map(name => quoteInEnglish(name, 40)).join(', ') || 'nothing';

const toFound = (value: unknown, line: number): FoundText[] => {
	const fields = fieldsOf(value);
	const given = inOurCase(fields);
	const {kind = 'message', deleted, type} = given;
	if (kind === 'state' && typeof given['content'] === 'string') {
		return [{persona: given['content']}];
	}

	// From an export, only messages that were not deleted.
	if (kind !== 'message' || deleted === true || deleted === 'true') {
		return [];
	}

	const content = fieldIn(given, 'content');
	const inner = fieldsOf(content);
	const text = textOf(typeof content === 'object' && 'content' in inner ? inner['content'] : content);
	if (text.trim() === '') {
		// Lines with a type and no content are a program's notes, and no fault.
		return type !== undefined && content === undefined
			? []
			: [{line, reason: `it has no text, only ${nameSome(fields)}: name the field or column of the text ${names.content.join(', ')}`}];
	}

	const odd = (['source', 'conversation'] as const).find(field => typeof fieldIn(given, field) === 'object');
	if (odd) {
		// As a text, each of them would be the same.
		return [{line, reason: `its ${odd} is not a name, but an object or a list: write the name alone`}];
	}

	const source = fieldIn(given, 'source') ?? inner['role'];
	const who = typeof source === 'string' || typeof source === 'number' ? String(source) : 'user';
	if (isUnspoken(given['role'] ?? inner['role'])) {
		return [];
	}

	const written = fieldIn(given, 'saidAt');
	const saidAt = timeOf(written) ?? timeOf(`${String(given['date'])} ${String(given['time'])}`);
	if (saidAt === null && written !== undefined) {
		// The file's time in its place would put the text after all others.
		const shown = quoteInEnglish(typeof written === 'object' ? JSON.stringify(written) : String(written), 40);
		return [{line, reason: `its time ${shown} is ambiguous: write it as 2026-03-02T08:15:00Z`}];
	}

	const conversation = fieldIn(given, 'conversation');
	return said(text, speakerOf(who) === ownSource || given['role'] === 'assistant' ? ownSource : who, {
		conversation: conversation === undefined ? null : String(conversation), saidAt,
	});
};
