/** The document as tools read it: Redocly's recommended rules, and what it says about access. */
import {createConfig, lintFromString} from '@redocly/openapi-core';
import test from 'ava';
import {routesFor} from '../../src/http/routes.ts';
import {fakeIdentity} from './fake-identity.ts';
import {document, operations} from './openapi-document.ts';
import {serve} from './service.ts';

const lint = async (source: object) => {
	const problems = await lintFromString({
		source: JSON.stringify(source),
		absoluteRef: 'openapi.json',
		config: await createConfig({extends: ['recommended']}),
	});
	return problems.map(({severity, ruleId, message, location: [place]}) => `${severity} ${ruleId}: ${message} ${place?.pointer}`);
};

test('Redocly\'s recommended rules find no error, and no example that its schema refuses', async t => {
	const host = {fleet: async () => t.fail() as never};
	const ofHost = routesFor({isInspected: true, host}).find(({path}) => path === '/openapi.json')!.handle(fakeIdentity(), {});
	for (const each of [document, ofHost]) {
		const problems = await lint(each);
		// A probe, or a read without parameters, has no invalid requests.
		t.deepEqual(problems.filter(problem => !problem.startsWith('warn operation-4xx-response')), []);
	}
});

test('the rules detect a document without security, and an example that its schema refuses', async t => {
	const {security, components: {schemas, ...components}, ...rest} = document as typeof document & {security: unknown};
	t.truthy(security);
	const problems = await lint({
		...rest,
		components: {...components, schemas: {...schemas, Health: {...schemas['Health'], examples: [{status: 1}]}}},
	});
	t.true(problems.some(problem => problem.startsWith('error security-defined')));
	t.true(problems.some(problem => problem.startsWith('warn no-invalid-schema-examples')));
});

test('every operation has a tag that the document declares', t => {
	const declared = (document['tags'] as {name: string}[]).map(({name}) => name);
	const used = operations(document).map(({operation}) => (operation as unknown as {tags: string[]}).tags);
	t.true(used.every(([tag, ...others]) => declared.includes(tag!) && others.length === 0));
	t.deepEqual(declared.filter(name => !used.flat().includes(name)), []);
});

test('exactly the operations without security in the document need no token', async t => {
	const {url} = await serve(t, fakeIdentity(), {token: 'a-token-of-the-operator', inspector: {types: [], watch: () => () => {}}});
	for (const {method, path, operation} of operations(document)) {
		const isPublic = (operation as {security?: unknown[]}).security?.length === 0;
		const response = await fetch(url + path, {method});
		await response.arrayBuffer();
		t.is(response.status === 401, !isPublic, `${method} ${path}`);
		const {responses} = operation as unknown as {responses: object};
		t.deepEqual(['401', '403', '429'].filter(status => status in responses), isPublic ? [] : ['401', '403', '429'], `${method} ${path}`);
	}
});
