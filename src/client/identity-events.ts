/** Converts the service's events and errors to those of a local identity. */
import type {IdentityEvent} from '../identity/events.ts';
import {dimensions} from '../kernel/dimensions.ts';
import {identityEventTypes} from '../wire/event-types.ts';
import {ProcessualError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {errorOf, fieldsOfStatus} from '../wire/errors.ts';
import {ClientError} from './client-error.ts';
import type {Failure, ServiceEvent} from './event-types.ts';

/** Events of the service that a local identity does not emit: its state shows the same. */
const ofStream: ReadonlySet<string> = new Set(['mode.changed', 'daemon.started', 'daemon.stopped', 'vigilance.level', 'state']);

/** The event types that the service and a local identity share. */
export const sharedEventTypes = identityEventTypes.filter(type => !ofStream.has(type));

type CycleDone = Extract<ServiceEvent, {type: 'cycle.done' | 'cycle.held'}>;

const toCycleDone = ({type, data}: CycleDone): IdentityEvent => {
	const {
		id, trigger, origin, scores, steps, tokens, characters, truncated, unknownShare, language, level, cumulativeDrift, timestamp, ...result
	} = data;
	const tokenReport = {
		...(tokens !== undefined && {tokens}),
		...(characters !== undefined && {characters}),
		...(truncated !== undefined && {isTruncated: truncated}),
		...(unknownShare !== undefined && {unknownShare}),
		...(language !== undefined && {language}),
	};
	return {
		type, id, trigger, origin, result, scores: dimensions.map(name => scores[name]), steps, tokenReport, timestamp, level, cumulativeDrift,
	};
};

/** Converts an event of the service to the identity's; null if its type is not shared. */
export const toIdentityEvent = (event: ServiceEvent): IdentityEvent | null => {
	switch (event.type) {
		case 'boot.step': return {type: event.type, report: event.data};
		case 'cycle.done':
		case 'cycle.held': return toCycleDone(event);
		case 'translation.done': {
			const {id, text, projections, reasoningDetected, faithfulness = null} = event.data;
			// The service does not keep the text of a translation that was finished during a break.
			return text === undefined || !projections || reasoningDetected === undefined
				? {type: 'stream.dropped', missed: 1}
				: {type: event.type, id, translation: {text, projections, reasoningDetected, faithfulness}};
		}

		case 'stream.dropped': return {type: event.type, missed: event.data.missed};
		default: {
			const {message, code, retryable, ...facts} = event.data as Partial<Failure>;
			const error = message !== undefined && errorOf({
				message, ...(code !== undefined && {code}), ...(retryable !== undefined && {retryable}),
			});
			const isShared = (sharedEventTypes as string[]).includes(event.type);
			return isShared ? {type: event.type, ...facts, ...(error && {error})} as IdentityEvent : null;
		}
	}
};

/** Converts what a call threw to an identity's error; if the signal aborted, to its reason. */
export const toIdentityError = (error: unknown, baseUrl: string, signal?: AbortSignal): unknown => {
	if (signal?.aborted) {
		return signal.reason;
	}

	if (error instanceof ClientError) {
		const {status, body: {code, retryable, id}, retryAfter} = error;
		// A missing identity would have a code.
		const message = status === 404 && code === undefined
			? `${baseUrl} is not the address of a Processual State service: 404, ${error.message}. Correct the address.`
			: status === 401 ? `The service at ${baseUrl} requires a token: give it as the option token.` : error.message;
		return errorOf({
			message, cause: error, retryAfter,
			...(code === undefined ? fieldsOfStatus(status) : {code, ...(retryable !== undefined && {retryable}), ...(id !== undefined && {id})}),
		});
	}

	return error instanceof ProcessualError
		? error
		: new UnavailableError(`${baseUrl} cannot be reached: ${reasonOf(causeOf(error))}.`
			+ (isUnsent(error) ? '' : ' It is not known whether the request was carried out.'), {cause: error, retryable: true});
};

/**
 * What proves that a request never reached a service: codes of Node and Bun, with those of a certificate that is not accepted, and the
 * kind of error in Deno's message.
 */
const unsent = new RegExp('^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT'
	+ '|\\w*CERT\\w*|UNABLE_TO_\\w+|ERR_SSL_WRONG_VERSION_NUMBER)$|client error \\(Connect\\)');

const isUnsent = (error: unknown): boolean => {
	const {code, message = ''} = (causeOf(error) ?? {}) as Partial<NodeJS.ErrnoException>;
	return unsent.test(code ?? message);
};

/** Whether a request that failed may have been carried out: the connection broke, or a proxy lost the service behind it. */
export const isAnswerLost = (error: unknown): error is UnavailableError => {
	const cause = error instanceof UnavailableError ? error.cause : undefined;
	return cause instanceof ClientError
		? cause.body.code === undefined && [502, 504].includes(cause.status)
		: cause instanceof Error && !isUnsent(cause);
};

/** `fetch failed` says nothing; its cause does. For a host with several addresses, that is an AggregateError without a message. */
const causeOf = (error: unknown): unknown => {
	const cause = (error instanceof Error && error.cause) || error;
	return cause instanceof AggregateError ? cause.errors[0] ?? cause : cause;
};
