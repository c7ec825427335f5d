/** The rows of a client: all questions, and the routes of the service that it calls in the same way. */
import {questions} from '../src/http/questions.ts';
import {fleet, Identities, identities} from '../src/http/routes/identities.ts';
import {Fleet} from '../src/instruments/answers/fleet.ts';
import {OpenapiDocument} from '../src/http/openapi.ts';
import {Alive, livez, Ready, readyz} from '../src/http/routes/probes.ts';

const ofService = {method: 'GET', isOfService: true} as const;

export const askedRows = [
	...questions,
	{...ofService, name: 'identities', path: identities.path, ask: identities.query!, answer: Identities},
	{...ofService, name: 'fleet', path: fleet.path, ask: fleet.query!, answer: Fleet},
	{...ofService, name: 'livez', path: livez.path, answer: Alive},
	{...ofService, name: 'readyz', path: readyz.path, answer: Ready},
	{...ofService, name: 'openapi', path: '/openapi.json', answer: OpenapiDocument},
] as const;
