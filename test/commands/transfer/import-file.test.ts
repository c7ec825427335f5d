/** Imports: what is written, what is rejected, and that a failure writes nothing. */
import {execFile} from 'node:child_process';
import {rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {promisify} from 'node:util';
import test from 'ava';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {ConfigurationError, EmbeddingError, ProcessualError, StoreError} from '../../../src/platform/errors.ts';
import {vectorOf} from '../../actors/fixtures.ts';
import {anyText} from '../../helpers/any-text.ts';
import {lines, numbers, open} from './open-import.ts';

test('thoughts without a vector are embedded, and carry the model\'s name', async t => {
	const {store, encoder, bring} = await open(t);
	const imported = await bring('thoughts.jsonl', lines({thought_type: 'insight', content: 'one'}, {
		content: 'two',
		vector: numbers('else'),
		model: 'another',
	}));
	t.deepEqual(imported, {read: 2, added: 2, replaced: 0, unchanged: 0, skipped: 0, rejected: []});
	t.deepEqual(encoder.asked, ['one']);
	t.deepEqual(await store.thoughts(9), [
		{type: null, content: 'two', model: 'another', vector: vectorOf('else')},
		{type: 'insight', content: 'one', model: 'fake', vector: vectorOf('one')},
	]);
});

test('unusable lines are rejected with their numbers and reasons, and the others are imported', async t => {
	const {store, bring} = await open(t);
	const {rejected, ...counts} = await bring('thoughts.jsonl', lines(
		{content: 'good'},
		'',
		'{"content": ',
		{thought_type: 'insight'},
		{content: 7},
		{vector: [1, 2]},
		{vector: numbers('x').with(3, 1e300)},
		'null',
		{content: 'good too'},
	));
	t.like(counts, {read: 8, added: 2});
	t.deepEqual(rejected.map(({line}) => line), [3, 4, 5, 6, 7, 8]);
	const reasons = rejected.map(({reason}) => reason);
	for (const [i, reason] of [
		/not JSON/,
		/needs a “vector” or a “content”/,
		/^content must be a text/,
		/^vector must be a list of 1024 numbers, not a list of 2$/,
		/float32/,
		/object/,
	].entries()) {
		t.regex(reasons[i]!, reason);
	}

	t.is((await store.thoughts(9)).length, 2);
});

test('an existing entry is not added again', async t => {
	const {bring} = await open(t);
	const file = lines({content: 'one'}, {content: 'two'});
	await bring('a.jsonl', file);
	t.like(await bring('b.jsonl', file), {added: 0, unchanged: 2});
});

test('a file may have a byte order mark, Windows line endings, and U+2028 in a string', async t => {
	const {store, bring} = await open(t);
	const {rejected} = await bring('thoughts.jsonl', `\uFEFF{"content": "one"}\r\n{"content": "two\u2028three"}\r\n`);
	t.deepEqual(rejected, []);
	t.deepEqual((await store.thoughts(9)).map(({content}) => content), ['two\u2028three', 'one']);
});

test('CSV is read by its header, with line breaks in cells, and bad records have the line numbers of the file', async t => {
	const {messages, bring} = await open(t);
	const {rejected, added} = await bring('messages.csv', [
		'conversation,title,deleted,role,content,created',
		'a,"A title",false,user,"Two',
		'lines",2026-03-02T05:41:00Z',
		'a,,true,user,,2026-03-02T05:42:00Z',
		'b,,perhaps,user,text,2026-03-02T05:43:00Z',
		'b,,true,user,7,2026-03-02T05:44:00Z',
	].join('\n'), {kind: 'message'});
	t.is(added, 2);
	t.deepEqual(rejected.map(({line}) => line), [4, 5]);
	t.deepEqual(messages(), [
		{conversation: 'b', title: null, isDeleted: true, role: 'user', content: '7', createdAt: '2026-03-02T05:44:00Z'},
		{conversation: 'a', title: 'A title', isDeleted: false, role: 'user', content: 'Two\nlines', createdAt: '2026-03-02T05:41:00Z'},
	]);
});

test('a vector in a cell of CSV is a JSON list', async t => {
	const {store, bring} = await open(t);
	await bring('thoughts.csv', `thought_type,content,vector\nemotion,"a [list] of words","${JSON.stringify(numbers('given'))}"\n`);
	t.deepEqual(await store.thoughts(9), [{type: 'emotion', content: 'a [list] of words', model: null, vector: vectorOf('given')}]);
});

test('a state is a vector, a text, or eight rows', async t => {
	const {store, bring} = await open(t);
	const at = {timestamp: '2026-01-01T02:00:00+02:00'};
	const dimensions = Object.fromEntries([
		'firstness', 'secondness', 'thirdness', 'dispositions', 'orientations', 'engagements', 'pertinences', 'valeurs',
	].map(name => [name, numbers(name)]));
	const {rejected} = await bring('state.jsonl', lines(
		{...at, state_id: 1, vector: numbers('one')},
		{...at, state_id: 2, content: 'two'},
		{...at, state_id: 3, dimensions},
		{...at, state_id: 4},
		{state_id: 5, timestamp: '2026-99-99T00:00', content: 'x'},
	), {kind: 'state'});
	t.deepEqual(rejected.map(({line}) => line), [4, 5]);
	const kept = [...store.everything()];
	t.deepEqual(kept.map(item => item.kind === 'state' && item.stateId), [1, 2, 3]);
	t.like(kept[0], {timestamp: '2026-01-01T00:00:00.000Z', vector: vectorOf('one'), model: null});
	t.like(kept[1], {vector: vectorOf('two'), model: 'fake'});
	t.like(await store.latestState(), {rows: [vectorOf('firstness')]});
});

test('directions of a catalogue file are embedded from examples of both poles, which must differ', async t => {
	const {store, bring} = await open(t);
	const axis = {category: 'affective', name: 'calm', pole_positive: 'calm', pole_negative: 'agitated'};
	const file = JSON.stringify({directions: [
		{...axis, positive: ['p1', 'p2'], negative: ['n1']},
		{...axis, name: 'one-sided', positive: ['p1']},
		{...axis, name: 'none', positive: ['same'], negative: ['same']},
	]});
	const {rejected, added} = await bring('own.json', file, {kind: 'direction'});
	t.is(added, 1);
	t.deepEqual(rejected.map(({line}) => line), [2, 3]);
	const [{vector, model}] = await store.directions() as unknown as [{vector: Float32Array; model: string}];
	t.is(model, 'fake');
	const dot = (text: string) => vector.reduce((sum, value, i) => sum + value * vectorOf(text)[i]!, 0);
	t.true(dot('p1') > 0.2 && dot('p2') > 0.2 && dot('n1') < -0.2);
});

test('a text that the model cannot embed is rejected; an encoder that is unavailable ends the import, and nothing is written', async t => {
	const {store, encoder, bring} = await open(t);
	encoder.fail('odd', new EmbeddingError('no vector'));
	t.deepEqual((await bring('a.jsonl', lines({content: 'good'}, {content: 'odd'}))).rejected, [{line: 2, reason: 'no vector'}]);
	encoder.fail('later', new EmbeddingError('the server is gone', {retryable: true}));
	await t.throwsAsync(bring('b.jsonl', lines({content: 'new'}, {content: 'later'})), {message: 'the server is gone'});
	t.is((await store.thoughts(9)).length, 1);
});

test('entries keep the order of the file, in whatever order their texts are embedded', async t => {
	const {store, encoder, bring} = await open(t);
	const one = encoder.hold('one');
	await bring('a.jsonl', lines({content: 'one'}, {content: 'given', vector: numbers('given')}, {content: 'two'}), {
		onProgress() {
			one.resolve();
		},
	});
	t.deepEqual((await store.thoughts(9)).map(({content}) => content), ['two', 'given', 'one']);
});

test('a state id over 2 ** 52 is rejected, because later ids could not be counted, and the store stays readable', async t => {
	const {store, bring} = await open(t);
	const state = {timestamp: '2026-01-01T00:00:00Z', vector: numbers('one')};
	const {rejected} = await bring(
		'state.jsonl',
		lines({...state, state_id: 2 ** 53 - 1}, {...state, state_id: 2 ** 52 + 1}, {...state, state_id: 2 ** 52}),
		{kind: 'state'},
	);
	t.deepEqual(rejected, [[
		1,
		2 ** 53 - 1,
	], [2, 2 ** 52 + 1]].map(([line, id]) => ({line, reason: `state_id must be a whole number from 0 to 4503599627370496, not ${id}`})));
	t.like(await store.latestState(), {stateId: 2 ** 52});
});

test('a time without a zone is read as UTC, whatever the local zone', async t => {
	const kinds = new URL('../../../src/commands/transfer/entry-kinds.ts', import.meta.url).href;
	const script = `const {toDraft} = await import(${JSON.stringify(kinds)});
		for (const timestamp of ['2026-01-01T02:00', '2026-01-01 02:00:00', '2026-01-01T02:00:00+02:00']) {
			console.log(toDraft('state', {state_id: 1, timestamp, vector: Array(1024).fill(1)}).make([], null).timestamp);
		}`;
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {env: {TZ: 'Asia/Tokyo'}});
	t.deepEqual(stdout.trim().split('\n'), ['2026-01-01T02:00:00.000Z', '2026-01-01T02:00:00.000Z', '2026-01-01T00:00:00.000Z']);
});

test('a text in a cell of CSV stays a text, even if it looks like a list or a number', async t => {
	const {messages, bring} = await open(t);
	const {rejected} = await bring(
		'messages.csv',
		'conversation,title,role,content,created\n7,[1],user,"[""a""]",2026-03-02T05:41:00Z\n',
		{kind: 'message'},
	);
	t.deepEqual(rejected, []);
	t.deepEqual(
		messages(),
		[{conversation: '7', title: '[1]', isDeleted: false, role: 'user', content: '["a"]', createdAt: '2026-03-02T05:41:00Z'}],
	);
});

test('the time of a message is kept as it was written, and may be a number', async t => {
	const {messages, bring} = await open(t);
	const message = {conversation: 'a', role: 'user', content: 'hello'};
	const {rejected} = await bring(
		'messages.jsonl',
		lines(...['2026-03-02 05:41', 1_772_430_060, '1772430061', '2026-13-02T05:41:00Z', 'today'].map(created => ({...message, created}))),
		{kind: 'message'},
	);
	t.deepEqual(rejected.map(({line}) => line), [4, 5]);
	t.regex(rejected[1]!.reason, /^created must be a time in ISO 8601/);
	t.deepEqual(messages().map(({createdAt}) => createdAt).toSorted(), ['1772430060', '1772430061', '2026-03-02 05:41']);
});

test('a date that does not exist is rejected', async t => {
	const {store, messages, bring} = await open(t);
	const state = {vector: numbers('one')};
	const times = [
		'2026-02-30T00:00:00Z', '2025-02-29 10:00', '2026-04-31T23:59:59-05:00', '2024-02-29T00:00:00Z',
		'2026-01-01T23:30:00-05:00',
	];
	const {rejected} = await bring(
		'state.jsonl',
		lines(...times.map((timestamp, i) => ({...state, state_id: i, timestamp}))),
		{kind: 'state'},
	);
	t.deepEqual(
		rejected,
		[1, 2, 3].map(line => ({line, reason: `timestamp must be a time in ISO 8601, such as 2026-03-01T10:00:00Z, not "${times[line - 1]}"`})),
	);
	t.like(await store.latestState(), {timestamp: '2026-01-02T04:30:00.000Z'});
	const message = {conversation: 'a', role: 'user', content: 'hello'};
	t.is((await bring('messages.jsonl', lines({...message, created: times[0]}), {kind: 'message'})).rejected.length, 1);
	t.deepEqual(messages(), []);
});

test('if the messages cannot be written, the store keeps its part, and a second import adds the rest', async t => {
	const {folder, store, messages, bring} = await open(t);
	const file = lines({kind: 'thought', content: 'one'}, {
		kind: 'message',
		conversation: 'a',
		role: 'user',
		content: 'hello',
		created: '2026-01-01T00:00:00Z',
	});
	const messagesFile = path.join(folder, 'messages.sqlite');
	await writeFile(messagesFile, 'no database');
	await t.throwsAsync(bring('a.jsonl', file, {kind: 'all'}), {instanceOf: StoreError});
	await rm(messagesFile);
	t.like(await bring('a.jsonl', file, {kind: 'all'}), {added: 1, unchanged: 1});
	t.is((await store.thoughts(9)).length, 1);
	t.is(messages().length, 1);
});

test('progress counts the texts to embed', async t => {
	const {bring} = await open(t);
	const seen: string[] = [];
	await bring('a.jsonl', lines({content: 'one'}, {vector: numbers('x')}, {content: 'two'}), {
		onProgress: (done, total) => seen.push(`${done}/${total}`),
	});
	t.deepEqual(seen, ['1/2', '2/2']);
});

test('a store that cannot be written keeps nothing of an import', async t => {
	const {folder, store, bring} = await open(t);
	await bring('a.jsonl', lines({content: 'one'}));
	const other = new DatabaseSync(path.join(folder, 'store.sqlite'));
	other.exec('create trigger no_more before insert on directions begin select raise(abort, \'no room\'); end');
	other.close();
	const axis = {category: 'affective', name: 'calm', pole_positive: 'calm', pole_negative: 'agitated', vector: numbers('x')};
	await t.throwsAsync(
		bring('b.jsonl', lines({kind: 'thought', content: 'two'}, {kind: 'direction', ...axis}), {kind: 'all'}),
		{instanceOf: ProcessualError},
	);
	t.is((await store.thoughts(9)).length, 1);
});

test('a file that does not exist, or has no list, is refused', async t => {
	const {bring} = await open(t);
	await t.throwsAsync(bring('a.jsonl', '', {file: 'nowhere.jsonl'}), {instanceOf: ConfigurationError, message: /nowhere\.jsonl.*ENOENT/});
	await t.throwsAsync(bring('a.jsonl', '', {file: 'nowhere.csv'}), {instanceOf: ConfigurationError, message: /nowhere\.csv.*ENOENT/});
	await t.throwsAsync(bring('a.json', '{"other": 1}'), {instanceOf: ConfigurationError, message: /no list/});
});

test('the entries of any file are imported or rejected, or the file is refused', async t => {
	const {bring} = await open(t);
	const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.double(), {maxLength: 4}), fc.constant('[1,'));
	const entry = fc.dictionary(fc.constantFrom(
		'kind',
		'content',
		'vector',
		'thought_type',
		'state_id',
		'timestamp',
		'dimensions',
		'category',
		'name',
		'positive',
		'negative',
		'conversation',
		'role',
		'created',
		'memory',
		'message_type',
		'date',
		'text',
		'id',
		'messages',
		'agents',
		'blocks',
		'core_memory',
		'results',
		'__proto__',
	), fc.oneof(field, fc.jsonValue()));
	const text = fc.array(fc.oneof(
		entry.map(value => JSON.stringify(value)),
		fc.jsonValue().map(value => JSON.stringify(value)),
		anyText(),
	)).map(found => Buffer.from(found.join('\n')));
	const bytes = fc.uint8Array({maxLength: 300}).map(found => Buffer.from(found));
	await fc.assert(fc.asyncProperty(fc.oneof(text, bytes), fc.constantFrom(
		'.jsonl',
		'.csv',
		'.json',
		'.af',
	), fc.constantFrom('all', 'state', 'thought', 'direction', 'message'), async (content, extension, kind) => {
		try {
			const {read, added, replaced, unchanged, rejected} = await bring(`any${extension}`, content, {kind});
			t.is(added + replaced + unchanged + rejected.length, read);
		} catch (error) {
			t.true(error instanceof ConfigurationError, (error as Error).stack);
		}
	}), {numRuns: often(80, 400)});
});

test('a file whose newest state is of another embedding model is refused before anything is embedded or written', async t => {
	const {store, encoder, bring} = await open(t);
	const state = (id: number, model: string | null) =>
		({kind: 'state', state_id: id, timestamp: '2026-03-01T10:00:00Z', vector: numbers('me'), model});
	const file = lines(state(2, 'another'), state(1, 'fake'), {kind: 'thought', content: 'one'});
	await t.throwsAsync(bring('a.jsonl', file, {kind: 'all'}), {
		instanceOf: StoreError,
		message: /a\.jsonl has a state of the embedding model “another”, but the identity's is “fake”/,
	});
	t.is(await store.latestState(), null);
	t.deepEqual(encoder.asked, []);

	// An identity begins with the newest one: older ones may be of any model.
	t.like(await bring('b.jsonl', lines(state(1, 'another'), state(2, 'fake'), state(0, null)), {kind: 'all'}), {added: 3});
});
