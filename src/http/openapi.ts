/**
 * Turns operations into an OpenAPI 3.1 document. The same declarations handle the requests, so the document cannot be out of
 * date. Schemas with a title appear once, under `components`.
 */
import {Type, type TSchema} from '../platform/typebox.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import {groups, route, type Operation, type Route} from './routes/route.ts';
import {errorResponses} from './schemas/errors.ts';
import {interfaceVersion} from './schemas/service.ts';
import {map, shape, text} from '../wire/builders.ts';

const json = 'application/json';

const service = {url: '.', description: 'This service; if it has many identities, the one for requests that name none.'};

/** The second server, below which every operation on an identity exists too. The others name the first one. */
const ofIdentity = {
	url: './identities/{id}',
	description: 'An identity by its name.',
	variables: {id: {default: defaultIdentityName, description: 'The name.'}},
};

const isOfHost = (path: string): boolean => path.startsWith('/identities');

/** Below a name: no identity has it, or none can. */
const unknownName = errorResponses(404, 422);

/** Pages, documents and probes. Everything else needs the token if the operator has set one. */
const publicPaths: ReadonlySet<string> = new Set(['/', '/livez', '/readyz', '/openapi.json', '/docs', '/inspector']);

/** Responses of the middleware, before an operation runs: no token, no right to it, too many requests. */
const refusals = errorResponses(401, 403, 429);

const describeApi = (operations: readonly Operation[], pathsOfAll: ReadonlySet<string>) => {
	const hasNames = operations.some(({path}) => isOfHost(path));
	const isBelowName = (path: string): boolean => hasNames && !isOfHost(path) && !pathsOfAll.has(path);
	const schemas: Record<string, unknown> = {};
	const paths: Record<string, Record<string, unknown>> = {};

	const parameter = (name: string, place: string, schema: TSchema, more: object = {}) =>
		({name, in: place, ...more, description: descriptionOf(schema), schema: named(schema, schemas)});
	const content = (byType: Record<string, TSchema>) =>
		Object.fromEntries(Object.entries(byType).map(([type, schema]) => [type, {schema: named(schema, schemas)}]));
	const response = (byType: Record<string, TSchema>) => ({description: descriptionOf(Object.values(byType)[0]!), content: content(byType)});

	for (const {
		method, path: pattern, group = 'Service', summary, description, parameters, query, body, keyHeader, idHeader, replayedHeader,
		ignoredHeader, status = 200, responses: {200: success, ...errors}, texts,
	} of operations) {
		const path = pattern.replaceAll(/:(\w+)/g, '{$1}');
		paths[path] ??= hasNames && !isBelowName(path) ? {servers: [service]} : {};
		paths[path][method.toLowerCase()] = {
			operationId: operationId(method, path),
			summary,
			description,
			tags: [group],
			...(publicPaths.has(path) && {security: []}),
			...((query || parameters || keyHeader) && {
				parameters: [
					...Object.entries(parameters ?? {}).map(([name, schema]) => parameter(name, 'path', schema, {required: true})),
					...Object.entries(query?.properties ?? {}).map(([name, schema]) => parameter(name, 'query', schema)),
					...keyHeader ? [parameter(keyHeader.name, 'header', keyHeader.schema)] : [],
				],
			}),
			...(body && {
				requestBody: {
					description: descriptionOf(body),
					required: (body.required?.length ?? 0) > 0,
					content: content({[json]: body}),
				},
			}),
			responses: {
				[status]: status === 204 ? {description: descriptionOf(success!)} : {
					...response({...(success && {[json]: success}), ...texts}),
					...((idHeader || ignoredHeader) && {
						headers: {...header(idHeader, true), ...header(replayedHeader, false), ...header(ignoredHeader, false)},
					}),
				},
				...Object.fromEntries(Object.entries({
					...!publicPaths.has(path) && refusals, ...isBelowName(path) && path !== '/inspector' && unknownName, ...errors,
				}).map(([failure, schema]) => [failure, response({[json]: schema})])),
			},
		};
	}

	return {
		openapi: '3.1.0',
		info: {
			title: 'Processual State Service',
			version: interfaceVersion,
			description: 'Holds one state, a tensor of 8 dimensions, which texts move slowly. Needs no credentials unless the operator '
				+ 'sets a token.',
			license: {name: 'Apache-2.0', identifier: 'Apache-2.0'},
		},
		// Relative to this document, so that clients find a service under a path prefix.
		servers: [service, ...hasNames ? [ofIdentity] : []],
		tags: Object.entries(groups).map(([name, description]) => ({name, description})),
		security: [{}, {token: []}],
		paths,
		components: {
			schemas,
			securitySchemes: {token: {type: 'http', scheme: 'bearer', description: 'The operator\'s token. Not needed if none is set.'}},
		},
	};
};

const header = (declared: Operation['idHeader'], required: boolean) =>
	declared && {[declared.name]: {description: descriptionOf(declared.schema), required, schema: declared.schema}};

/** `POST /daemon/start` → `postDaemonStart`, `GET /` → `getRoot`. */
const operationId = (method: string, path: string): string =>
	method.toLowerCase() + (path === '/' ? '/root' : path).replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

const descriptionOf = (schema: TSchema): string => (schema as {description: string}).description;

/** Adds a schema with a title to `schemas`, and returns a reference to it. Copies any other, with such references inside. */
const named = (schema: unknown, schemas: Record<string, unknown>): unknown => {
	if (typeof schema !== 'object' || schema === null) {
		return schema;
	}

	if (Array.isArray(schema)) {
		return schema.map((part) => named(part, schemas));
	}

	const {title} = schema as {title?: string};
	const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, isData(key) ? part : named(part, schemas)]));
	if (typeof title !== 'string') {
		return parts;
	}

	schemas[title] = parts;
	return {$ref: `#/components/schemas/${title}`};
};

/** Keywords whose value is data, not a schema. */
const isData = (keyword: string): boolean => keyword === 'examples' || keyword === 'default';

export const OpenapiDocument = shape('OpenapiDocument', 'An OpenAPI 3.1 document.', {
	openapi: text('Version of OpenAPI.', '3.1.0'),
	info: map(
		'What the document is about.', Type.Unknown({description: 'Any value.', examples: ['0.7.0']}),
		{title: 'Processual State Service', version: interfaceVersion},
	),
	paths: map('Path → method → operation.', Type.Unknown({description: 'The operations of a path.', examples: [{}]}), {'/health': {}}),
});

/** @param pathsOfAll Paths that do not exist below the name of an identity. */
export const openapi = (operations: readonly Operation[], pathsOfAll: ReadonlySet<string>): Route => {
	// Created at the first request.
	let document: ReturnType<typeof describeApi> | undefined;
	const own: Route = route({
		method: 'GET',
		path: '/openapi.json',
		summary: 'This document',
		description: 'The description of every endpoint, generated from the schemas that validate requests and responses.',
		responses: {200: OpenapiDocument},
		isCacheable: true,
		isForAll: true,
		handle: () => document ??= describeApi([...operations, own], pathsOfAll),
	});
	return own;
};
