import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {ResetAnswer} from '../schemas.ts';
import * as wire from '../wire.ts';

export const reset = route({
	method: 'POST',
	path: '/reset',
	summary: 'Restore the initial state',
	description: 'Restores a copy of the initial state and clears drift, metrics and counters; the mode becomes idle. A running loop goes on, and the last trigger stays.',
	responses: {200: ResetAnswer, ...failing(500, 503)},
	handle: async (process) => wire.reset(await process.reset()),
});
