/** Spans for OpenTelemetry, as the Node SDK passes them to a processor. */
import {IncomingMessage, ServerResponse} from 'node:http';
import {Socket} from 'node:net';
import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {trace, type Attributes} from '@opentelemetry/api';
import {createActor, setup} from 'xstate';
import {NodeSDK, type NodeSDKConfiguration} from '@opentelemetry/sdk-node';
import {createProcessMachine, processParts} from '../../src/actors/index.ts';
import {identityOf} from '../../src/index.ts';
import {openTracing} from '../../src/observe/tracing.ts';
import {cycleIdHeader} from '../../src/wire/rename.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';

type Processor = NonNullable<NodeSDKConfiguration['spanProcessors']>[number];
type Ended = Parameters<Processor['onEnd']>[0];

const warn = (warning: string): never => {
	throw new Error(warning);
};

const withoutSdk = await openTracing(warn);
const ended: Ended[] = [];
/** The identities of all spans that have begun. */
const begun: unknown[] = [];
let flushed = 0;
new NodeSDK({
	autoDetectResources: false,
	spanProcessors: [{
		onStart({attributes}) {
			begun.push(attributes['gen_ai.agent.id']);
		},
		onEnd(span) {
			ended.push(span);
		},
		async forceFlush() {
			flushed++;
		},
		async shutdown() {},
	}],
}).start();
const tracing = (await openTracing(warn))!;

const agent = {traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331'};
const traceparent = `00-${agent.traceId}-${agent.spanId}-01`;

/** The spans of an identity, by its name; each test uses a different name. */
const spansOf = (name: string): Ended[] => ended.filter(({attributes}) => attributes['gen_ai.agent.id'] === name);

/** Waits for a number of spans: the span of a request ends when its connection is done with it. */
const until = async (name: string, count: number): Promise<Ended[]> => {
	while (spansOf(name).length < count) {
		await setTimeout(2);
	}

	return spansOf(name);
};

const startTraced = async (t: ExecutionContext, name: string) => {
	const started = await startIdentity({newId: () => crypto.randomUUID()});
	t.teardown(async () => started.identity.dispose());
	tracing.observe(name, started.identity);
	return started;
};

/** Serves an identity under its name, as a host does. */
const serveTraced = async (t: ExecutionContext, name: string) => {
	const {identity} = await startTraced(t, name);
	const place = () => ({here: identity});
	return serve(t, {defaultName: name, place} as unknown as Parameters<typeof serve>[1], {tracing, validateResponses: false});
};

test('without a registered SDK, there is no tracing', t => {
	t.is(withoutSdk, null);
});

test('a cycle is a span inside that of its request, which is inside the caller’s trace', async t => {
	const {ask} = await serveTraced(t, 'ada');
	const {headers} = await ask('POST', '/cycle', {content: 'The sea is quiet.', conversation: 'evening'}, {traceparent});
	const [cycle, request] = await until('ada', 2) as [Ended, Ended];
	t.deepEqual([cycle, request].map(span => [span.name, span.spanContext().traceId]), [
		['create_memory', agent.traceId], ['POST /cycle', agent.traceId],
	]);
	t.deepEqual([cycle, request].map(span => span.parentSpanContext?.spanId), [request.spanContext().spanId, agent.spanId]);
	t.like(cycle.attributes, {
		'gen_ai.operation.name': 'create_memory', 'gen_ai.memory.store.id': 'ada', 'gen_ai.conversation.id': 'evening',
		'gen_ai.memory.record.id': headers.get(cycleIdHeader),
		'processual.cycle.trigger': 'user', 'processual.cycle.origin': 'caller', 'processual.cycle.is_held': false,
	});
	t.like(request.attributes, {'http.request.method': 'POST', 'http.route': '/cycle', 'http.response.status_code': 200});
});

test('a question is a span with its route, its identity and its status', async t => {
	const {ask} = await serveTraced(t, 'ben');
	await ask('GET', '/state');
	await ask('GET', '/history?points=0');
	t.deepEqual((await until('ben', 2)).map(({name, attributes}): Attributes => ({name, ...attributes})), [
		['GET /state', 200] as const, ['GET /history', 422] as const,
	].map(([name, status]) => ({
		name, 'http.request.method': 'GET', 'http.route': name.slice(4), 'gen_ai.agent.id': 'ben', 'gen_ai.memory.store.id': 'ben',
		'gen_ai.operation.name': 'search_memory', 'http.response.status_code': status,
	})));
});

test('probes and metrics have no span', async t => {
	const {ask} = await serveTraced(t, 'cid');
	await ask('GET', '/livez');
	await ask('GET', '/metrics');
	await ask('GET', '/state');
	t.deepEqual((await until('cid', 1)).map(({name}) => name), ['GET /state']);
});

test('a cycle of a Model Context Protocol tool is a span inside that of its message', async t => {
	const {ask} = await serveTraced(t, 'dan');
	const params = {name: 'say', arguments: {text: 'The sea is quiet.', source: 'ben', conversation: 'evening'}};
	const {text} = await ask('POST', '/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/call', params}, {
		accept: 'application/json, text/event-stream', 'content-type': 'application/json', traceparent,
	});
	t.notRegex(text, /"isError":true|"error"/);
	const [cycle, message] = await until('dan', 2);
	t.deepEqual([cycle, message].map(span => span?.name), ['create_memory', 'POST /mcp']);
	t.is(cycle?.parentSpanContext?.spanId, message?.spanContext().spanId);
});

test('no span has a text or the name of a source, and a long conversation id is cut', async t => {
	const {ask} = await serveTraced(t, 'eve');
	const long = 'x'.repeat(63_000);
	const metadata = {source: 'Mallory', conversation: long, note: 'secret'};
	t.is((await ask('POST', '/cycle', {content: 'A secret of mine.', trigger: 'secret', metadata})).status, 200);
	const spans = await until('eve', 2);
	const said = JSON.stringify(spans.map(({name, attributes, links, events}) => ({name, attributes, links, events})));
	t.notRegex(said, /secret|Mallory/);
	t.is(String(spans[0]!.attributes['gen_ai.conversation.id']).length, 201);
	t.true(said.length < 2000);
});

test('the span of a failed cycle has only the type of its error', async t => {
	const {identity, encoder} = await startTraced(t, 'fay');
	const embed = encoder.embed.bind(encoder);
	encoder.embed = async () => {
		throw new RangeError('The text “secret” is too long.');
	};
	await t.throwsAsync(identity.cycle('secret'));
	encoder.embed = embed;
	const [span] = spansOf('fay');
	t.deepEqual(span!.status, {code: 2});
	t.is(span!.attributes['error.type'], 'EmbeddingError');
});

test('a cycle called by a program is inside the active span', async t => {
	const {identity} = await startTraced(t, 'gus');
	const outer = trace.getTracer('test');
	await outer.startActiveSpan('turn', async span => {
		await identity.cycle('The sea is quiet.');
		t.is(spansOf('gus')[0]!.parentSpanContext?.spanId, span.spanContext().spanId);
		span.end();
	});
});

test('an alarm is a span with its numbers, linked to the last text', async t => {
	const {identity} = await startTraced(t, 'hal');
	await identity.cycle('The sea is quiet.');
	const conversation = {texts: 1, ids: ['1'], from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z'};
	identity.actor.send({
		type: 'drift.alarm', voice: 'heard', span: 8, reading: 9.5, limit: 4.25, conversation, since: null,
		blame: [{source: 'Mallory', share: 1}], unreadShare: 0, moved: {alike: 1, sources: 2}, averageRunLength: 1000,
	});
	identity.actor.send({type: 'source.noticed', source: 'Mallory', share: 0.9, p: 0.001, driftP: 0.01});
	const [cycle, alarm, notice] = spansOf('hal');
	t.deepEqual([alarm, notice].map(span => [span!.name, span!.parentSpanContext, span!.links.map(({context}) => context.spanId)]), [
		['drift.alarm', undefined, [cycle!.spanContext().spanId]], ['source.noticed', undefined, [cycle!.spanContext().spanId]],
	]);
	t.like(alarm!.attributes, {
		'processual.alarm.voice': 'heard', 'processual.alarm.span': 8, 'processual.alarm.reading': 9.5, 'processual.alarm.limit': 4.25,
	});
	t.like(notice!.attributes, {'processual.alarm.p': 0.001, 'processual.alarm.drift_p': 0.01});
	t.notRegex(JSON.stringify([alarm!.attributes, notice!.attributes]), /Mallory/);
});

test('a request forwarded to another node carries the id of its span', t => {
	const request = new IncomingMessage(new Socket());
	request.method = 'GET';
	request.headers['traceparent'] = traceparent;
	const response = new ServerResponse(request);
	tracing.answer({request, response, route: '/state', identity: 'ida', isRead: true}, () => {});
	response.emit('close');
	const [span] = spansOf('ida');
	t.is(request.headers['traceparent'], `00-${agent.traceId}-${span!.spanContext().spanId}-01`);
});

test('a flush reaches the SDK', async t => {
	const before = flushed;
	await tracing.flush();
	t.is(flushed, before + 1);
});

test('two identities in one actor system have the spans of their own cycles only', async t => {
	const machine = () => createProcessMachine(processParts({encoder: new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}}));
	const application = createActor(setup({
		types: {children: {} as {first: 'first'; second: 'second'}}, actors: {first: machine(), second: machine()},
	}).createMachine({invoke: [{id: 'first', src: 'first'}, {id: 'second', src: 'second'}]})).start();
	const {first, second} = application.getSnapshot().children;
	const identities = [first, second].map(actor => identityOf(actor!, {warn() {}}));
	for (const [i, identity] of identities.entries()) {
		await identity.ready();
		tracing.observe(`of two ${i}`, identity);
	}

	await identities[0]!.cycle('The sea is quiet.');
	await until('of two 0', 1);
	t.deepEqual(begun.filter(name => String(name).startsWith('of two')), ['of two 0']);
	application.stop();
});
