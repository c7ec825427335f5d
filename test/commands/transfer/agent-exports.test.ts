/** Exports of mem0 and Letta: which entries are imported, skipped and rejected. */
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import fc from '../../helpers/fast-check.ts';
import type {Kind} from '../../../src/commands/transfer/entry-kinds.ts';
import {importFile, type Imported} from '../../../src/commands/import.ts';
import type {Encoder} from '../../../src/embedding/encoder.ts';
import {loadEncoder} from '../../../src/embedding/load-encoder.ts';
import {dot} from '../../../src/kernel/dot.ts';
import {loadInitialState} from '../../../src/sources/initial-state.ts';
import {openMessageFile, readMessages} from '../../../src/sources/message-file.ts';
import {openSqliteStore} from '../../../src/sources/store/sqlite/store.ts';
import {FakeEncoder} from '../../actors/fixtures.ts';

const exampleOf = (name: string): string => fileURLToPath(new URL(`../../../examples/migrate/${name}`, import.meta.url));

const open = async (t: ExecutionContext, encoder: Encoder = new FakeEncoder()) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'exports-'));
	const store = openSqliteStore(path.join(folder, 'store.sqlite'));
	t.teardown(async () => {
		await store.close();
		await rm(folder, {recursive: true});
	});
	const messagesFile = path.join(folder, 'messages.sqlite');
	const bring = async (file: string, kind: Kind | 'all' = 'all'): Promise<Imported> =>
		importFile({kind, file, store, messages: openMessageFile(messagesFile), model: 'fake', loadEncoder: async () => encoder as never});
	return {
		store,
		bring,
		async bringText(name: string, content: unknown, kind?: Kind | 'all'): Promise<Imported> {
			const file = path.join(folder, name);
			await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
			return bring(file, kind);
		},
		/** The oldest first. */
		messages: () => [...readMessages(messagesFile)].toReversed(),
		/** The newest first. */
		thoughts: async () => (await store.thoughts(99)).map(({content}) => content),
	};
};

const memory = {
	id: '5d1f',
	memory: 'Likes oak',
	hash: 'f00',
	metadata: null,
	created_at: '2026-03-02T08:14:31.204117-08:00',
	updated_at: null,
	user_id: 'hanne',
};

test('memories of mem0 become thoughts in order of time, and verbatim texts become messages', async t => {
	const {bring, thoughts, messages} = await open(t);
	t.deepEqual(await bring(exampleOf('mem0.json')), {read: 6, added: 6, replaced: 0, unchanged: 0, skipped: 0, rejected: []});
	t.deepEqual(await thoughts(), [
		'Is afraid that the yard by the river will be sold',
		'Her apprentice Jon starts in May',
		'Prefers oak to larch for keels, and linseed oil to varnish',
		'Hanne builds and repairs wooden boats',
	]);
	t.deepEqual(messages(), [
		{
			conversation: 'evening',
			title: null,
			isDeleted: false,
			role: 'user',
			content: 'I would rather lose the yard than cut corners on a hull.',
			createdAt: '2026-03-21T06:30:00.000000-07:00',
		},
		{
			conversation: 'evening',
			title: null,
			isDeleted: false,
			role: 'assistant',
			content: 'Then let us see what the yard can earn without cutting any.',
			createdAt: '2026-03-21T06:30:04.000000-07:00',
		},
	]);
	t.like(await bring(exampleOf('mem0.json')), {added: 0, unchanged: 6});
});

test('memories are imported from a list, from lines, and from a page of the platform', async t => {
	for (const [name, content] of [
		['a.json', [memory]],
		['a.jsonl', JSON.stringify(memory)],
		[
			'a.json',
			{
				count: 1, next: null, previous: null,
				results: [{...memory, agent_id: null, app_id: null, run_id: null, categories: ['preferences']}],
			},
		],
		['a.json', {results: [{id: '5d1f', memory: 'Likes oak', createdAt: '2026-03-02T08:14:31Z', metadata: {}}], relations: []}],
	] as const) {
		const {bringText, thoughts} = await open(t);
		t.like(await bringText(name, content, 'thought'), {added: 1, rejected: []});
		t.deepEqual(await thoughts(), ['Likes oak']);
	}
});

test('a memory without a text, or a message without a time, is rejected with its place and a reason', async t => {
	const {bringText, thoughts} = await open(t);
	const {added, rejected} = await bringText('a.json', {results: [
		{...memory, memory: ' '},
		memory,
		{...memory, memory: null},
		{...memory, role: 'user', created_at: null},
		{...memory, role: 'user', created_at: 'long ago'},
	]});
	t.is(added, 1);
	t.deepEqual(rejected.map(({line}) => line), [1, 3, 4, 5]);
	t.deepEqual(rejected.map(({reason}) => reason).slice(0, 3), ['it has no text', 'memory must be a text, not null', 'it has no time']);
	t.regex(rejected[3]!.reason, /^created must be a time in ISO 8601/);
	t.deepEqual(await thoughts(), ['Likes oak']);
});

const said = [
	{
		conversation: 'Maren',
		title: null,
		isDeleted: false,
		role: 'user',
		content: 'Can we pay for the oak this month?',
		createdAt: '2026-04-01T07:02:11.000000+00:00',
	},
	{
		conversation: 'Maren',
		title: null,
		isDeleted: false,
		role: 'assistant',
		content: 'Yes. After the oak there are 340 kr left, and the rent is due on the ninth.',
		createdAt: '2026-04-01T07:02:14.000000+00:00',
	},
	{
		conversation: 'Maren',
		title: null,
		isDeleted: false,
		role: 'user',
		content: 'Then the varnish can wait. Tell Jon to sand the planks by hand.',
		createdAt: '2026-04-03T16:20:00.000000+00:00',
	},
	{
		conversation: 'Maren',
		title: null,
		isDeleted: false,
		role: 'assistant',
		content: 'I will tell him. By hand it takes him two days; the machine would need the new belt.',
		createdAt: '2026-04-03T16:20:03.000000+00:00',
	},
];

type AgentFile = {
	agents: Array<{name: string; block_ids: string[]; messages: Array<Record<string, unknown>>}>;
	blocks: Array<Record<string, unknown>>;
	created_at: string;
};

const readAgentFile = async (): Promise<AgentFile> => JSON.parse(await readFile(exampleOf('letta.af'), 'utf8')) as AgentFile;

/** A login, the instructions, and a search with its result. */
const leftOut = 4;

const pictured = {line: 11, reason: 'message-8 of “Maren”: it has no text'};

test('the persona of an agent file becomes the state, other blocks become thoughts, and conversation becomes messages', async t => {
	const {store, bring, thoughts, messages} = await open(t);
	t.deepEqual(await bring(exampleOf('letta.af')), {read: 7, added: 6, replaced: 0, unchanged: 0, skipped: leftOut, rejected: [pictured]});
	t.like(await store.latestState(), {stateId: 1, timestamp: '2026-04-05T10:00:00.000Z'});
	t.deepEqual(await thoughts(), ['The human is Hanne, who builds wooden boats. She thinks with her hands and distrusts long sentences.']);
	t.deepEqual(messages(), said);
});

test('an agent file of the first version, or one that is encoded as a string, is imported alike', async t => {
	const {agents: [agent], blocks, created_at: created} = await readAgentFile();
	const {block_ids: _, ...old} = {...agent!, core_memory: blocks, created_at: created, version: '0.6.47'};
	for (const content of [old, JSON.stringify(JSON.stringify(await readAgentFile()))]) {
		const {bringText, messages} = await open(t);
		t.like(await bringText('a.af', content), {added: 6, skipped: leftOut, rejected: [pictured]});
		t.deepEqual(messages(), said);
	}
});

test('the content of an assistant message is imported, even if it calls tools', async t => {
	const {bringText, messages} = await open(t);
	const file = await readAgentFile();
	const [agent] = file.agents;
	const search = agent!.messages[3]!;
	t.like(
		await bringText('a.af', {...file, agents: [{...agent, messages: [search, {...search, content: []}]}]}),
		{added: 3, skipped: 1, rejected: []},
	);
	t.deepEqual(messages().map(({role, content}) => [role, content]), [['assistant', 'She asks about money. I look it up before I answer.']]);
});

test('each kind can be imported alone', async t => {
	for (const [kind, added] of [['state', 1], ['thought', 1], ['message', 4]] as const) {
		const {bring} = await open(t);
		t.like(await bring(exampleOf('letta.af'), kind), {added, skipped: 10 - added});
	}
});

test('the first of several agents gives the persona, and those of others are rejected', async t => {
	const {bringText, store} = await open(t);
	const file = await readAgentFile();
	const [maren] = file.agents;
	const {rejected} = await bringText('a.af', {...file, agents: [{...maren, messages: []}, {...maren, name: 'Jon', messages: []}]}, 'state');
	t.deepEqual(rejected, [{line: 4, reason: 'block-1 of “Jon”: an identity begins as one agent, and another is first in the file'}]);
	t.is((await store.latestState())!.stateId, 1);
});

test('messages as the API lists them are imported, and passages of archival memory', async t => {
	const {bringText, messages, thoughts} = await open(t);
	const at = {date: '2026-04-01T07:02:11+00:00', name: null, otid: null};
	t.like(await bringText('messages.json', [
		{...at, id: 'message-1', message_type: 'user_message', content: 'How deep is it?'},
		{...at, id: 'message-1', message_type: 'reasoning_message', reasoning: 'She wants a number.', source: 'reasoner_model'},
		{...at, id: 'message-1', message_type: 'assistant_message', content: [{type: 'text', text: 'Two fathoms.'}]},
		{...at, id: 'message-2', message_type: 'tool_call_message', tool_call: {name: 'f', arguments: '{}', tool_call_id: 'x'}},
		{...at, id: 'message-3', message_type: 'user_message', content: 7},
	]), {added: 2, skipped: 2, rejected: [{line: 5, reason: 'content must be a text or null or a list of objects, not 7'}]});
	t.deepEqual(
		messages().map(({role, content}) => [role, content]).toSorted(),
		[['assistant', 'Two fathoms.'], ['user', 'How deep is it?']],
	);
	t.like(await bringText(
		'passages.json',
		[{id: 'passage-7', text: 'The river froze in 1987.', archive_id: 'archive-1', tags: ['river'], created_at: '2026-01-01T00:00:00Z'}],
	), {added: 1});
	t.deepEqual(await thoughts(), ['The river froze in 1987.']);
});

test('a thought with a content keeps it, even if it has a memory', async t => {
	const {bringText, thoughts} = await open(t);
	t.like(await bringText('a.jsonl', {content: 'own', memory: 'another', thought_type: 'insight'}, 'thought'), {added: 1});
	t.deepEqual(await thoughts(), ['own']);
});

/** Any text that is not blank. */
const anyWords = fc.string({unit: 'grapheme', minLength: 1}).filter(text => text.trim() !== '');

const anyTime = fc.date({min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true}).map(date => date.toISOString());

test('any memories of mem0 are imported unchanged, in order of time', async t => {
	await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.record({memory: anyWords, created_at: anyTime}), {
		selector: ({memory: text}) => text,
		maxLength: 8,
	}), async memories => {
		const {bringText, thoughts, store} = await open(t);
		const {added, rejected} = await bringText('a.json', {results: memories.map(some => ({...memory, ...some}))});
		t.deepEqual([added, rejected], [memories.length, []]);
		t.deepEqual(
			await thoughts(),
			memories.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)).map(({memory: text}) => text).toReversed(),
		);
		await store.close();
	}), {numRuns: 40});
});

test('any messages of an agent are imported unchanged, and broken entries are imported, skipped or rejected with a reason', async t => {
	const content = fc.oneof(
		anyWords.map(text => ({content: text, text})),
		anyWords.map(text => ({content: [{type: 'reasoning', reasoning: 'hm'}, {type: 'text', text}], text})),
	);
	const message = fc.record({
		role: fc.constantFrom('user', 'assistant'),
		created_at: anyTime,
		given: content,
	}).map(({given: {content: parts, text}, ...rest}) => ({...rest, content: parts, text}));
	const broken = fc.oneof(fc.jsonValue(), fc.record({
		role: fc.jsonValue(),
		content: fc.jsonValue(),
		created_at: fc.jsonValue(),
		tool_calls: fc.jsonValue(),
		label: fc.jsonValue(),
		value: fc.jsonValue(),
	}, {requiredKeys: []}));
	await fc.assert(fc.asyncProperty(fc.array(message, {maxLength: 6}), fc.array(broken, {maxLength: 6}), async (good, bad) => {
		const {bringText, messages, store} = await open(t);
		const agent = {name: 'Maren', block_ids: ['block-0', 5], messages: [...good, ...bad]};
		const {read, added, unchanged, replaced, skipped, rejected} = await bringText('a.af', {
			...agent,
			block_ids: [],
			core_memory: [{label: 'human', value: 'Somebody.'}],
			created_at: '2026-01-01T00:00:00Z',
		});
		t.is(read + skipped, 1 + good.length + bad.length);
		t.is(added + unchanged + replaced + rejected.length, read);
		t.true(rejected.every(({line, reason}) => line > 1 + good.length && reason.length > 10), JSON.stringify(rejected));
		const landed = new Set(messages().map(({role, content: text, createdAt}) => JSON.stringify([role, text, createdAt])));
		t.true(good.every(({role, text, created_at: at}) => landed.has(JSON.stringify([role, text, at]))));
		await store.close();
	}), {numRuns: 60});
});

test('an identity begins with the persona of its agent file', async t => {
	const encoder = await loadEncoder();
	t.teardown(async () => encoder.dispose());
	const {store, bring} = await open(t, encoder);
	await bring(exampleOf('letta.af'));
	await bring(exampleOf('mem0.json'));
	const state = await loadInitialState(store, {encoder});
	t.is(state.stateId, 1);
	const nearness = async (text: string): Promise<number> => dot(state.row('thirdness'), await encoder.embed(text));
	const [own, foreign] = [
		await nearness('I count the planks twice, and I say the exact number.'),
		await nearness('The comet was discovered by an observatory in the southern hemisphere.'),
	];
	t.true(own > foreign + 0.2, `${own}, ${foreign}`);
});
