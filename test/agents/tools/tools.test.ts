/** The tools of a language model: answers of a local and a remote identity, and errors for invalid input. */
import test, {type ExecutionContext} from 'ava';
import {Value} from '../../../src/platform/typebox.ts';
import {connectIdentity} from '../../../src/client/index.ts';
import type {Identity} from '../../../src/identity/identity.ts';
import {callTool} from '../../../src/agents/tools/call-tool.ts';
import {toolDefinitions, toolFormats, toJsonSchema} from '../../../src/agents/tools/tool-definitions.ts';
import {tools} from '../../../src/agents/tools/tools.ts';
import {FakeJournal} from '../../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../../actors/fixtures.ts';
import {fakeIdentity} from '../../http/fake-identity.ts';
import {serve} from '../../http/service.ts';

const scale = {examples: 60, mean: 0, deviation: 0.001, sample: []};
const direction = (name: string, polePositive: string, poleNegative: string) =>
	({category: 'affective', name, polePositive, poleNegative, vector: vectorOf(name), scale});
const directions = [direction('calm', 'calm', 'agitated'), direction('joy', 'joyful', 'sad')];

const start = async (t: ExecutionContext, place: 'local' | 'remote'): Promise<Identity> => {
	const {identity} = await startIdentity({directions: async () => directions, journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	if (place === 'local') {
		return identity;
	}

	const {url} = await serve(t, identity);
	const remote = connectIdentity({baseUrl: url});
	t.teardown(() => remote.dispose());
	return remote;
};

/** The answer of a call that succeeds. */
const ask = async (t: ExecutionContext, identity: Identity, name: string, input: object = {}): Promise<Record<string, unknown>> => {
	const called = await callTool(identity, name, input);
	if (called.isError) {
		t.fail(called.text);
		return {};
	}

	t.deepEqual(JSON.parse(called.text), called.answer);
	t.deepEqual(Value.Errors(tools.find(tool => tool.name === name)!.output, called.answer), [], name);
	t.is(typeof called.answer['summary'], 'string');
	return called.answer;
};

for (const place of ['local', 'remote'] as const) {
	test(`${place}: every tool answers as its schema says`, async t => {
		const ada = await start(t, place);
		t.like(await ask(t, ada, 'say', {text: 'The sea is quiet.', source: 'Ben'}), {state_id: 1, delta: 0.001});
		t.like(await ask(t, ada, 'say', {text: 'It is.', source: 'self'}), {state_id: 2});
		t.like(await ask(t, ada, 'who_am_i'), {state_id: 2, begun_at_random: false});
		const dry = await ask(t, ada, 'what_would_change', {text: 'The sea is loud.'});
		t.like(dry, {dissonance_percentile: null});
		t.is((dry['nearest'] as unknown[]).length, 2);
		const why = await ask(t, ada, 'why', {direction: 'affective.calm'});
		t.deepEqual(
			(why['parts'] as Array<{kind: string; key: string; texts: number}>).map(({kind, key, texts}) => [kind, key, texts]).toSorted(),
			[['beginning', 'beginning', 0], ['push', 'push', 0], ['texts', 'Ben', 1], ['texts', 'self', 1]],
		);
		t.like(await ask(t, ada, 'drift', {since: 1}), {cycles: 1, p: null, alarm: false});
		const history = await ask(t, ada, 'history', {points: 2});
		t.deepEqual((history['points'] as Array<{source: string | null; text: string | null}>).map(({source, text}) => [source, text]), [
			[null, null],
			['self', 'It is.'],
		]);
	});
}

test('what_would_change does not change the state, and say does', async t => {
	const ada = await start(t, 'local');
	await ask(t, ada, 'what_would_change', {text: 'The sea is quiet.', source: 'Ben'});
	t.is((await ada.state()).stateId, 0);
	await ask(t, ada, 'say', {text: 'The sea is quiet.', source: 'Ben'});
	t.is((await ada.state()).stateId, 1);
});

test('without a conversation, a text is in that of its source, and a text of self names none', async t => {
	const requests: unknown[] = [];
	const ada = fakeIdentity({async cycle(request) {
		requests.push(request);
		return {id: '1', stateId: 1, deltaMagnitude: 0.001, dissonanceTotal: 0.5, isChoc: true, dimensionsAffected: [], processingTimeMs: 1};
	}});
	for (const input of [
		{text: 'Tea?', source: 'Ben'}, {text: 'Yes.', source: 'self'}, {text: 'Tea?', source: 'Ben', conversation: 'Sunday'},
	]) {
		await ask(t, ada, 'say', input);
	}

	t.deepEqual(requests, [
		{content: 'Tea?', source: 'Ben', conversation: 'Ben'},
		{content: 'Yes.', source: 'self', conversation: undefined},
		{content: 'Tea?', source: 'Ben', conversation: 'Sunday'},
	]);
});

const scaled = (name: string, z: number | null, standsOut: boolean) =>
	({
		key: `affective.${name}`,
		category: 'affective',
		name,
		dimension: 'thirdness',
		moves: true,
		polePositive: 'calm',
		poleNegative: 'agitated',
		value: 0.1,
		z,
		percentile: null,
		word: null,
		standsOut,
		pole: z === null ? null : z > 0 ? 'calm' : 'agitated',
	});
const leaning = (...given: object[]) =>
	fakeIdentity({scaledProfile: () => ({stateId: 7, lens: 'own', begunAtRandom: true, examples: 60, note: null, directions: given})});

test('who_am_i lists what stands out, strongest first, and counts the rest', async t => {
	const answer = await ask(t, leaning(scaled('one', 1.5, true), scaled('two', 0.5, false), scaled('three', -2.123_456, true)), 'who_am_i');
	t.is(answer['summary'], 'This stands out: agitated rather than calm (z -2.1); calm rather than agitated (z 1.5).');
	t.deepEqual((answer['stands_out'] as Array<{key: string; pole: string; z: number}>).map(({key, pole, z}) => [key, pole, z]), [
		['affective.three', 'agitated', -2.123],
		['affective.one', 'calm', 1.5],
	]);
	t.is(answer['no_different_from_chance'], 1);
});

test('who_am_i says if nothing stands out, and if that is not known', async t => {
	t.is((await ask(t, leaning(scaled('one', 1.5, false)), 'who_am_i'))['summary'], 'Nothing in this state stands out.');
	t.is((await ask(t, leaning(scaled('one', null, false)), 'who_am_i'))['summary'], 'It is not known whether anything stands out.');
});

test('long lists and texts are truncated in answers', async t => {
	const many = Array.from({length: 105}, (_, i) => scaled(`d${i}`, 2 + i / 100, true));
	t.is(((await ask(t, leaning(...many), 'who_am_i'))['stands_out'] as unknown[]).length, 20);
	const ada = await start(t, 'local');
	await ask(t, ada, 'say', {text: 'sea '.repeat(20_000), source: 'Ben'});
	const {points} = await ask(t, ada, 'history') as {points: Array<{text: string | null}>};
	t.is(points[1]!.text!.length, 201);
	const {parts} = await ask(t, ada, 'why', {by: 'text'}) as {parts: Array<{text?: string}>};
	t.is(Math.max(...parts.map(({text = ''}) => text.length)), 201);
});

const faults: Array<[name: string, input: unknown, fault: RegExp]> = [
	['say', {source: 'Ben'}, /^text is missing\. The fields of say are text, source, conversation\.$/],
	['say', {text: ' \n', source: 'Ben'}, /^text must be a text of at most 100000 characters that is not blank, not " /],
	['say', {text: 'sea', source: 7}, /^source must be a text/],
	[
		'say',
		{text: 'sea', source: 'Ben', sorce: 'Ben'},
		/^sorce is not known; the nearest is “source”\. The fields of say are text, source, conversation\.$/,
	],
	['say', {text: 'x'.repeat(100_001), source: 'Ben'}, /^text must be a text of at most 100000 characters that is not blank/],
	['say', 'The sea', /^it must be an object/],
	['who_am_i', {lens: 'other'}, /^lens must be one of own, thirdness/],
	['why', {limit: 51}, /^limit must be a whole number from 1 to 50, not 51/],
	['why', {direction: 'affective.sea'}, /affective\.sea/],
	['drift', {since: true}, /^since must be a whole number or a text of at most 100 characters, not true/],
	['history', {since: 99}, /no state 99/],
	['remember', {}, /^There is no tool remember\. The tools are say, who_am_i, /],
];

for (const [name, input, fault] of faults) {
	test(`${name} with ${JSON.stringify(input).slice(0, 60)} is an error that says what is wrong`, async t => {
		const ada = await start(t, 'local');
		const called = await callTool(ada, name, input);
		t.true(called.isError);
		t.regex(called.text, fault);
		t.true(called.text.length < 400);
		t.is((await ada.state()).stateId, 0);
	});
}

test('a field that is null counts as absent', async t => {
	t.like(await ask(t, await start(t, 'local'), 'why', {by: null, since: null}), {cycles: 0});
});

test('without a journal, a question about the past is an error that says what to do', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	for (const name of ['why', 'drift', 'history']) {
		t.like(await callTool(identity, name, {}), {
			isError: true,
			text: 'This identity keeps no journal, so its past is not known. Give it a journal (journal.folder).',
		});
	}
});

test('if the answer to say is lost, the error asks the model to check the history first', async t => {
	const remote = connectIdentity({baseUrl: 'http://service.example', async fetch() {
		throw new TypeError('fetch failed', {cause: new Error('read ECONNRESET')});
	}});
	t.teardown(() => remote.dispose());
	const {isError, text} = await callTool(remote, 'say', {text: 'The sea is quiet.', source: 'Ben'});
	t.true(isError);
	t.regex(text, /it is not known whether the text was heard\. .* check with history whether it is the newest text\.$/);
});

test('a defect is thrown, and so is the reason of an abort', async t => {
	const defect = new TypeError('not a function');
	t.is(await t.throwsAsync(callTool(fakeIdentity({scaledProfile() {
		throw defect;
	}}), 'who_am_i', {})), defect);
	const reason = new Error('enough');
	t.is(
		await t.throwsAsync(callTool(await start(t, 'local'), 'say', {text: 'sea', source: 'Ben'}, {signal: AbortSignal.abort(reason)})),
		reason,
	);
});

test('the definitions in every format have the names and the schemas of the tools', t => {
	t.deepEqual([...toolFormats].toSorted(), ['anthropic', 'openai', 'openai-chat']);
	const expected = tools.map(({name, description, input}) => [name, description, toJsonSchema(input)]);
	t.deepEqual(toolDefinitions('anthropic').map(tool => [tool.name, tool.description, tool.input_schema]), expected);
	t.deepEqual(toolDefinitions('openai').map(tool => [tool.name, tool.description, tool.parameters]), expected);
	t.deepEqual(
		toolDefinitions('openai-chat').map(tool => [tool.function.name, tool.function.description, tool.function.parameters]),
		expected,
	);
	for (const [name, , schema] of expected as Array<[string, string, {
		type: string;
		additionalProperties: boolean;
		properties: Record<string, {description?: string}>;
	}]>) {
		t.regex(name, /^[a-z_]{1,64}$/);
		t.like(schema, {type: 'object', additionalProperties: false});
		t.true(Object.values(schema.properties).every(({description = ''}) => description.length > 10), name);
	}
});

test('an unknown format is refused with the known ones', t => {
	t.throws(() => toolDefinitions('gemini' as never), {
		code: 'configuration',
		message: 'The formats of tools are anthropic, openai, openai-chat, not “gemini”.',
	});
});
