import {route} from './route.ts';
import {Health} from '../schemas.ts';
import * as wire from '../wire.ts';

export const health = route({
	method: 'GET',
	path: '/health',
	summary: 'Is the service alive?',
	description: 'Answers whenever the service runs, with a state or without.',
	responses: {200: Health},
	handle: (process) => wire.health(process.health()),
});
