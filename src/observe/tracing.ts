/**
 * Spans for OpenTelemetry: one for each request to an identity over HTTP, each cycle and each alarm.
 *
 * The span of a cycle begins when XState reports the start of its actor. That happens within the call that requested the
 * cycle, so the API's active context is the caller's. If no SDK is registered, nothing is loaded or observed.
 *
 * Names follow OpenTelemetry's conventions for generative AI (https://github.com/open-telemetry/semantic-conventions-genai)
 * and for HTTP; others begin with `processual.`. No span contains a text or the name of its source.
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

/** Makes all spans. */
export type Tracing = RequestTracing & {
	/** Makes a span for each cycle and each alarm of an identity from now on. */
	observe(name: string, identity: Pick<LocalIdentity, 'actor'>): void;
	/** Resolves when ended spans are exported, if the SDK can report that. */
	flush(): Promise<void>;
};

type Api = typeof import('@opentelemetry/api');

/** Most characters of a conversation's name, which a stranger may have made up. */
const maxNameLength = 200;

/** The global symbol under which every copy of the API finds the registered SDK. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Opens tracing if an SDK is registered by now; otherwise returns null without importing the API. */
export const openTracing = async (warn: Warn): Promise<Tracing | null> => {
	const {trace} = (globalThis as {[registry]?: {trace?: object}})[registry] ?? {};
	if (!trace) {
		return null;
	}

	try {
		return createTracing(await import('@opentelemetry/api'));
	} catch (error) {
		warn('An SDK of OpenTelemetry is registered, but no spans are made: install @opentelemetry/api next to processual-state.', error);
		return null;
	}
};

const ofIdentity = (name: string | null): Attributes => name === null ? {} : {'gen_ai.agent.id': name, 'gen_ai.memory.store.id': name};

/** The order of a cycle of this process whose actor starts with this event; null for any other event. */
const startedCycle = (event: InspectionEvent, actor: LocalIdentity['actor']): CycleOrder | null => {
	if (event.type !== '@xstate.event' || event.event.type !== 'xstate.init' || event.sourceRef !== actor) {
		return null;
	}

	const {order} = (event.event as {input?: {order?: {kind: string}}}).input ?? {};
	return order?.kind === 'cycle' ? order as CycleOrder : null;
};

/** The attributes of an alarm: its numbers and its voice. Its other fields are names of strangers. */
const ofAlarm = (alarm: object): Attributes => Object.fromEntries(Object.entries(alarm)
	.filter(([key, value]) => typeof value === 'number' || key === 'voice')
	.map(([key, value]) => [`processual.alarm.${snakeName(key)}`, value as number | string]));

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
	// An HTTP instrumentation, if there is one, has already extracted the caller's context.
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
	// If another node has the identity, its spans belong inside this one.
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
		const order = startedCycle(event, actor);
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
		// A conversation ends some time after its last text, whose trace is over by then; so the alarm only links to it.
		actor.on(type, alarm => tracer.startSpan(type, {
			root: true, links: latest ? [{context: latest}] : [],
			attributes: {...ofIdentity(name), ...ofAlarm(alarm)},
		}).end());
	}
};
