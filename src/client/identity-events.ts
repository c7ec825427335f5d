/** Events of the service → events of an identity, with the classes of errors. */
import type {IdentityEvent} from '../identity/events.ts';
import {dimensions} from '../kernel/dimensions.ts';
import {identityEventTypes} from '../wire/event-types.ts';
import {errorOf} from '../wire/errors.ts';
import type {Failure, ServiceEvent} from './event-types.ts';

/** What an identity says by its state alone. */
const ofStream: ReadonlySet<string> = new Set(['mode.changed', 'daemon.started', 'daemon.stopped', 'vigilance.level', 'state']);

/** The types of the service's events that an identity has too. */
export const sharedEventTypes = identityEventTypes.filter(type => !ofStream.has(type));

type CycleDone = Extract<ServiceEvent, {type: 'cycle.done'}>;

const toCycleDone = ({type, data}: CycleDone): IdentityEvent => {
	const {
		id, trigger, origin, scores, steps, tokens, truncated, unknownShare, language,
		level: _, cumulativeDrift: __, timestamp: ___, ...result
	} = data;
	const tokenReport = {
		...(tokens !== undefined && {tokens}),
		...(truncated !== undefined && {isTruncated: truncated}),
		...(unknownShare !== undefined && {unknownShare}),
		...(language !== undefined && {language}),
	};
	return {type, id, trigger, origin, result, scores: dimensions.map(name => scores[name]), steps, tokenReport};
};

/** An event of the service as the identity's; null for one of another type. */
export const toIdentityEvent = (event: ServiceEvent): IdentityEvent | null => {
	switch (event.type) {
		case 'boot.step': {
			return {type: event.type, report: event.data};
		}

		case 'cycle.done': {
			return toCycleDone(event);
		}

		case 'translation.done': {
			const {id, text, projections, reasoningDetected, faithfulness = null} = event.data;
			// The text of a translation that was done during a break is not kept.
			return text === undefined || !projections || reasoningDetected === undefined
				? {type: 'stream.dropped', missed: 1}
				: {type: event.type, id, translation: {text, projections, reasoningDetected, faithfulness}};
		}

		case 'stream.dropped': {
			return {type: event.type, missed: event.data.missed};
		}

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
