import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {CycleAnswer, CycleRequest} from '../schemas.ts';
import * as wire from '../wire.ts';

export const cycle = route({
	method: 'POST',
	path: '/cycle',
	summary: 'Run one full cycle',
	description: 'Embeds the text, takes its dissonance against the current state, and moves the state by a fixation delta. The trigger is counted when the request is accepted, even if the cycle fails later.',
	body: CycleRequest,
	responses: {200: CycleAnswer, ...failing(413, 415, 422, 429, 500, 503)},
	handle: async (process, {content, trigger_type: trigger, metadata}) => wire.cycleResult(await process.cycle({content, trigger, metadata})),
});
