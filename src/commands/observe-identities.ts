/** A service's telemetry about its identities: metrics, spans, log lines, alerts, and frames for inspectors. */
import type {Logger} from 'pino';
import type {Fleet, FleetRequest} from '../generated/types.ts';
import type {Host} from '../host/host.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {TelemetryOptions} from '../observe/metrics/telemetry.ts';
import {openTracing} from '../observe/tracing.ts';
import {unrefTimers} from '../platform/clock.ts';
import {UnavailableError} from '../platform/errors.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {waitAtMost} from '../platform/waiting.ts';
import {logIdentity, warnIn} from './logging.ts';
import {lastAlertsMs, sendAlerts, type Webhook} from './webhook.ts';

type Observing = TelemetryOptions & {
	logger: Logger;
	webhook: Webhook | null;
	/** The identity that the metrics are about; null if they are about a node. */
	main: () => LocalIdentity | null;
};

/** Asks a host for the rows of its identities. @throws {UnavailableError} while there is no host yet */
export const askRows = async (host: Pick<Host, 'fleet'> | null | undefined, request: FleetRequest): Promise<Fleet> => {
	if (!host?.fleet) {
		throw new UnavailableError('The service is still starting.', {retryable: true});
	}

	return host.fleet(request);
};

export const createObservers = async ({logger, webhook, main, ...options}: Observing) => {
	const [{createTelemetry}, {createInspection}, tracing] = await Promise.all([
		import('../observe/metrics/telemetry.ts'),
		import('../observe/inspection.ts'),
		openTracing(warnIn(logger)),
	]);
	const telemetry = createTelemetry(main, {defaultMetrics: true, ...options});
	const inspectionOf = memoizeWeak(({actor, records: read}: LocalIdentity) => createInspection({actor, read}));
	return {
		/** Options for the service's HTTP interface. */
		ofHttp: {logger, metrics: telemetry, inspector: inspectionOf, ...(tracing && {tracing})},
		onCommit: (milliseconds: number, records: number) => telemetry.observeCommit(milliseconds / 1000, records),
		observe(name: string, identity: LocalIdentity, log: Logger) {
			telemetry.observe(identity);
			tracing?.observe(name, identity);
			logIdentity(identity, log);
			if (webhook) {
				sendAlerts(name, identity, webhook);
			}
		},
		/** Sends the frames of an identity to the inspector at an address. @returns a function that disconnects */
		async follow(address: string, identity: LocalIdentity): Promise<() => void> {
			const {connectInspector} = await import('../observe/connect-inspector.ts');
			return connectInspector(address, inspectionOf(identity), {
				onChange(isConnected) {
					// Only the host, because the rest of the address may contain credentials.
					logger.info({inspector: new URL(address).host}, isConnected ? 'inspector connected' : 'inspector not connected');
				},
			});
		},
		async close() {
			webhook?.close();
			telemetry.close();
			await (tracing && waitAtMost(tracing.flush(), lastAlertsMs, unrefTimers));
		},
	};
};

export type Observers = Awaited<ReturnType<typeof createObservers>>;
