/** Events of the service → events of an identity: camelCase, and the classes of errors. */
import type {WatchNotice} from '../instruments/watch-notices.ts';
import type {IdentityEvent} from '../identity/events.ts';
import {dimensions} from '../kernel/dimensions.ts';
import type {Failure, ServiceEvent} from './event-types.ts';
import {errorOf} from '../wire/errors.ts';

/** The types of the service's events that an identity has too. */
export const identityEventTypes = [
	'boot.step', 'ready', 'failed', 'stopped', 'cycle.done', 'cycle.failed', 'cycle.cancelled', 'reset.done', 'reset.failed', 'identity.validated', 'validation.failed',
	'journal.failed', 'journal.recovered', 'moved', 'translation.done', 'translation.failed', 'drift.alarm', 'echo.noticed', 'source.noticed',
] as const satisfies ReadonlyArray<IdentityEvent['type']>;

/** An event of the service as the identity's; null for one of another type. */
export const toIdentityEvent = (event: ServiceEvent): IdentityEvent | null => {
	switch (event.type) {
		case 'boot.step': {
			return {type: event.type, report: event.data};
		}

		case 'ready': {
			return {type: event.type, report: event.data.report};
		}

		case 'cycle.done': {
			const {id, trigger, origin, scores, steps, tokens, truncated, unknownShare, language, level: _, cumulativeDrift: __, timestamp: ___, ...result} = event.data;
			const tokenReport = {...(tokens !== undefined && {tokens}), ...(truncated !== undefined && {isTruncated: truncated}), ...(unknownShare !== undefined && {unknownShare}), ...(language !== undefined && {language})};
			return {type: event.type, id, trigger, origin, result, scores: dimensions.map(name => scores[name]), steps, tokenReport};
		}

		case 'drift.alarm':
		case 'echo.noticed':
		case 'source.noticed': {
			return {type: event.type, ...event.data} as WatchNotice;
		}

		case 'identity.validated': {
			return {type: event.type, ...event.data};
		}

		case 'reset.done': {
			return {type: event.type, ...event.data};
		}

		case 'cycle.failed': {
			const {id, trigger, origin, steps} = event.data;
			return {type: event.type, id, trigger, origin, error: errorIn(event.data), ...(steps && {steps})};
		}

		case 'reset.failed':
		case 'validation.failed':
		case 'translation.failed': {
			return {type: event.type, id: event.data.id, error: errorIn(event.data)};
		}

		case 'failed':
		case 'journal.failed': {
			return {type: event.type, error: errorIn(event.data)};
		}

		case 'translation.done': {
			const {id, text, projections, reasoningDetected, faithfulness = null} = event.data;
			// The text of a translation that was done during a break is not kept.
			return text === undefined || !projections || reasoningDetected === undefined
				? {type: 'stream.dropped', missed: 1}
				: {type: event.type, id, translation: {text, projections, reasoningDetected, faithfulness}};
		}

		case 'cycle.cancelled': {
			return {type: event.type, id: event.data.id};
		}

		case 'stopped':
		case 'moved':
		case 'journal.recovered': {
			return {type: event.type};
		}

		case 'stream.dropped': {
			return {type: event.type, missed: event.data.missed};
		}

		default: {
			return null;
		}
	}
};

const errorIn = ({message, code, retryable}: Failure): Error => errorOf({message, ...(code !== undefined && {code}), ...(retryable !== undefined && {retryable})});
