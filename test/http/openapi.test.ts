/**
 * GET /openapi.json: valid, complete and true.
 */
import {Validator} from '@seriousme/openapi-schema-validator';
import test from 'ava';
import {Compile} from '../../src/platform/typebox.ts';
import {UnavailableError} from '../../src/platform/errors.ts';
import {fakeIdentity} from './fake-identity.ts';
import {document, operations, schemasIn, type Document} from './openapi-document.ts';
import {serve} from './service.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';

test('the document that is served is valid OpenAPI 3.1', async (t) => {
	const {ask} = await serve(t, fakeIdentity(), {inspector: {types: [], watch: () => () => {}}});
	const validator = new Validator();
	const {body} = await ask('GET', '/openapi.json');
	t.deepEqual(body, JSON.parse(JSON.stringify(document)));
	const result = await validator.validate(body as Document);
	t.true(result.valid, JSON.stringify(result.errors));
	t.is(validator.version, '3.1');
});

test('the inspector is documented and served only where it is configured', async (t) => {
	const paths = async (options: HttpOptions) => {
		const {ask} = await serve(t, fakeIdentity(), options);
		t.is((await ask('GET', '/inspector/machines.json')).status, options.inspector ? 200 : 404);
		return Object.keys(((await ask('GET', '/openapi.json')).body as Document).paths);
	};

	t.true((await paths({inspector: {types: [], watch: () => () => {}}})).includes('/inspector'));
	t.false((await paths({})).includes('/inspector'));
});

test('it has the interface’s version', (t) => {
	t.is(document.info.version, '0.7.0');
});

test('it has every endpoint of the interface, and no other', (t) => {
	t.deepEqual(operations(document).map(({method, path}) => `${method} ${path}`), [
		'GET /health',
		'POST /cycle',
		'POST /translate',
		'GET /state',
		'GET /vigilance',
		'GET /metrics',
		'POST /reset',
		'POST /validate',
		'GET /daemon/status',
		'POST /daemon/start',
		'POST /daemon/stop',
		'GET /profile',
		'GET /profile/scaled',
		'GET /ledger',
		'GET /history',
		'GET /diff',
		'GET /drift',
		'GET /sources',
		'GET /uptake',
		'GET /tensor',
		'POST /dry-run',
		'POST /what-if',
		'POST /revise',
		'POST /forget',
		'GET /revisions',
		'POST /hold',
		'GET /held',
		'POST /held/release',
		'POST /held/drop',
		'GET /livez',
		'GET /readyz',
		'GET /',
		'GET /events',
		'GET /inspector',
		'GET /docs',
		'GET /openapi.json',
	]);
});

for (const {method, path, operation} of operations(document)) {
	test(`${method} ${path} has a unique name, a summary and a description`, (t) => {
		t.is(operations(document).filter((other) => other.operation.operationId === operation.operationId).length, 1);
		t.regex(operation.operationId, /^[a-z][A-Za-z]+$/);
		t.true(operation.summary.length > 0);
		t.true(operation.description.length > 0);
	});
}

const all = operations(document).flatMap(({method, path, request, responses}) => [
	...(request ? [{name: `${method} ${path}, request`, schema: request}] : []),
	...Object.entries(responses).map(([status, schema]) => ({name: `${method} ${path}, ${status}`, schema})),
]);

for (const {name, schema: root} of all) {
	test(`${name}: every schema has a description, and examples that it accepts`, (t) => {
		for (const {place, schema} of schemasIn(root)) {
			t.true(typeof schema.description === 'string' && schema.description.length > 0, `${place} has no description`);
			t.true(Array.isArray(schema.examples) && schema.examples.length > 0, `${place} has no examples`);
			const validator = Compile(schema);
			for (const example of schema.examples ?? []) {
				t.true(validator.Check(example), `${place}: ${JSON.stringify(example)} ${JSON.stringify(validator.Errors(example))}`);
			}
		}
	});

	test(`${name}: a field with a unit in its name has that unit`, (t) => {
		const units: Record<string, string> = {ms: 'ms', seconds: 's', hours: 'h', mrad: 'mrad', cycles: 'cycles'};
		for (const {place, schema} of schemasIn(root)) {
			const unit = units[/_(ms|seconds|hours|mrad|(?<=half_life_)cycles)$/.exec(place)?.[1] ?? ''];
			t.is(schema['x-unit'], unit, place);
		}
	});
}

test('a request’s field is required if it has no default', (t) => {
	for (const {request, method, path} of operations(document)) {
		for (const [field, schema] of Object.entries(request?.properties ?? {})) {
			t.is(request?.required?.includes(field) ?? false, !('default' in schema), `${method} ${path} ${field}`);
		}
	}
});

test('a body is required if one of its fields is', (t) => {
	const required = operations(document).map(({path, operation}) => [path, operation.requestBody?.required]);
	t.deepEqual(required.filter(([, value]) => value !== undefined), [
		['/cycle', true],
		['/translate', false],
		['/validate', true],
		['/dry-run', true],
		['/what-if', false],
		['/revise', true],
		['/forget', true],
		['/hold', true],
		['/held/release', false],
		['/held/drop', false],
	]);
});

const documented = (method: string, path: string, status: number) =>
	Compile(operations(document).find((operation) => operation.method === method && operation.path === path)!.responses[status]!);

const isAsDocumented = (status: number, path: string, body: unknown, headers: Record<string, string> = {}, thrown?: Error) => {
	test(`POST ${path} answers ${status} as documented to ${JSON.stringify(body).slice(0, 20)}`, async (t) => {
		const fail = () => {
			throw thrown!;
		};

		const {ask} = await serve(t, fakeIdentity(thrown ? {cycle: fail, translate: fail} : {}), {maxBodyBytes: 100});
		const answer = await ask('POST', path, body, headers);
		t.is(answer.status, status);
		t.true(documented('POST', path, status).Check(answer.body), answer.text);
	});
};

for (const [path, body] of [['/cycle', {content: 'a text'}], ['/translate', {}]] as const) {
	isAsDocumented(200, path, body);
	isAsDocumented(413, path, {content: 'a'.repeat(100)});
	isAsDocumented(415, path, 'a', {'content-type': 'text/plain'});
	isAsDocumented(422, path, []);
	isAsDocumented(422, path, '{');
	isAsDocumented(500, path, body, {}, new Error('It broke.'));
	isAsDocumented(503, path, body, {}, new UnavailableError('Booting.'));
}

test('the description of each state_id says which state it numbers', t => {
	const describe = (schema: string) => (document as unknown as {
		components: {schemas: Record<string, {properties: Record<string, {description: string}>}>};
	}).components.schemas[schema]!.properties['state_id']!.description;
	t.is(describe('HistoryPoint'), 'Its number.');
	t.is(describe('DryRunResponse'), 'Number of the state that the cycle would make.');
	t.is(describe('ValidateResponse'), 'Number of the state that was validated.');
	t.is(describe('State'), 'Number of the current state.');
});
