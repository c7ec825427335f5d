/**
 * Sessions of the Hermes agent: its database `~/.hermes/state.db`, or the output of `hermes sessions export`, one session with
 * its messages per line.
 */
import {ConfigurationError, reasonOf} from '../../../platform/errors.ts';
import {classifyFailure} from '../../../platform/sqlite/failure.ts';
import {openToRead} from '../../../platform/sqlite/open-database.ts';
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText, type PastFile} from '../past-text.ts';

export const hermesExport: Format = {
	name: 'Hermes sessions, exported',
	detect: ({values: [first]}) => Array.isArray(first?.['messages']) && 'id' in first && ('started_at' in first || 'source' in first),
	read: ({path}) => foundIn(readJsonLines(path), value => readSession(fieldsOf(value))),
};

function * readSession({id, user_id: user, messages}: Fields): Generator<FoundText> {
	for (const message of Array.isArray(messages) ? messages as unknown[] : []) {
		yield * toText(fieldsOf(message), id, user);
	}
}

const toText = ({role, content, timestamp}: Fields, session: unknown, user: unknown): FoundText[] => {
	const speaker = speakerOf(role);
	return speaker ? said(textOf(content), speaker === 'user' && typeof user === 'string' && user !== '' ? user : speaker, {
		conversation: String(session), saidAt: timeOf(timestamp),
	}) : [];
};

export const hermesDatabase: Format = {
	name: 'Hermes sessions',
	detect: ({head, name}) => head.startsWith('SQLite format 3\0') && name === 'state.db',
	read: readDatabase,
};

/** Many programs have a `state.db`, and it may be damaged or locked. Such an error is reported, and the other files are read. */
function * readDatabase({path}: PastFile): Generator<FoundText> {
	try {
		using database = openToRead(path);
		const columns = database.prepare('select name from pragma_table_info(\'messages\')').all().map(({name}) => name);
		// Messages that were rewound are not part of the conversation.
		const active = columns.includes('active') ? 'where messages.active = 1' : '';
		const rows = database.prepare(`select messages.role, messages.content, messages.timestamp, sessions.id, sessions.user_id
			from messages join sessions on sessions.id = messages.session_id ${active} order by messages.id`);
		for (const row of rows.iterate()) {
			yield * toText(row, row['id'], row['user_id']);
		}
	} catch (error) {
		throw classifyFailure(error) === null
			? error
			: new ConfigurationError(`it is not a readable Hermes database (${reasonOf(error)})`, {cause: error});
	}
}
