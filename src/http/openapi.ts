/**
 * Routes → OpenAPI 3.1 document. Walks the same declarations that handle the requests, so that
 * what is documented is what is done. Schemas with a title stand once, under `components`.
 */
import type {Static, TSchema} from 'typebox';
import type {Documented} from './routes/route.ts';
import {interfaceVersion, type OpenapiDocument} from './schemas.ts';

const json = 'application/json';

export const describe = (documented: readonly Documented[]): Static<typeof OpenapiDocument> => {
	const schemas: Record<string, unknown> = {};
	const paths: Record<string, Record<string, unknown>> = {};

	const content = (byType: Record<string, TSchema>) => Object.fromEntries(Object.entries(byType).map(([type, schema]) => [type, {schema: named(schema, schemas)}]));
	const answer = (byType: Record<string, TSchema>) => ({description: descriptionOf(Object.values(byType)[0]!), content: content(byType)});

	for (const {method, path, summary, description, query, body, responses: {200: success, ...failures}, texts} of documented) {
		paths[path] ??= {};
		paths[path][method.toLowerCase()] = {
			operationId: operationId(method, path),
			summary,
			description,
			...(query && {
				parameters: Object.entries(query).map(([name, schema]) => ({name, in: 'query', description: descriptionOf(schema), schema: named(schema, schemas)})),
			}),
			...(body && {
				requestBody: {
					description: descriptionOf(body),
					required: (body.required?.length ?? 0) > 0,
					content: content({[json]: body}),
				},
			}),
			responses: {
				200: answer({...(success && {[json]: success}), ...texts}),
				...Object.fromEntries(Object.entries(failures).map(([status, schema]) => [status, answer({[json]: schema})])),
			},
		};
	}

	return {
		openapi: '3.1.0',
		info: {
			title: 'Processual State Service',
			version: interfaceVersion,
			description: 'Holds one state, a tensor of 8 dimensions, that texts move slowly. Needs no credentials.',
			license: {name: 'Apache-2.0', identifier: 'Apache-2.0'},
		},
		// Where this document lies, so that a service behind a prefix is found there.
		servers: [{url: '.', description: 'This service.'}],
		paths,
		components: {schemas},
	} as Static<typeof OpenapiDocument>;
};

/** `POST /daemon/start` → `postDaemonStart`. */
const operationId = (method: string, path: string): string =>
	method.toLowerCase() + path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());

const descriptionOf = (schema: TSchema): string => (schema as {description: string}).description;

/** A reference to the schema if it has a title, after noting it; else the schema with its own parts so treated. */
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

/** Keywords whose value is data and no schema. */
const isData = (keyword: string): boolean => keyword === 'examples' || keyword === 'default';
