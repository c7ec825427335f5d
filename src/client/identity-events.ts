/** What a service says → what an identity in this program would say: its events, and its errors by class. */
import type {IdentityEvent} from '../identity/events.ts';
import {dimensions} from '../kernel/dimensions.ts';
import {identityEventTypes} from '../wire/event-types.ts';
import {ProcessualError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {errorOf, fieldsOfStatus} from '../wire/errors.ts';
import {ClientError} from './client-error.ts';
import type {Failure, ServiceEvent} from './event-types.ts';

/** What an identity says by its state alone. */
const ofStream: ReadonlySet<string> = new Set(['mode.changed', 'daemon.started', 'daemon.stopped', 'vigilance.level', 'state']);

/** The types of the service's events that an identity has too. */
export const sharedEventTypes = identityEventTypes.filter(type => !ofStream.has(type));

type CycleDone = Extract<ServiceEvent, {type: 'cycle.done' | 'cycle.held'}>;

const toCycleDone = ({type, data}: CycleDone): IdentityEvent => {
	const {
		id, trigger, origin, scores, steps, tokens, characters, truncated, unknownShare, language,
		level: _, cumulativeDrift: __, timestamp: ___, ...result
	} = data;
	const tokenReport = {
		...(tokens !== undefined && {tokens}),
		...(characters !== undefined && {characters}),
		...(truncated !== undefined && {isTruncated: truncated}),
		...(unknownShare !== undefined && {unknownShare}),
		...(language !== undefined && {language}),
	};
	return {type, id, trigger, origin, result, scores: dimensions.map(name => scores[name]), steps, tokenReport};
};

/** An event of the service as the identity's; null for one of another type. */
export const toIdentityEvent = (event: ServiceEvent): IdentityEvent | null => {
	switch (event.type) {
		case 'boot.step': return {type: event.type, report: event.data};
		case 'cycle.done':
		case 'cycle.held': return toCycleDone(event);
		case 'translation.done': {
			const {id, text, projections, reasoningDetected, faithfulness = null} = event.data;
			// The text of a translation that was done during a break is not kept.
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

/** What a call threw, as an identity's error. A signal's reason stays as it is. */
export const toIdentityError = (error: unknown, baseUrl: string, signal?: AbortSignal): unknown => {
	if (signal?.aborted) {
		return signal.reason;
	}

	if (error instanceof ClientError) {
		const {status, body: {code, retryable, id}, retryAfter} = error;
		// An identity that is not there has a code.
		const message = status === 404 && code === undefined
			? `${baseUrl} is not the address of a service that answers this: 404, ${error.message}. Correct it.`
			: status === 401 ? `The service at ${baseUrl} wants its token: give it as the option token.` : error.message;
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

/** What says that a request never came to a service. */
const unsent: ReadonlySet<unknown> = new Set([
	'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT',
]);

const isUnsent = (error: unknown): boolean =>
	error instanceof Error && unsent.has((error.cause as NodeJS.ErrnoException | undefined)?.code);

/** Whether a request that failed may have been carried out: the connection broke, or a proxy lost the service behind it. */
export const isAnswerLost = (error: unknown): error is UnavailableError => {
	const cause = error instanceof UnavailableError ? error.cause : undefined;
	return cause instanceof ClientError
		? cause.body.code === undefined && [502, 504].includes(cause.status)
		: cause instanceof Error && !isUnsent(cause);
};

/** `fetch failed` says nothing; its cause does. Where a name has several addresses, that is one for each, and has no words itself. */
const causeOf = (error: unknown): unknown => {
	const cause = (error instanceof Error && error.cause) || error;
	return cause instanceof AggregateError ? cause.errors[0] ?? cause : cause;
};
