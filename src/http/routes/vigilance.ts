import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {Vigilance} from '../schemas.ts';
import * as wire from '../wire.ts';

export const vigilance = route({
	method: 'GET',
	path: '/vigilance',
	summary: 'Drift from the reference',
	description: 'How far the current state has drifted from the reference, and in which dimensions most.',
	responses: {200: Vigilance, ...failing(503)},
	handle: (process) => wire.vigilance(process.vigilance()),
});
