/** The interface over HTTP: an application to mount or to listen with, and what can be added to it. */
export {createApp, type AppOptions} from '../http/app.ts';
export {eventStream, type EventStream} from '../http/event-stream.ts';
export {listen, type Listening} from '../http/server.ts';
export {createTelemetry, type Telemetry} from '../telemetry/telemetry.ts';
