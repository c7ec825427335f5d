/** What a client asks by GET as it asks a question, though it is none: it is asked of no identity, or answered by an error. */
import {questions} from '../src/http/questions.ts';
import {fleet, Identities, identities} from '../src/http/routes/identities.ts';
import {Fleet} from '../src/instruments/answers/fleet.ts';
import {OpenapiDocument} from '../src/http/openapi.ts';
import {Alive, livez, Ready, readyz} from '../src/http/routes/probes.ts';

const ofService = {method: 'GET', isOfService: true} as const;

/** Every row of a client. */
export const askedRows = [
	...questions,
	{...ofService, name: 'identities', path: identities.path, ask: identities.query!, answer: Identities},
	{...ofService, name: 'fleet', path: fleet.path, ask: fleet.query!, answer: Fleet},
	{...ofService, name: 'livez', path: livez.path, answer: Alive},
	{...ofService, name: 'readyz', path: readyz.path, answer: Ready},
	{...ofService, name: 'openapi', path: '/openapi.json', answer: OpenapiDocument},
] as const;
