/**
 * Spans for OpenTelemetry: of each question that is asked over HTTP, of each cycle, of each alarm.
 *
 * A span begins where XState reports that a cycle's actor starts. That happens within the call that asked for the cycle,
 * so the API's active context is the caller's. Where no SDK is registered, nothing is loaded and nothing is observed.
 *
 * Names are those of OpenTelemetry's conventions for generative AI (https://github.com/open-telemetry/semantic-conventions-genai)
 * and for HTTP; what these do not have begins with `processual.`. No span has a text, or the name of who said it.
 */
import type {Attributes, Span, SpanContext, Tracer} from '@opentelemetry/api';
import type {InspectionEvent} from 'xstate';
import type {CycleOrder} from '../actors/cycle.ts';
import {isKnown} from '../actors/trigger.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Warn} from '../platform/errors.ts';
import {cutText} from '../platform/plain-line.ts';
import {snakeName} from '../wire/rename.ts';
import {alertTypes} from './identity-events.ts';
import type {RequestTracing} from './metrics/observed.ts';

/** What makes all spans. */
export type Tracing = RequestTracing & {
	/** Makes a span of each cycle and of each alarm of an identity from now on. */
	observe(name: string, identity: Pick<LocalIdentity, 'actor'>): void;
	/** Resolves when what has ended is exported, where the SDK can say so. */
	flush(): Promise<void>;
};

type Api = typeof import('@opentelemetry/api');

/** How much is kept of a conversation's name, which may be a stranger's. */
const maxNameLength = 200;

/** Where every copy of the API finds what a program has registered. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** What makes spans, if an SDK is registered by now; else null, and the API is not imported. */
export const openTracing = async (warn: Warn): Promise<Tracing | null> => {
	const {trace} = (globalThis as {[registry]?: {trace?: object}})[registry] ?? {};
	if (!trace) {
		return null;
	}

	try {
		return createTracing(await import('@opentelemetry/api'));
	} catch (error) {
		warn('An SDK of OpenTelemetry is registered, but no spans are made: install @opentelemetry/api beside processual-state.', error);
		return null;
	}
};

const ofIdentity = (name: string | null): Attributes => name === null ? {} : {'gen_ai.agent.id': name, 'gen_ai.memory.store.id': name};

/** The order of a cycle whose actor starts. */
const startedCycle = (event: InspectionEvent): CycleOrder | null => {
	if (event.type !== '@xstate.event' || event.event.type !== 'xstate.init') {
		return null;
	}

	const {order} = (event.event as {input?: {order?: {kind: string}}}).input ?? {};
	return order?.kind === 'cycle' ? order as CycleOrder : null;
};

/** Its numbers and words of ours: what else an alarm has are names of strangers. */
const ofAlarm = (alarm: object): Attributes => Object.fromEntries(Object.entries(alarm)
	.filter(([key, value]) => typeof value === 'number' || key === 'voice')
	.map(([key, value]) => [`processual.alarm.${snakeName(key)}`, value as number | string]));

/** Makes spans with what the API has registered. */
const createTracing = (api: Api): Tracing => {
	const tracer = api.trace.getTracer('processual-state');
	return {
		answer: traceRequests(api, tracer),
		observe: traceIdentities(api, tracer),
		async flush() {
			type Provider = {getDelegate?(): Provider; forceFlush?(): Promise<void>};
			const provider = api.trace.getTracerProvider() as Provider;
			await (provider.getDelegate?.() ?? provider).forceFlush?.();
		},
	};
};

const fail = (span: Span, type: string, {SpanStatusCode}: Api): void => {
	span.setAttribute('error.type', type);
	span.setStatus({code: SpanStatusCode.ERROR});
};

const traceRequests = (api: Api, tracer: Tracer): RequestTracing['answer'] => ({request, response, route, identity, isRead}, perform) => {
	const {context, propagation, trace, SpanKind} = api;
	// An instrumentation of HTTP has taken the caller's context already.
	const isInstrumented = trace.getSpan(context.active()) !== undefined;
	const caller = isInstrumented ? context.active() : propagation.extract(context.active(), request.headers);
	const span = tracer.startSpan(`${request.method} ${route}`, {
		kind: isInstrumented ? SpanKind.INTERNAL : SpanKind.SERVER,
		attributes: {
			'http.request.method': request.method, 'http.route': route, ...ofIdentity(identity),
			...(isRead && {'gen_ai.operation.name': 'search_memory'}),
		},
	}, caller);
	const inside = trace.setSpan(caller, span);
	// Where another node has the identity, its spans belong inside this one.
	propagation.inject(inside, request.headers);
	response.once('close', () => {
		span.setAttribute('http.response.status_code', response.statusCode);
		if (response.statusCode >= 500) {
			fail(span, String(response.statusCode), api);
		}

		span.end();
	});
	return context.with(inside, perform);
};

const startCycle = (tracer: Tracer, name: string, {id, trigger, origin, metadata: {conversation}}: CycleOrder): Span =>
	tracer.startSpan('create_memory', {attributes: {
		'gen_ai.operation.name': 'create_memory', ...ofIdentity(name), 'gen_ai.memory.record.id': id,
		...(typeof conversation === 'string' && {'gen_ai.conversation.id': cutText(conversation, maxNameLength)}),
		'processual.cycle.trigger': isKnown(trigger) ? trigger : 'other', 'processual.cycle.origin': origin,
	}});

const traceIdentities = (api: Api, tracer: Tracer): Tracing['observe'] => (name, {actor}) => {
	const underWay = new Map<string, Span>();
	let latest: SpanContext | null = null;
	const end = (id: string, complete: (span: Span) => void): void => {
		const span = underWay.get(id);
		if (span) {
			underWay.delete(id);
			complete(span);
			span.end();
		}
	};

	actor.system.inspect((event: InspectionEvent) => {
		const order = startedCycle(event);
		if (order) {
			underWay.set(order.id, startCycle(tracer, name, order));
		}
	});
	for (const type of ['cycle.done', 'cycle.held'] as const) {
		actor.on(type, ({id, result, steps}) => end(id, span => {
			latest = span.spanContext();
			span.setAttributes({
				'processual.cycle.state_id': result.stateId, 'processual.cycle.dissonance': result.dissonanceTotal,
				'processual.cycle.is_choc': result.isChoc, 'processual.cycle.is_held': type === 'cycle.held',
				...Object.fromEntries(Object.entries(steps).map(([step, ms]) => [`processual.cycle.${step}_ms`, ms])),
			});
		}));
	}

	actor.on('cycle.failed', ({id, error}) => end(id, span => fail(span, error instanceof Error ? error.name : '_OTHER', api)));
	actor.on('cycle.cancelled', ({id}) => end(id, span => span.setAttribute('processual.cycle.is_cancelled', true)));
	for (const type of alertTypes) {
		// A conversation ends some time after its last text, whose trace is over by then: a link leads there.
		actor.on(type, alarm => tracer.startSpan(type, {
			root: true, links: latest ? [{context: latest}] : [],
			attributes: {...ofIdentity(name), ...ofAlarm(alarm)},
		}).end());
	}
};
