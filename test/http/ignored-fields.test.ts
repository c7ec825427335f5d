/** Unknown fields that the interface accepts: named in the response, logged once, and limited in number and length. */
import test from 'ava';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const log = () => {
	const lines: object[] = [];
	const ignore = (): void => {};
	return {lines, logger: {debug: ignore, info: ignore, error: ignore, warn: (fields: object) => lines.push(fields)}};
};

test('an ignored field is logged once, with the nearest name', async t => {
	const {lines, logger} = log();
	const {ask} = await serve(t, fakeIdentity(), {logger});
	for (let i = 0; i < 3; i++) {
		await ask('POST', '/cycle', {content: 'a text', metadat: {}});
	}

	await ask('POST', '/translate', {contxt: 'a letter'});
	t.deepEqual(lines, [{path: '/cycle', field: 'metadat', nearest: 'metadata'}, {path: '/translate', field: 'contxt', nearest: 'context'}]);
});

test('a parameter of an endpoint without parameters is named and logged', async t => {
	const {lines, logger} = log();
	const {ask} = await serve(t, fakeIdentity(), {logger});
	const {status, headers} = await ask('GET', '/health?verbose=1');
	t.deepEqual([status, headers.get('ignored-fields')], [200, 'verbose']);
	t.deepEqual(lines, [{path: '/health', field: 'verbose', nearest: null}]);
});

test('a parameter is named beside an ignored field, and by each endpoint without parameters', async t => {
	const {ask} = await serve(t, fakeIdentity());
	const named = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).headers.get('ignored-fields');
	t.is(await named('POST', '/cycle?content=another', {content: 'a text', metadat: {}}), 'metadat, content');
	const without = [
		['GET', '/metrics'], ['GET', '/daemon/status'], ['POST', '/daemon/start'], ['POST', '/daemon/stop'], ['POST', '/reset'],
	] as const;
	for (const [method, path] of without) {
		t.is(await named(method, `${path}?identity=ada`), 'identity', path);
	}
});

test('endpoints beyond the original interface refuse an unknown parameter', async t => {
	const {ask} = await serve(t, fakeIdentity());
	for (const [method, path, body] of [['GET', '/revisions?limit=3'], ['POST', '/dry-run?source=Ada', {content: 'a text'}]] as const) {
		const {status, body: answer} = await ask(method, path, body);
		t.is(status, 422);
		t.like((answer as {detail: object[]}).detail[0], {type: 'extra_forbidden', msg: 'Extra inputs are not permitted'}, path);
	}
});

test('thousands of long names add ten short ones to the header, and 100 lines to the log', async t => {
	const {lines, logger} = log();
	const {ask} = await serve(t, fakeIdentity(), {logger});
	let {headers} = await ask('POST', '/cycle', {content: 'a text'});
	t.false(headers.has('ignored-fields'));
	for (let i = 0; i < 12; i++) {
		({headers} = await ask('POST', '/cycle', {
			content: 'a text',
			...Object.fromEntries(Array.from({length: 1000}, (_, at) => [`${i}.${at}${'海'.repeat(100)}`, 1])),
		}));
	}

	const names = headers.get('ignored-fields')!.split(', ').map(name => decodeURIComponent(name));
	t.is(names.length, 10);
	t.true(names.every(({length}) => length === 40));
	t.is(lines.length, 100);
});
