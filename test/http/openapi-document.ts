/**
 * The OpenAPI document, read as its clients do: operations with their schemas, references resolved.
 */
import {routesFor} from '../../src/http/routes.ts';
import {fakeIdentity} from './fake-identity.ts';

type Schema = {
	$ref?: string;
	description?: string;
	examples?: unknown[];
	'x-unit'?: string;
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: Schema;
	items?: Schema;
	anyOf?: Schema[];
};

/** A page or a stream has no JSON content. */
type Content = {content: {'application/json'?: {schema: Schema}}};

type Operation = {
	operationId: string;
	summary: string;
	description: string;
	requestBody?: Content & {required: boolean};
	responses: Record<string, Content>;
};

export type Document = {
	[key: string]: unknown;
	info: {version: string};
	paths: Record<string, Record<string, Operation>>;
	components: {schemas: Record<string, Schema>};
};

/** The document of a service with an inspector. */
export const document = routesFor({isInspected: true})
	.find(({path}) => path === '/openapi.json')!
	.handle(fakeIdentity(), {}) as unknown as Document;

/** Every operation, in the document's order. */
export const operations = ({paths, components}: Document) => {
	const byRef = new Map<string, Schema>();
	const resolved = (schema: Schema): Schema => JSON.parse(JSON.stringify(schema), (_key, value: Schema) => {
		const ref = value?.$ref;
		if (ref && !byRef.has(ref)) {
			byRef.set(ref, resolved(components.schemas[ref.replace('#/components/schemas/', '')]!));
		}

		return ref ? byRef.get(ref) : value;
	}) as Schema;

	const schemaOf = ({content}: Content): Schema => resolved(content['application/json']!.schema);

	return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({
		method: method.toUpperCase(),
		path,
		operation,
		request: operation.requestBody && schemaOf(operation.requestBody),
		responses: Object.fromEntries(Object.entries(operation.responses)
			.filter(([, {content}]) => content['application/json'])
			.map(([status, response]) => [status, schemaOf(response)])),
	})));
};

/** The schema and all schemas in it, each with its place. */
export function * schemasIn(schema: Schema, place = 'schema'): Generator<{place: string; schema: Schema}> {
	yield {place, schema};
	for (const [name, field] of Object.entries(schema.properties ?? {})) {
		yield * schemasIn(field, `${place}.${name}`);
	}

	for (const [index, option] of (schema.anyOf ?? []).entries()) {
		yield * schemasIn(option, `${place}|${index}`);
	}

	if (schema.additionalProperties) {
		yield * schemasIn(schema.additionalProperties, `${place}.*`);
	}

	if (schema.items) {
		yield * schemasIn(schema.items, `${place}[]`);
	}
}
