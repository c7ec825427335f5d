import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {TranslateAnswer, TranslateRequest} from '../schemas.ts';
import * as wire from '../wire.ts';

export const translate = route({
	method: 'POST',
	path: '/translate',
	summary: 'Put the current state into words',
	description: 'Asks the language model for a text that speaks from the current state. Disconnecting cancels the request. A few run at once; more are refused with 429.',
	body: TranslateRequest,
	responses: {200: TranslateAnswer, ...failing(413, 415, 422, 429, 500, 503)},
	handle: async (process, {context}, gone) => wire.translation(await process.translate({context}, gone())),
});
