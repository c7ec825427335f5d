/** Event streams and metrics of the served identities, each created when it is first needed and closed with its identity. */
import {ConfigurationError, UnavailableError} from '../platform/errors.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {createInspection} from '../observe/inspection.ts';
import {createTelemetry} from '../observe/metrics/telemetry.ts';
import type {HttpOptions, HttpTelemetry, HttpIdentity} from './http-options.ts';
import type {Host} from '../host/host.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {createEventStream, type EventRoute} from './routes/events.ts';

export type Observation = {
	/** @throws {UnavailableError} when closed; {ConfigurationError} if the identity has no actor */
	streamOf(identity: HttpIdentity): EventRoute;
	/** The telemetry that counts an identity; null if nothing is counted. */
	telemetryOf(identity: HttpIdentity): HttpTelemetry | null;
	/** The telemetry for all identities together; null if each has a separate one, or nothing is counted. */
	telemetryOfHost: HttpTelemetry | null;
	/** Ends all streams and stops counting. */
	close(): void;
};

/** @throws {ConfigurationError} if the inspection or telemetry of one identity is given for many */
export const observe = (
	{inspector = false, metrics = true}: HttpOptions,
	{isOne, host}: {isOne: boolean; host: Pick<Host, 'maxLive' | 'isMember'> | null},
): Observation => {
	if (!isOne && typeof inspector === 'object') {
		throw new ConfigurationError('An inspection belongs to one identity. For many, set inspector to true or false, or to a function '
			+ 'that returns each one’s.');
	}

	if (!isOne && !host && typeof metrics === 'object') {
		throw new ConfigurationError('Telemetry belongs to one identity: with a resolver, set metrics to true or false.');
	}

	const all = {open: 0, identities: 0, maxIdentities: Math.max(1, Math.floor((host?.maxLive ?? Infinity) / 2))};
	const isCurrent = (): boolean => host?.isMember ?? true;
	const lentStream = typeof inspector === 'object' ? createEventStream(inspector) : null;
	const streams = perIdentity(identity => {
		if (typeof inspector === 'function') {
			return createEventStream(inspector(identity), {all, isCurrent});
		}

		const inspection = createInspection({actor: identity.actor, read: identity.records});
		const stream = createEventStream(inspection, {all, isCurrent});
		return {
			...stream,
			close() {
				stream.close();
				inspection.close();
			},
		};
	});
	const ofHost = host && metrics === true ? createTelemetry(() => null) : null;
	const telemetries = perIdentity(identity => {
		if (!ofHost) {
			return createTelemetry(identity);
		}

		ofHost.observe(identity);
		return {...ofHost, close() {}};
	});
	let isClosed = false;

	return {
		streamOf(identity) {
			if (isClosed) {
				throw new UnavailableError('The service is stopping.');
			}

			return lentStream ?? streams.of(requireActor(identity));
		},

		telemetryOf(identity) {
			if (typeof metrics === 'object') {
				return metrics;
			}

			return metrics && !isClosed && hasActor(identity) ? telemetries.of(identity) : null;
		},

		telemetryOfHost: typeof metrics === 'object' ? metrics : ofHost,

		close() {
			isClosed = true;
			lentStream?.close();
			ofHost?.close();
			streams.close();
			telemetries.close();
		},
	};
};

const hasActor = (identity: HttpIdentity): identity is LocalIdentity => identity.actor !== undefined;

const requireActor = (identity: HttpIdentity): LocalIdentity => {
	if (!hasActor(identity)) {
		throw new ConfigurationError('This identity has no actor that could be inspected: give the identity itself, not a client of it, '
			+ 'or set inspector to false.');
	}

	return identity;
};

/** Makes one part per identity, closes it when the identity has stopped, and lets it be collected with the identity. */
const perIdentity = <Part extends {close(): void}>(make: (identity: LocalIdentity) => Part) => {
	const open = new Set<Part>();
	return {
		of: memoizeWeak((identity: LocalIdentity): Part => {
			const part = make(identity);
			const close = (): void => {
				part.close();
				open.delete(part);
			};

			open.add(part);
			identity.actor.subscribe({complete: close, error: close});
			return part;
		}),

		close(): void {
			for (const part of open) {
				part.close();
			}

			open.clear();
		},
	};
};
