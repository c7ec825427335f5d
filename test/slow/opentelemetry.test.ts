/** `processual serve` with OpenTelemetry’s SDK, as examples/monitoring registers it: the spans that a collector receives. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {json} from 'node:stream/consumers';
import {pathToFileURL} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {root} from '../helpers/built-package.ts';
import {startCluster} from '../helpers/cluster.ts';
import {startServer} from '../helpers/server-process.ts';
import {withValidation} from '../identity/validated.ts';
import {startTalk} from '../instruments/simulated-talk.ts';
import {temporaryFolder} from '../journal/records.ts';

type Span = {
	name: string; traceId: string; spanId: string; parentSpanId?: string; links?: {spanId: string}[];
	attributes: {key: string; value: Record<string, unknown>}[];
};

type Export = {resourceSpans: {resource: Pick<Span, 'attributes'>; scopeSpans: {scope: {name: string}; spans: Span[]}[]}[]};

const valueOf = ({attributes}: Pick<Span, 'attributes'>, name: string): unknown => {
	const {value = {}} = attributes.find(({key}) => key === name) ?? {};
	return Object.values(value)[0];
};

/** A collector for OTLP over HTTP, as JSON. */
const startCollector = async (t: ExecutionContext) => {
	const spans: (Span & {service: unknown})[] = [];
	const waiting = new Set<() => void>();
	const server = createServer((request, response) => {
		void (async () => {
			const {resourceSpans} = await json(request) as Export;
			spans.push(...resourceSpans.flatMap(({resource, scopeSpans}) => scopeSpans
				.filter(({scope}) => scope.name === 'processual-state')
				.flatMap(scoped => scoped.spans.map(span => ({...span, service: valueOf(resource, 'service.name')})))));
			response.writeHead(request.url === '/v1/traces' ? 200 : 404, {'content-type': 'application/json'}).end('{}');
			for (const check of waiting) {
				check();
			}
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	return {
		spans,
		settings: {
			OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_SERVICE_NAME: 'harbour',
			OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none',
		},
		until: async (matches: (span: Span) => boolean): Promise<Span> => new Promise(resolve => {
			const check = (): void => {
				const found = spans.find(matches);
				if (found) {
					waiting.delete(check);
					resolve(found);
				}
			};

			waiting.add(check);
			check();
		}),
	};
};

const preload = (file: string): Record<string, string> => ({NODE_OPTIONS: `--import=${pathToFileURL(path.join(root, file)).href}`});

const agent = {traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331'};
const headers = {'content-type': 'application/json', traceparent: `00-${agent.traceId}-${agent.spanId}-01`};

test('a collector receives cycles within the agent’s trace, questions, and an alarm', async t => {
	const folder = await temporaryFolder(t);
	const {passport, dispose} = await loadEncoder({model: bundledModel});
	await dispose();
	const journal = createSqliteJournal({folder: path.join(folder, 'journal')});
	await withValidation(journal, startTalk(mulberry32(3)).texts(400), passport);
	const collector = await startCollector(t);
	await using server = startServer(folder, {...preload('examples/monitoring/tracing.js'), ...collector.settings});
	const url = await server.ready();
	const say = async (content: string, conversation = 'evening') => fetch(`${url}/cycle`, {
		method: 'POST', headers, body: JSON.stringify({content, source: 'mallory', conversation}),
	});

	t.is((await say('The ship leaves at noon.')).status, 200);
	const cycle = await collector.until(({name}) => name === 'create_memory') as Span & {service: unknown};
	const request = await collector.until(({name}) => name === 'POST /cycle');
	t.deepEqual([cycle.traceId, cycle.parentSpanId, request.parentSpanId], [agent.traceId, request.spanId, agent.spanId]);
	t.deepEqual([cycle.service, valueOf(cycle, 'gen_ai.conversation.id')], ['harbour', 'evening']);

	t.is((await fetch(`${url}/drift`)).status, 200);
	t.is(valueOf(await collector.until(({name}) => name === 'GET /drift'), 'gen_ai.agent.id'), 'default');

	// All are by one source, in conversations of ordinary length, and none is like the baseline.
	for (let said = 1; said < 101; said++) {
		await say(`The ship number ${said} leaves the harbour at noon.`, `visit ${said % 20}`);
	}

	const alarm = await collector.until(({name}) => name === 'source.noticed');
	t.true(Number(valueOf(alarm, 'processual.alarm.p')) <= 0.05);
	t.deepEqual([alarm.parentSpanId, alarm.links?.length], [undefined, 1]);
	t.notRegex(JSON.stringify(collector.spans), /mallory|harbour at noon/);
});

test('if another node has the identity, its spans are children of the span of the node that forwarded the request', async t => {
	const collector = await startCollector(t);
	await using cluster = await startCluster({nodes: 2, settings: {...preload('examples/monitoring/tracing.js'), ...collector.settings}});
	await cluster.settle();
	const [owner, other] = cluster.nodes.map(({url}) => url) as [string, string];
	await (await fetch(`${owner}/state`)).text();
	t.is((await fetch(`${other}/cycle`, {method: 'POST', headers, body: JSON.stringify({content: 'The ship leaves at noon.'})})).status, 200);
	const cycle = await collector.until(({name}) => name === 'create_memory');
	const answered = await collector.until(({spanId}) => spanId === cycle.parentSpanId);
	const forwarded = await collector.until(({spanId}) => spanId === answered.parentSpanId);
	t.deepEqual([cycle, answered, forwarded].map(({name, traceId}) => [name, traceId]), [
		['create_memory', agent.traceId], ['POST /cycle', agent.traceId], ['POST /cycle', agent.traceId],
	]);
	t.is(forwarded.parentSpanId, agent.spanId);
});

test('a stop exports the spans that have ended', async t => {
	const collector = await startCollector(t);
	const settings = {...collector.settings, OTEL_BSP_SCHEDULE_DELAY: '3600000'};
	await using server = startServer(await temporaryFolder(t), {...preload('examples/monitoring/tracing.js'), ...settings});
	await (await fetch(`${await server.ready()}/state`)).text();
	t.deepEqual(collector.spans, []);
	t.is((await server.stop()).code, 0);
	t.deepEqual(collector.spans.map(({name}) => name), ['GET /state']);
});

test('without an SDK the service imports nothing of OpenTelemetry itself', async t => {
	await using server = startServer(await temporaryFolder(t), preload('test/helpers/print-imports.ts'));
	await (await fetch(`${await server.ready()}/state`)).text();
	const {errors} = await server.stop();
	const importers = errors.split('\n').filter(line => line.startsWith('@opentelemetry/'));
	// Prometheus's client imports it.
	t.deepEqual([...new Set(importers.filter(line => !line.includes('/prom-client/')))], []);
	t.true(importers.length > 0);
});
