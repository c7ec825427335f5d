/**
 * Registers OpenTelemetry's SDK, so that the service sends spans: `node --import ./tracing.js`, or with the command
 * `NODE_OPTIONS='--import ./tracing.js' processual serve`. Beside it: `npm install @opentelemetry/api @opentelemetry/sdk-node`.
 * The SDK reads its settings from the usual variables OTEL_*.
 */
import {isMainThread} from 'node:worker_threads';
import {NodeSDK} from '@opentelemetry/sdk-node';

// Node imports this in each worker too, and workers create no spans.
if (isMainThread) {
	new NodeSDK().start();
}
