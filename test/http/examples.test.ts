/**
 * The examples of the OpenAPI document are true: each example of a request is answered as the
 * document says.
 */
import test from 'ava';
import {Compile} from '../../src/platform/typebox.ts';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {document, operations} from './openapi-document.ts';
import {readMetrics} from './prometheus-text.ts';
import {serve} from './service.ts';

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const single = new Set(['schema', 'items', 'additionalProperties']);
const listed = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const byName = new Set(['schemas', 'properties']);

type Found = {place: string; schema: Record<string, unknown>};

/** Every schema in the document, with its place. */
function * schemasAnywhere(value: unknown, place = '#', isSchema = false): Generator<Found> {
	if (typeof value !== 'object' || value === null) {
		return;
	}

	if (isSchema) {
		yield {place, schema: value as Record<string, unknown>};
	}

	for (const [key, part] of Object.entries(value)) {
		if (key === 'examples' || key === 'default') {
			continue;
		}

		if (byName.has(key) || listed.has(key)) {
			for (const [name, inner] of Object.entries(part as object)) {
				yield * schemasAnywhere(inner, `${place}/${key}/${name}`, true);
			}
		} else {
			yield * schemasAnywhere(part, `${place}/${key}`, single.has(key));
		}
	}
}

const schemas = [...schemasAnywhere(document)].filter(({schema}) => !('$ref' in schema));

test('every schema in the document has a description and an example', (t) => {
	t.true(schemas.length > 100);
	t.true(schemas.some(({place}) => place === '#/components/schemas/CycleRequest/properties/metadata/additionalProperties'));
	t.deepEqual(schemas.filter(({schema: {description, examples}}) => !/^\S.*\.$/s.test(String(description))
		|| !Array.isArray(examples)
		|| examples.length === 0).map(({place}) => place), []);
});

test('every example is accepted by the schema that shows it', (t) => {
	for (const {place, schema} of schemas.filter(({schema: each}) => !JSON.stringify(each).includes('"$ref"'))) {
		for (const example of schema['examples'] as unknown[]) {
			t.true(Compile(schema).Check(example), place);
		}
	}
});

test('every reference resolves to a schema', (t) => {
	const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference!);
	t.true(references.length > 0);
	for (const reference of references) {
		t.truthy(document.components.schemas[reference.replace('#/components/schemas/', '')], reference);
	}
});

test('every parameter and every answer has a description', (t) => {
	for (const [path, methods] of Object.entries(document.paths)) {
		for (const {responses, parameters = []} of Object.values(methods) as {responses: object; parameters?: object[]}[]) {
			for (const described of [...Object.values(responses), ...parameters] as {description?: string}[]) {
				t.regex(described.description ?? '', /^\S.*\.$/, `${path}: ${JSON.stringify(described).slice(0, 60)}`);
			}
		}
	}
});

/** An identity with everything that the document describes. */
const startWhole = () => startIdentity({
	// The time to learn ordinary talk grows with the width.
	encoder: new FakeEncoder(16),
	journal: new FakeJournal(),
	translator: async () => templateTranslator,
	directions: async () => [
		{name: 'calm_agitated', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')},
		{name: 'trust', category: 'relational', polePositive: 'trusting', poleNegative: 'suspicious', vector: vectorOf('trust')},
	],
});

/** The whole example of a body, the same without each optional field, and with each further example of a field. */
const bodiesOf = ({
	examples = [],
	properties = {},
	required = [],
}: NonNullable<ReturnType<typeof operations>[number]['request']>): object[] => {
	const whole = examples as Record<string, unknown>[];
	return whole.flatMap((body) => [
		body,
		...Object.keys(body)
			.filter((field) => !required.includes(field))
			.map((field) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))),
		...Object.entries(properties).flatMap(
			([field, {examples: values = []}]) => values.slice(1).map((value) => ({...body, [field]: value})),
		),
	]);
};

for (const {method, path, request, responses} of operations(document).filter((operation) => operation.responses['200'])) {
	// These need at least one of several fields, which no schema expresses.
	const needed = {
		'/revise': 'without', '/hold': 'sources', '/forget': 'sources', '/held/release': 'sources', '/held/drop': 'sources',
	}[path];
	const bodies = request ? bodiesOf(request).filter(body => needed === undefined || needed in body) : [undefined];
	for (const body of bodies) {
		// Serial: each needs a worker thread, and the queue for one is short.
		test.serial(`${method} ${path}${body ? ` with ${JSON.stringify(body)}` : ''} is answered as the document says`, async (t) => {
			const {identity} = await startWhole();
			t.teardown(() => identity.dispose());
			if (path === '/validate') {
				await talk(identity);
			} else if (path === '/what-if' || needed !== undefined) {
				await identity.cycle({content: 'The sea is quiet today.', source: 'ada'});
				await identity.cycle({content: 'Trust no one.', source: 'Viktor'});
			}

			if (path.startsWith('/held/')) {
				await identity.revise({without: {sources: ['Viktor']}, hold: true, note: 'He lied.'});
				await identity.cycle({content: 'They are hiding something.', source: 'Viktor'});
			}

			const {ask} = await serve(t, identity);
			const answer = await ask(method, path, body);
			t.is(answer.status, 200, answer.text);
			const validator = Compile(responses['200']!);
			t.true(validator.Check(answer.body), JSON.stringify(validator.Errors(answer.body)));
		});
	}
}

type Parameter = {name: string; in: string; schema: {examples: unknown[]}};

for (const {method, path, responses} of operations(document).filter(operation => operation.responses['200'])) {
	const {parameters = []} = document.paths[path]![method.toLowerCase()]! as {parameters?: Parameter[]};
	for (const {name, schema: {examples}} of parameters.filter(parameter => parameter.in === 'query')) {
		for (const example of examples) {
			test(`${method} ${path}?${name}=${String(example)} is answered as the document says`, async t => {
				const {identity} = await startWhole();
				t.teardown(() => identity.dispose());
				const {ask} = await serve(t, identity);
				const answer = await ask(method, `${path}?${name}=${encodeURIComponent(String(example))}`);
				t.is(answer.status, 200, answer.text);
				const validator = Compile(responses['200']!);
				t.true(validator.Check(answer.body), JSON.stringify(validator.Errors(answer.body)));
			});
		}
	}
}

test('the example of the metrics as text is valid', (t) => {
	const {content} = document.paths['/metrics']!['get']!.responses['200'] as unknown as {
		content: Record<string, {schema: {examples: string[]}}>,
	};
	t.deepEqual([...readMetrics(content['text/plain']!.schema.examples[0]!).keys()], ['processual_state_id']);
});

test('the example of the event stream is an event with an id, a type and JSON data', (t) => {
	const {content} = document.paths['/events']!['get']!.responses['200'] as unknown as {
		content: Record<string, {schema: {examples: string[]}}>,
	};
	const [, data] = /^id: \S+\nevent: mode\.changed\ndata: (.*)\n\n$/.exec(content['text/event-stream']!.schema.examples[0]!) ?? [];
	t.deepEqual(Object.keys(JSON.parse(data!) as object), ['mode', 'is_ruminating', 'daemon_running']);
});
