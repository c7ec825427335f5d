/**
 * Registers OpenTelemetry's SDK, so that the service sends spans: `node --import ./tracing.js`, or with the command
 * `NODE_OPTIONS='--import ./tracing.js' processual serve`. Beside it: `npm install @opentelemetry/api @opentelemetry/sdk-node`.
 * Its settings are the variables OTEL_*, which every SDK has.
 */
import {isMainThread} from 'node:worker_threads';
import {NodeSDK} from '@opentelemetry/sdk-node';

// Node imports this in each worker too, and those make no spans.
if (isMainThread) {
	new NodeSDK().start();
}
