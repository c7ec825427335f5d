import {describe} from '../openapi.ts';
import {route, type Documented, type Route} from './route.ts';
import {OpenapiDocument} from '../schemas.ts';

/** The route that documents what is given, and itself. */
export const openapi = (documented: readonly Documented[]): Route => {
	const own = route({
		method: 'GET',
		path: '/openapi.json',
		summary: 'This document',
		description: 'The description of every endpoint, generated from the schemas that requests and answers are checked against.',
		responses: {200: OpenapiDocument},
		handle: () => document,
	});
	const document = describe([...documented, own]);
	return own;
};
