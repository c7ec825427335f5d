/**
 * A fake Weaviate server with the contents that a test gives it. It answers REST's objects and GraphQL's Get as the real one
 * does, refusals included, as far as stores use them.
 */
import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import {json as bodyOf} from 'node:stream/consumers';
import type {StoredDirection, StoredState, StoredThought} from '../../../src/sources/store/store.ts';
import type {Holdings} from './conformance.ts';
import {pattern} from '../../helpers/pattern.ts';

export type ServerOptions = {
	rest?: boolean;
	graphQl?: boolean;
	/** The names of the vectors; null if they have none. With several, a search must say which. */
	names?: readonly string[] | null;
	/** The valid key; with null a request with a key is rejected. */
	key?: string | null;
};

type Properties = Record<string, string | number | null>;

type Stored = {properties: Properties; vector: number[]; creationTime: number};

type Classes = Record<string, {fields: string[]; objects: Stored[]}>;

const vectorOf = (item: StoredState | StoredThought | StoredDirection): number[] => 'vector' in item ? [...item.vector] : [];

const classOf = <Item extends StoredState | StoredThought | StoredDirection>(
	fields: string[],
	items: readonly Item[] = [],
	propertiesOf: (item: Item) => Properties,
) => ({
	fields,
	objects: items.map((item, creationTime) => ({properties: propertiesOf(item), vector: vectorOf(item), creationTime})),
});

const classesOf = ({states, thoughts, directions}: Holdings): Classes => ({
	StateVector: classOf(['state_id', 'timestamp'], states, ({stateId, timestamp}) => ({state_id: stateId, timestamp})),
	Thought: classOf(['thought_type', 'content'], thoughts, ({type, content}) => ({thought_type: type, content})),
	ProjectionDirection: classOf([
		'category', 'name', 'pole_positive', 'pole_negative',
	], directions, ({category, name, polePositive, poleNegative}) =>
		({category, name, pole_positive: polePositive, pole_negative: poleNegative})),
});

const sorted = (objects: Stored[], by: string, order: string): Stored[] => {
	const valueOf = ({properties, creationTime}: Stored) => Number(by === '_creationTimeUnix' ? creationTime : properties[by]);
	return objects.toSorted((a, b) => (valueOf(a) - valueOf(b)) * (order === 'desc' ? -1 : 1));
};

const cosine = (a: number[], b: number[]): number =>
	a.reduce((sum, value, i) => sum + value * b[i]!, 0) / (Math.hypot(...a) * Math.hypot(...b) || 1);

const reply = (response: ServerResponse, status: number, body?: unknown): void => {
	response.writeHead(status, {'content-type': 'application/json'}).end(body === undefined ? '' : JSON.stringify(body));
};

const withoutNulls = (properties: Properties): Properties =>
	Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));

const answerRest = (classes: Classes, url: URL, names: readonly string[] | null): [status: number, body?: unknown] => {
	const asked = Object.fromEntries(url.searchParams);
	const kind = classes[asked['class'] ?? ''];
	if (!kind) {
		return [404];
	}

	if (asked['sort'] !== '_creationTimeUnix' && !kind.fields.includes(asked['sort']!)) {
		return [422, {error: [{message: `sort parameter at position 0: no such prop with name '${asked['sort']}' found in class`}]}];
	}

	const [offset, limit] = [Number(asked['offset'] ?? 0), Number(asked['limit'] ?? 25)];
	if (offset + limit > 10_000) {
		return [422, {error: [{message: 'query maximum results exceeded'}]}];
	}

	const objects = sorted(kind.objects, asked['sort']!, asked['order']!).slice(offset, offset + limit).map(({properties, vector}) => ({
		class: asked['class'],
		properties: withoutNulls(properties),
		...(asked['include'] === 'vector'
			&& vector.length > 0
			&& (names ? {vectors: Object.fromEntries(names.map(name => [name, vector]))} : {vector})),
	}));
	return [200, {deprecations: [], objects, totalResults: objects.length}];
};

const refuse = (message: string) => ({errors: [{locations: [{column: 6, line: 1}], message, path: null}]});

const form = pattern(
	/^\{Get \{(?<name>\w+)\((?<question>.*)\) \{(?<fields>[\w ]*) _additional \{(?<additional>vector|vectors \{default\})\}\}\}\}$/s,
);

const answerGraphQl = (classes: Classes, query: string, names: readonly string[] | null): unknown => {
	const {name = '', question = '', fields = '', additional = ''} = form.exec(query)?.groups ?? {};
	const kind = classes[name];
	if (!kind) {
		return refuse(`Cannot query field "${name}" on type "GetObjectsObj".`);
	}

	const unknown = fields.split(' ').find(field => !kind.fields.includes(field))
		?? (additional !== 'vector' && !names?.includes('default') ? 'vectors' : undefined);
	if (unknown !== undefined) {
		return refuse(`Cannot query field "${unknown}" on type "${name}".`);
	}

	const argument = (wanted: RegExp) => wanted.exec(question)?.[1];
	const [offset, limit] = [Number(argument(/offset: (\d+)/) ?? 0), Number(argument(/limit: (\d+)/) ?? 25)];
	let {objects} = kind;
	const near = argument(/vector: (\[[^\]]*\])/);
	if (near === undefined) {
		objects = sorted(objects, argument(/path: \["(\w+)"\]/)!, argument(/order: (\w+)/)!);
	} else {
		if (names && names.length > 1 && !question.includes('targetVectors')) {
			return refuse(`class ${name} has multiple vectors, but no target vectors were provided`);
		}

		const vector = JSON.parse(near) as number[];
		objects = objects.filter(object => object.vector.length === vector.length).toSorted((a, b) => cosine(
			b.vector,
			vector,
		) - cosine(a.vector, vector));
	}

	const found = objects.slice(offset, offset + limit).map(({properties, vector}) => ({
		...Object.fromEntries(fields.split(' ').map(field => [field, properties[field] ?? null])),
		_additional: additional === 'vector' ? {vector: names ? [] : vector} : {vectors: {default: vector}},
	}));
	return {data: {Get: {[name]: found}}};
};

/** Answers all requests of a store. */
export const weaviate = (
	holdings: Holdings,
	{rest = true, graphQl = true, names = null, key = null}: ServerOptions = {},
): RequestListener => {
	const classes = classesOf(holdings);
	return async (request: IncomingMessage, response) => {
		const url = new URL(request.url!, 'http://localhost');
		if (request.headers.authorization !== (key === null ? undefined : `Bearer ${key}`)) {
			reply(response, 401, {code: 401, message: `unauthorized: invalid api key ${request.headers.authorization}`});
		} else if (rest && request.method === 'GET' && url.pathname === '/v1/objects') {
			reply(response, ...answerRest(classes, url, names));
		} else if (graphQl && request.method === 'POST' && url.pathname === '/v1/graphql') {
			const {query} = await bodyOf(request) as {query: string};
			reply(response, 200, answerGraphQl(classes, query, names));
		} else {
			reply(response, 404, {code: 404, message: `path ${url.pathname} was not found`});
		}
	};
};
