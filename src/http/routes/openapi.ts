/** `GET /openapi.json`: the description of every endpoint. */
import {Type} from '../../platform/typebox.ts';
import {describeApi} from '../openapi.ts';
import {interfaceVersion} from '../schemas/service.ts';
import {route, type Operation, type Route} from './route.ts';
import {map, shape, text} from '../../wire/builders.ts';

export const OpenapiDocument = shape('OpenapiDocument', 'An OpenAPI 3.1 document.', {
	openapi: text('Version of OpenAPI.', '3.1.0'),
	info: map(
		'What the document is about.', Type.Unknown({description: 'Any value.', examples: ['0.7.0']}),
		{title: 'Processual State Service', version: interfaceVersion},
	),
	paths: map('Path → method → operation.', Type.Unknown({description: 'The operations of a path.', examples: [{}]}), {'/health': {}}),
});

export const openapi = (operations: readonly Operation[]): Route => {
	// Made when it is asked for.
	let document: ReturnType<typeof describeApi> | undefined;
	const own: Route = route({
		method: 'GET',
		path: '/openapi.json',
		summary: 'This document',
		description: 'The description of every endpoint, generated from the schemas that validate requests and responses.',
		responses: {200: OpenapiDocument},
		isCacheable: true,
		isForAll: true,
		handle: () => document ??= describeApi([...operations, own]),
	});
	return own;
};
