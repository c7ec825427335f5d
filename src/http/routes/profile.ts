import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {Profile} from '../schemas.ts';
import * as wire from '../wire.ts';

export const profile = route({
	method: 'GET',
	path: '/profile',
	summary: 'The state on the projection directions',
	description: 'Projects the current state and the reference onto every loaded direction.',
	responses: {200: Profile, ...failing(503)},
	handle: (process) => wire.profile(process.profile()),
});
