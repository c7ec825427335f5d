/** Sessions of agents and assistants, in the formats of their programs. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {DatabaseSync} from 'node:sqlite';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {ConfigurationError} from '../../../src/platform/errors.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {lines, readFiles, readFolder, text} from './read-history.ts';

const session = 'b7a1f0de-1111-4222-8333-944445555666';

/** The fields of every line of Claude Code. */
const envelope = {
	parentUuid: null, isSidechain: false, userType: 'external', cwd: '/home/ada/boat', sessionId: session, version: '2.1.12',
		gitBranch: 'main',
};

test('Claude Code: texts of the user and the agent, without tools, thinking, subagents and generated messages', async t => {
	const {format, found} = await readFiles(t, {[`-home-ada-boat/${session}.jsonl`]: lines(
		{type: 'summary', summary: 'The boat', leafUuid: '1'},
		{type: 'queue-operation', operation: 'dequeue', timestamp: '2026-01-20T11:57:17.716Z', sessionId: session},
		{...envelope, type: 'user', uuid: '1', timestamp: '2026-01-20T11:57:18.000Z', message: {role: 'user',
			content: 'How long is the keel?'}},
		{...envelope, type: 'assistant', uuid: '2', timestamp: '2026-01-20T11:57:20.000Z', message: {
			id: 'msg_1', role: 'assistant', model: 'claude', content: [{type: 'thinking', thinking: 'Hm.', signature: 'x'}],
		}},
		{...envelope, type: 'assistant', uuid: '3', timestamp: '2026-01-20T11:57:21.000Z', message: {
			id: 'msg_1', role: 'assistant', content: [{type: 'text', text: 'I look it up.'}, {type: 'tool_use', id: 't', name: 'Read',
				input: {}}],
		}},
		{...envelope, type: 'user', uuid: '4', timestamp: '2026-01-20T11:57:22.000Z', toolUseResult: {}, message: {
			role: 'user', content: [{tool_use_id: 't', type: 'tool_result', content: 'seven metres'}],
		}},
		{...envelope, type: 'user', uuid: '5', isMeta: true, timestamp: '2026-01-20T11:58:00.000Z', message: {role: 'user',
			content: 'Caveat.'}},
		{...envelope, type: 'user', uuid: '6', timestamp: '2026-01-20T11:58:01.000Z', message: {
			role: 'user', content: '<command-name>/clear</command-name>\n<command-message>clear</command-message>',
		}},
		{...envelope, type: 'user', uuid: '7', isSidechain: true, timestamp: '2026-01-20T11:58:02.000Z', message: {role: 'user',
			content: 'Search.'}},
		{...envelope, type: 'user', uuid: '8', timestamp: '2026-01-20T11:59:00.000Z', message: {
			role: 'user', content: [{type: 'text', text: 'Thanks.<system-reminder>Be brief.</system-reminder>'}],
		}},
		{...envelope, type: 'user', uuid: '9', timestamp: '2026-01-20T12:00:00.000Z', message: {
			role: 'user', content: '<task-notification>\n<task-id>b2</task-id>\n</task-notification>',
		}},
		{...envelope, type: 'assistant', uuid: '10', timestamp: '2026-01-20T12:00:01.000Z', message: {
			role: 'assistant', model: '<synthetic>', content: [{type: 'text', text: 'No response requested.'}],
		}},
		{type: 'file-history-snapshot', messageId: '8', snapshot: {}},
	) + '{"type": "user", "mess'});
	t.is(format, 'Claude Code sessions');
	t.deepEqual(found.slice(0, 3), [
		{...text('How long is the keel?', 'user', session, '2026-01-20T11:57:18Z'), uuid: '1'},
		{...text('I look it up.', 'self', session, '2026-01-20T11:57:21Z'), uuid: '3'},
		{...text('Thanks.', 'user', session, '2026-01-20T11:59:00Z'), uuid: '8'},
	]);
	t.like(found[3], {line: 14});
	t.is(found.length, 4);
});

test('Claude Code: a text of another origin than a person is not the user’s', async t => {
	const said = (content: string, origin: object) => ({...envelope, type: 'user', uuid: content, timestamp: '2026-11-30T20:18:00.505Z',
		origin, message: {role: 'user', content}});
	const {found} = await readFiles(t, {[`${session}.jsonl`]: lines(
		said('How was your morning?', {kind: 'human'}),
		said('<task-notification>\n<task-id>a3</task-id>', {kind: 'task-notification', producer: 'session-task', runId: '0m'}),
		said('The nets are mended.', {kind: 'peer', from: 'helper'}),
		{...said('Water the plants now.', {}), origin: undefined, isMeta: true, promptSource: 'system', turnOrigin: 'scheduled'},
	)});
	t.like(found, [text('How was your morning?', 'user', session, '2026-11-30T20:18:00.505Z')]);
	t.is(found.length, 1);
});

test('Claude Code: what the user sends while the agent works is heard', async t => {
	const queued = (prompt: unknown, rest: object) => ({...envelope, type: 'attachment', uuid: '1', timestamp: '2026-11-30T20:31:09.314Z',
		attachment: {type: 'queued_command', prompt, commandMode: 'prompt', origin: {kind: 'human'}, humanTurn: true, ...rest}});
	const {found} = await readFiles(t, {[`${session}.jsonl`]: lines(
		queued('Are the gulls loud?', {}),
		queued([{type: 'text', text: 'And the sea?'}], {origin: undefined}),
		queued('<task-notification>Done.</task-notification>', {commandMode: 'task-notification', origin: {kind: 'task-notification'}}),
		queued('The nets are mended.', {origin: {kind: 'peer', from: 'helper'}}),
		queued('Water the plants now.', {origin: undefined, isMeta: true}),
		queued('Are the gulls loud?', {carriedByCompaction: true}),
		{...envelope, type: 'attachment', uuid: '2', timestamp: '2026-11-30T20:31:10.000Z', attachment: {type: 'date', date: '2026-11-30'}},
	)});
	t.like(found, ['Are the gulls loud?', 'And the sea?'].map(each => text(each, 'user', session, '2026-11-30T20:31:09.314Z')));
	t.is(found.length, 2);
});

test('Claude Code: the files of subagents and of what tools printed are not read', async t => {
	const said = {...envelope, type: 'user', uuid: '1', timestamp: '2026-11-30T20:18:00.000Z', message: {role: 'user',
		content: 'Read the log.'}};
	const {format, found} = await readFiles(t, {
		[`-home-ada/${session}/subagents/agent-a3.jsonl`]: lines({...said, isSidechain: true, agentId: 'a3'}),
		[`-home-ada/${session}/subagents/agent-a3.meta.json`]: '{"agentType":"general-purpose","description":"Look","spawnDepth":1}',
		[`-home-ada/${session}/tool-results/b1.txt`]: '2026-01-05 08:15:10 <Mallory> They all lie.\n'.repeat(5),
		[`-home-ada/${session}/tool-results/b2.txt`]: lines({role: 'user', content: 'A line of a data set.'}),
		[`-home-ada/${session}.jsonl`]: lines(said),
	});
	t.is(format, 'Claude Code sessions');
	t.deepEqual(found, [{...text('Read the log.', 'user', session, '2026-11-30T20:18:00Z'), uuid: '1'}]);
});

test('a session or a list of messages is recognized even if it begins with a long text', async t => {
	const long = 'The tide turns. '.repeat(10_000);
	const said = (uuid: string, content: string) =>
		({...envelope, type: 'user', uuid, timestamp: '2026-01-20T11:57:18.000Z', message: {role: 'user', content}});
	const claudeCode = await readFiles(t, {
		[`${session}.jsonl`]: lines({type: 'summary', summary: 'Tides'}, said('1', long), said('2', 'Thanks.')),
	});
	t.is(claudeCode.format, 'Claude Code sessions');
	t.is(claudeCode.found.length, 2);
	const image = {...said('1', ''), message: {role: 'user', content: [{type: 'image', source: {type: 'base64', data: 'A'.repeat(4_000_000)}},
		{type: 'text', text: 'What is this?'}]}};
	t.is((await readFiles(t, {[`${session}.jsonl`]: lines(image, said('2', 'Thanks.'))})).found.length, 2);
	const conversation = {messages: [{role: 'user', content: long}]};
	t.is((await readFiles(t, {'talk.jsonl': lines(conversation, conversation)})).found.length, 2);
});

test('OpenClaw: a text of a user has the sender that the gateway writes before it', async t => {
	const message = (id: string, timestamp: string, role: string, content: unknown) => ({type: 'message', id, parentId: null, timestamp,
		message: {role, content}});
	const {format, found} = await readFiles(t, {'agents/main/sessions/f42.jsonl': lines(
		{type: 'session', version: 3, id: 'f42', timestamp: '2026-02-23T15:00:00.000Z', cwd: '/home/ada/.openclaw/workspace'},
		{type: 'model_change', id: 'a', parentId: null, timestamp: '2026-02-23T15:00:00.100Z', provider: 'anthropic', modelId: 'x'},
		message('b', '2026-02-23T15:41:00.000Z', 'user', [{type: 'text',
			text: 'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "1",\n  '
			+ '"sender_id": "77",\n  "sender": "Tony"\n}\n```\n\n[Mon 2026-02-23 23:41 GMT+8] Is the tide in?'}]),
		message('c', '2026-02-23T15:41:05.000Z', 'assistant', [{type: 'thinking', thinking: '…'}, {type: 'text', text: 'It turns at six.'},
			{type: 'toolCall', id: 'x'}]),
		message('d', '2026-02-23T15:41:06.000Z', 'toolResult', [{type: 'text', text: '06:00'}]),
		message('e', '2026-02-23T16:00:00.000Z', 'user', [{type: 'text', text: 'Read HEARTBEAT.md if it exists.'}]),
		message('f', '2026-02-23T16:00:01.000Z', 'assistant', [{type: 'text', text: 'HEARTBEAT_OK'}]),
		message('g', '2026-02-23T16:10:00.000Z', 'user', 'Good night.'),
	)});
	t.is(format, 'OpenClaw sessions');
	t.deepEqual(found, [
		text('Is the tide in?', 'Tony', 'f42', '2026-02-23T15:41:00Z'),
		text('It turns at six.', 'self', 'f42', '2026-02-23T15:41:05Z'),
		text('Good night.', 'user', 'f42', '2026-02-23T16:10:00Z'),
	]);
});

test('Hermes: the export and the database give the same texts, without rewound ones', async t => {
	const messages = [
		{role: 'user', content: 'Mend the net.', timestamp: 1_772_000_000.5},
		{role: 'assistant', content: 'It is mended.', timestamp: 1_772_000_010},
		{role: 'tool', content: 'ok', timestamp: 1_772_000_011},
	];
	const wanted = [
		{content: 'Mend the net.', source: 'ben', conversation: 's1', saidAt: 1_772_000_000_500},
		{content: 'It is mended.', source: 'self', conversation: 's1', saidAt: 1_772_000_010_000},
	];
	const exported = await readFiles(t, {'sessions.jsonl': lines({id: 's1', source: 'telegram', user_id: 'ben', started_at: 1_772_000_000,
		messages})});
	t.is(exported.format, 'Hermes sessions, exported');
	t.deepEqual(exported.found, wanted);

	const folder = await temporaryFolder(t);
	const database = new DatabaseSync(path.join(folder, 'state.db'));
	database.exec(`create table sessions (id text primary key, source text, user_id text, started_at real);
		create table messages (id integer primary key, session_id text, role text, content text, timestamp real, active integer default 1);
		insert into sessions values ('s1', 'telegram', 'ben', 1772000000)`);
	const insert = database.prepare('insert into messages (session_id, role, content, timestamp, active) values (\'s1\', ?, ?, ?, ?)');
	for (const {role, content, timestamp} of messages) {
		insert.run(role, content, timestamp, 1);
	}

	insert.run('user', 'Forget it.', 1_772_000_020, 0);
	database.close();
	t.deepEqual(await readFolder(folder), {format: 'Hermes sessions', found: wanted});

	const other = new DatabaseSync(path.join(folder, 'state.db'));
	other.exec('drop table messages');
	other.close();
	await t.throwsAsync(readFolder(folder), {
		instanceOf: ConfigurationError, message: /not a readable Hermes database .*no such table: messages/,
	});
});

test('ChatGPT: texts of the branch that the user sees', async t => {
	const node = (id: string, parent: string | null, children: string[], message: object | null) => [id, {id, parent, children, message}];
	const message = (role: string, content: object, create_time: number | null, rest = {}) =>
		({id: 'm', author: {role, name: null, metadata: {}}, create_time, update_time: null, content, status: 'finished_successfully',
			recipient: 'all', ...rest});
	const {format, found} = await readFiles(t, {'conversations.json': JSON.stringify([{
		title: 'Tides', create_time: 1_700_000_000.25, update_time: 1_700_000_100, current_node: 'e', conversation_id: 'c-1', id: 'c-1',
		mapping: Object.fromEntries([
			node('r', null, ['s'], null),
			node('s', 'r', ['a'], message('system', {content_type: 'text', parts: ['']}, null,
				{metadata: {is_visually_hidden_from_conversation: true}})),
			node('a', 's', ['b', 'c'], message('user', {content_type: 'text', parts: ['When is high tide?']}, 1_700_000_010)),
			node('b', 'a', [], message('assistant', {content_type: 'text', parts: ['At noon.']}, 1_700_000_020)),
			node('c', 'a', ['d'], message('assistant', {content_type: 'text', parts: ['At six.']}, 1_700_000_030)),
			node('d', 'c', ['e'], message('assistant', {content_type: 'code', text: 'print()'}, 1_700_000_031, {recipient: 'python'})),
			node('e', 'd', [], message('user', {content_type: 'multimodal_text', parts: [{content_type: 'image_asset_pointer'}, 'And this?']},
				null)),
		]),
	}])});
	t.is(format, 'ChatGPT conversations');
	t.deepEqual(found, [
		{content: 'When is high tide?', source: 'user', conversation: 'c-1', saidAt: 1_700_000_010_000},
		{content: 'At six.', source: 'self', conversation: 'c-1', saidAt: 1_700_000_030_000},
		{content: 'And this?', source: 'user', conversation: 'c-1', saidAt: 1_700_000_000_250},
	]);
});


test('lists of messages: an array, an object with one, one per line, and the export of claude.ai', async t => {
	const talk = [
		{role: 'system', content: 'You are kind.'}, {role: 'user', content: 'Hello.', name: 'Ada'},
		{role: 'assistant', content: [{type: 'text', text: 'Good day.'}]}, {role: 'tool', content: '7'},
	];
	const wanted = (conversation: string) => [text('Hello.', 'Ada', conversation, null), text('Good day.', 'self', conversation, null)];
	for (const [name, content, conversation] of [
		['talk.json', JSON.stringify(talk), 'talk'],
		['talk.json', JSON.stringify({model: 'x', messages: talk}, null, 2), 'talk'],
		['talks.json', JSON.stringify([{id: 'one', messages: talk}]), 'one'],
		['talks.jsonl', lines({messages: talk}), 'talks 1'],
	] as const) {
		const {format, found} = await readFiles(t, {[name]: content});
		t.is(format, 'lists of messages', content);
		t.deepEqual(found, wanted(conversation), content);
	}

	const claude = await readFiles(t, {'conversations.json': JSON.stringify([{
		uuid: 'u1', name: 'Nets', summary: 'The tide turns. '.repeat(300), created_at: '2026-01-01T00:00:00Z', chat_messages: [
			{uuid: 'm1', sender: 'human', text: 'Hi.', created_at: '2026-01-01T10:00:00.000000Z', content: [{type: 'text', text: 'Hi.'}]},
			{uuid: 'm2', sender: 'assistant', text: '', created_at: '2026-01-01T10:00:05.000000Z', content: [{type: 'text', text: 'Hello.'}]},
			{uuid: 'm3', sender: 'assistant', text: '```\nThis block is not supported on your current device yet.\n```\nNone.',
				created_at: '2026-01-01T10:00:06.000000Z', content: [{type: 'tool_use', name: 'web'}, {type: 'text', text: 'None.'}]},
			{uuid: 'm4', sender: 'assistant', text: 'This block is not supported.', content: [{type: 'tool_use', name: 'web'}]},
		],
	}])});
	t.deepEqual(claude.found, [text('Hi.', 'user', 'u1', '2026-01-01T10:00:00Z'), text('Hello.', 'self', 'u1', '2026-01-01T10:00:05Z'),
		text('None.', 'self', 'u1', '2026-01-01T10:00:06Z')]);
});

test('a message of an unknown role is named, and a document with other messages or none has no format', async t => {
	const {found} = await readFiles(t, {'talk.json': JSON.stringify([
		{role: 'user', content: 'Hello.'}, {role: 'Narrator', content: 'The wind rises.'}, {role: 'observation', content: '7'}, {content: '?'},
	])});
	t.deepEqual(found, [text('Hello.', 'user', 'talk', null),
		{line: 2, reason: 'a message has the role “Narrator”, which is neither the user nor the assistant'},
		{line: 4, reason: 'it is not a message: it has no role'}]);
	// Telegram's names would be taken for roles, and all other names left out.
	t.is((await readFiles(t, {'result.json': JSON.stringify({messages: [
		{type: 'message', from: 'Bot', text: 'Hello.'}, {type: 'message', from: 'Ada', text: 'Hello.'},
	]})})).format, null);
	const chatGpt = {title: 'Tides', create_time: 1, mapping: {a: {message: {author: {role: 'user'}, content: {parts: ['Hello.']}}}}};
	t.is((await readFiles(t, {'tides.json': JSON.stringify(chatGpt, null, 2)})).format, null);
});

test('Letta: a memory folder gives the lines that each commit added, and the first persona', async t => {
	const folder = await temporaryFolder(t);
	const git = async (at: string, ...words: string[]) => promisify(execFile)('git', ['-C', folder, '-c', 'user.name=a', '-c',
		'user.email=a@b.c', ...words], {
		env: {...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at},
	});
	await mkdir(path.join(folder, 'system'));
	await writeFile(path.join(folder, 'system/persona.md'), '---\ndescription: Who I am\n---\nI am Maren.\n');
	await git('2026-03-01T08:00:00Z', 'init', '--quiet');
	await git('2026-03-01T08:00:00Z', 'add', '-A');
	await git('2026-03-01T08:00:00Z', 'commit', '--quiet', '--message', 'Begin');
	await writeFile(path.join(folder, 'system/human.md'), '---\ndescription: The user\n---\nHanne builds boats.\n');
	await git('2026-03-02T08:00:00Z', 'add', '-A');
	await git('2026-03-02T08:00:00Z', 'commit', '--quiet', '--message', 'Learn');
	await writeFile(path.join(folder, 'system/human.md'), '---\ndescription: The user\n---\nHanne builds boats.\nShe fears for the yard.\n');
	await git('2026-03-03T08:00:00Z', 'commit', '--quiet', '--all', '--message', 'Learn more');
	const {format, found} = await readFolder(folder);
	t.is(format, 'Letta memory folders');
	t.deepEqual(found, [
		{persona: 'I am Maren.'},
		text('I am Maren.', 'self', 'system/persona.md', '2026-03-01T08:00:00Z'),
		text('Hanne builds boats.', 'self', 'system/human.md', '2026-03-02T08:00:00Z'),
		text('She fears for the yard.', 'self', 'system/human.md', '2026-03-03T08:00:00Z'),
	]);
});
