/** Answers are bounded, whatever the journal contains: 1 MiB over HTTP, 16 KiB for a tool. */
import test, {type ExecutionContext} from 'ava';
import {callTool} from '../../src/agents/tools/call-tool.ts';
import {tools} from '../../src/agents/tools/tools.ts';
import {Value} from '../../src/platform/typebox.ts';
import {fitAnswer} from '../../src/wire/fit-answer.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {anyText} from '../helpers/any-text.ts';
import fc from '../helpers/fast-check.ts';
import {serve} from './service.ts';

type Names = {source: (i: number) => string; content: (i: number) => string; id: (i: number) => string; trigger?: string};

const plain: Names = {source: i => `source ${i}`, content: i => `text ${i}`, id: i => `id-${i}`};

const histories: Record<string, Names> = {
	'long sources': {...plain, source: i => `${i}${'x'.repeat(63_000)}`},
	'long texts of characters that JSON writes with six': {...plain, content: i => `${i}${'\u0001'.repeat(20_000)}`},
	'long ids, and texts and triggers of three bytes a character': {
		source: i => `${i % 3}${'海'.repeat(5000)}`,
		content: i => `${i}${'海'.repeat(5000)}`,
		id: i => `${i}-${'x'.repeat(240)}`,
		trigger: '海'.repeat(5000),
	},
};

const direction = {
	category: 'affective',
	name: 'calm',
	polePositive: 'calm',
	poleNegative: 'agitated',
	vector: vectorOf('calm'),
	scale: {examples: 60, mean: 0, deviation: 0.001, sample: []},
};

/** An identity with a history of 900 texts, validated after the first 450, which are 90 conversations. */
const startWithHistory = async (t: ExecutionContext, {source, content, id, trigger}: Names) => {
	const {identity, clock} = await startIdentity({directions: async () => [direction], journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	for (let i = 0; i < 900; i++) {
		await identity.cycle({
			content: content(i),
			metadata: {source: i < 450 ? `ordinary ${Math.floor(i / 5)}` : source(i), conversation: `${Math.floor(i / 5)}`},
			id: id(i),
			...(trigger !== undefined && {trigger}),
		});
		clock.increment(60_000);
		if (i === 449) {
			await identity.validate({note: 'Who it is.'});
		}
	}

	return identity;
};

const paths = [
	'/history?points=10000', '/history?points=10000&direction=affective.calm', '/ledger?limit=1000',
	'/ledger?by=source&limit=1000', '/ledger?by=trigger', '/sources', '/drift', '/drift?since=beginning', '/diff',
	'/profile', '/profile/scaled', '/state', '/tensor',
];

for (const [name, names] of Object.entries(histories)) {
	test(`with ${name}, every answer is under 1 MiB, and a tool’s is under 16 KiB`, async t => {
		const identity = await startWithHistory(t, names);
		const {ask} = await serve(t, identity);
		const bodies: Array<[string, unknown]> = [['/dry-run', {content: 'The sea.'}], ['/what-if', {without: {sources: [names.source(700)]}}]];
		for (const [path, body] of [...paths.map(each => [each, undefined] as const), ...bodies]) {
			const {status, text} = await ask(body ? 'POST' : 'GET', path, body);
			t.is(status, 200, path);
			t.true(Buffer.byteLength(text) < 2 ** 20, `${path} has ${Buffer.byteLength(text)} bytes`);
		}

		for (const [tool, input] of [
			['history', {points: 50}],
			['why', {}],
			['why', {by: 'text', limit: 50}],
			['drift', {}],
			['what_would_change', {text: 'The sea.'}],
		] as const) {
			const {text} = await callTool(identity, tool, input);
			t.true(Buffer.byteLength(text) < 2 ** 14, tool);
			const answer = JSON.parse(text) as {summary: string};
			t.deepEqual(Value.Errors(tools.find(each => each.name === tool)!.output, answer), [], tool);
			t.is(/This answer is cut/.test(answer.summary), tool === 'history' || 'limit' in input, tool);
		}
	});
}

test('at most 100 sources are listed, and the others are summed', async t => {
	const identity = await startWithHistory(t, plain);
	const {ask} = await serve(t, identity);
	for (const [path, list] of [['/drift', 'sources'], ['/sources', 'sources']] as const) {
		const {body} = await ask('GET', path);
		const sources = (body as Record<typeof list, Array<{source: string; texts: number; weight_share: number; others?: number}>>)[list];
		t.is(sources.length, 101);
		t.like(sources.at(-1), {source: 'others', others: 350});
		t.is(sources.reduce((sum, {texts}) => sum + texts, 0), 450);
		t.true(Math.abs(sources.reduce((sum, {weight_share: share}) => sum + share, 0) - 1) < 1e-9);
	}

	const {chart} = (await ask('GET', '/drift')).body as {chart: {blame: Array<{share: number; others?: number}>}};
	t.true(chart.blame.length <= 101);
	t.true(Math.abs(chart.blame.reduce((sum, {share}) => sum + share, 0) - 1) < 1e-9);
	const {entries} = (await ask('GET', '/ledger?by=source&limit=1000')).body as {entries: Array<{kind: string; texts: number}>};
	t.is(entries.filter(({kind}) => kind === 'texts').length, 100);
	t.is(entries.at(-1)!.kind, 'others');
	t.is(entries.reduce((sum, {texts}) => sum + texts, 0), 900);
});

test('an answer that fits is unchanged; a longer one is cut and keeps its structure', t => {
	const shape = (value: unknown): unknown => typeof value === 'string' ? '' : (Array.isArray(value)
		? value.map(shape)
		: (value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shape(each)])) : value));
	fc.assert(fc.property(fc.array(fc.record({
		key: anyText({maxLength: 2000}),
		part: fc.nat(),
	}), {maxLength: 20}), fc.integer({min: 500, max: 5000}), (entries, max) => {
		const answer = {entries};
		const json = fitAnswer(answer, text => text.length <= max);
		const whole = JSON.stringify(answer);
		t.deepEqual(shape(JSON.parse(json)), shape(answer));
		return whole.length <= max ? json === whole : json.length <= Math.max(max, 41 * 6 * entries.length + 40 * entries.length + 20);
	}));
});
