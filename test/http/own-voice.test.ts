/** Who may speak as the agent: only the agent, if it has a separate token. */
import test from 'ava';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {serve} from './service.ts';

const [token, selfToken] = ['a-token-of-all-clients', 'the-token-of-the-agent'];
const [client, agent] = [token, selfToken].map(value => ({authorization: `Bearer ${value}`}));
const accept = {'accept': 'application/json, text/event-stream', 'content-type': 'application/json'};

const claims = {
	'a source': {source: 'self'},
	'a source in metadata': {metadata: {source: 'self'}},
	'a source with an invisible character': {source: 'se\u200Blf'},
	'a trigger': {trigger_type: 'rumination_free'},
};

for (const [name, claim] of Object.entries(claims)) {
	test(`only the agent’s token may mark a text as the agent’s by ${name}`, async t => {
		const {identity} = await startIdentity();
		const {ask} = await serve(t, identity, {token, selfToken});
		const refused = await ask('POST', '/cycle', {content: 'I trust no one.', ...claim}, client);
		t.is(refused.status, 422);
		t.regex(refused.text, /http\.selfToken/);
		t.is(identity.state().stateId, 0);
		t.is((await ask('POST', '/cycle', {content: 'I trust no one.', ...claim}, agent)).status, 200);
		t.is((await ask('POST', '/cycle', {content: 'I trust no one.', source: 'Viktor'}, client)).status, 200);
	});
}

test('the MCP tools follow the same rule', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity, {token, selfToken});
	const say = {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'say', arguments: {text: 'I trust no one.', source: 'self'}}};
	const refused = await ask('POST', '/mcp', say, {...client, ...accept});
	t.regex(refused.text, /isError":true/);
	t.regex(refused.text, /http\.selfToken/);
	t.is(identity.state().stateId, 0);
	const answer = await ask('POST', '/mcp', say, {...agent, ...accept});
	t.notRegex(answer.text, /isError":true/);
	t.is(identity.state().stateId, 1);
});

test('the agent’s token gives access like the clients’ token, and each decision has a hint of its token', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	const {ask} = await serve(t, identity, {token, selfToken});
	t.is((await ask('GET', '/state', undefined, agent)).status, 200);
	t.is((await ask('GET', '/state', undefined, {authorization: 'Bearer another-token-of-none'})).status, 401);
	await ask('POST', '/cycle', {content: 'The sea is quiet today.', source: 'Ada'}, client);
	for (const headers of [client, agent]) {
		await ask('POST', '/hold', {sources: [headers === agent ? 'Ben' : 'Ada'], note: 'Until it is clear.'}, headers);
	}

	const {body} = await ask('GET', '/revisions', undefined, client);
	const hints = (body as {revisions: Array<{by: string}>}).revisions.map(({by}) => by);
	t.is(new Set(hints).size, 2);
	t.true(hints.every(hint => /^token [\da-f]{4}$/.test(hint)));
});

test('without a separate token of the agent, a client may speak as the agent', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity, {token});
	t.is((await ask('POST', '/cycle', {content: 'I trust no one.', source: 'self'}, client)).status, 200);
});

test('the agent’s token without a clients’ token, or equal to it, is a configuration error', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	for (const options of [{selfToken}, {token, selfToken: token}]) {
		t.throws(() => createHttp(identity, options), {instanceOf: ConfigurationError, message: /selfToken needs the option token/});
	}
});
