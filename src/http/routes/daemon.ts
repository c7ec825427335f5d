import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {DaemonStartAnswer, DaemonStatus, DaemonStopAnswer} from '../schemas.ts';
import * as wire from '../wire.ts';

export const daemonStatus = route({
	method: 'GET',
	path: '/daemon/status',
	summary: 'Mode, counters and last trigger',
	description: 'Whether the process is idle, in conversation or autonomous, and what it has been set off by.',
	responses: {200: DaemonStatus, ...failing(503)},
	handle: (process) => wire.daemonStatus(process.daemon.status()),
});

export const daemonStart = route({
	method: 'POST',
	path: '/daemon/start',
	summary: 'Start the autonomous loop',
	description: 'Starts the loop unless it runs already; a second one never starts.',
	responses: {200: DaemonStartAnswer, ...failing(503)},
	handle: (process) => wire.daemonStart(process.daemon.start()),
});

export const daemonStop = route({
	method: 'POST',
	path: '/daemon/stop',
	summary: 'Stop the autonomous loop',
	description: 'Stops the loop and cancels the cycle it is in; the mode becomes idle.',
	responses: {200: DaemonStopAnswer, ...failing(503)},
	handle: (process) => wire.daemonStop(process.daemon.stop()),
});
