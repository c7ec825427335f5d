import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {State} from '../schemas.ts';
import * as wire from '../wire.ts';

export const state = route({
	method: 'GET',
	path: '/state',
	summary: 'The current state',
	description: 'Its number, its time, and the first 10 floats of each of its 8 dimensions.',
	responses: {200: State, ...failing(503)},
	handle: (process) => wire.state(process.state()),
});
