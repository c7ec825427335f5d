/**
 * The responses to failures of the identity.
 */
import test from 'ava';
import {
	BaselineTooShortError, EmbeddingError, InputError, LanguageError, MovedError, NoJournalError, UnavailableError, UnknownOutcomeError,
} from '../../src/platform/errors.ts';
import {fakeIdentity, type Question} from './fake-identity.ts';
import {serve} from './service.ts';

const failing = (thrown: unknown) => () => {
	throw thrown;
};

const endpoints: [name: Question, method: string, path: string, body?: object][] = [
	['cycle', 'POST', '/cycle', {content: 'a text'}],
	['dryRun', 'POST', '/dry-run', {content: 'a text'}],
	['whatIf', 'POST', '/what-if', {add: ['a text']}],
	['revise', 'POST', '/revise', {note: 'Not theirs.', without: {}}],
	['hold', 'POST', '/hold', {note: 'Not theirs.', sources: ['viktor']}],
	['forget', 'POST', '/forget', {note: 'A request.', sources: ['viktor']}],
	['revisions', 'GET', '/revisions'],
	['held', 'GET', '/held'],
	['releaseHeld', 'POST', '/held/release', {ids: ['a']}],
	['dropHeld', 'POST', '/held/drop', {ids: ['a']}],
	['stateAt', 'GET', '/state?at=7'],
	['stateAt', 'GET', '/tensor?at=beginning'],
	['reset', 'POST', '/reset'],
	['validate', 'POST', '/validate', {note: 'As it is.'}],
	['translate', 'POST', '/translate'],
	['daemon.start', 'POST', '/daemon/start'],
	['daemon.stop', 'POST', '/daemon/stop'],
	['state', 'GET', '/state'],
	['vigilance', 'GET', '/vigilance'],
	['metrics', 'GET', '/metrics'],
	['daemon.status', 'GET', '/daemon/status'],
	['profile', 'GET', '/profile'],
	['scaledProfile', 'GET', '/profile/scaled'],
	['ledger', 'GET', '/ledger'],
	['history', 'GET', '/history'],
	['diff', 'GET', '/diff'],
	['drift', 'GET', '/drift'],
	['sources', 'GET', '/sources'],
	['uptake', 'GET', '/uptake'],
	['tensor', 'GET', '/tensor'],
];

for (const [name, method, path, body] of endpoints) {
	test(`${method} ${path} answers 503 with the reason when something it needs is unavailable`, async (t) => {
		const {ask} = await serve(
			t,
			fakeIdentity({[name]: failing(new UnavailableError('Directions are not loaded: see data/directions.json.'))}),
		);
		const answer = await ask(method, path, body);
		t.is(answer.status, 503);
		t.deepEqual(answer.body, {detail: 'Directions are not loaded: see data/directions.json.', code: 'unavailable', retryable: false});
	});

	test(`${method} ${path} answers 500 with the message and the code of any other error`, async (t) => {
		const {ask} = await serve(t, fakeIdentity({[name]: failing(new EmbeddingError('The vector is zero.', {retryable: true}))}));
		const answer = await ask(method, path, body);
		t.is(answer.status, 500);
		t.deepEqual(answer.body, {detail: 'The vector is zero.', code: 'embedding', retryable: true});
	});
}

test('a request to an identity that has moved gets a 503 to retry after one second', async (t) => {
	const {ask} = await serve(t, fakeIdentity({cycle: failing(new MovedError('Another node has the identity.'))}));
	const answer = await ask('POST', '/cycle', {content: 'a'});
	t.is(answer.status, 503);
	t.is(answer.headers.get('retry-after'), '1');
	t.deepEqual(answer.body, {detail: 'Another node has the identity.', code: 'moved', retryable: true});
});

test('an operation of unknown outcome that is not safe to repeat gets a 503 without Retry-After', async (t) => {
	const cause = new UnknownOutcomeError('The connection broke.');
	const unknown = new UnknownOutcomeError('It is not known whether this was done.', {cause, retryable: false});
	const {ask} = await serve(t, fakeIdentity({reset: failing(unknown)}));
	const answer = await ask('POST', '/reset');
	t.is(answer.status, 503);
	t.is(answer.headers.get('retry-after'), null);
	t.deepEqual(answer.body, {detail: unknown.message, code: 'outcome_unknown', retryable: false});
});

test('a 503 that another node can answer is not logged as an error; a failure is', async (t) => {
	const errors: string[] = [];
	const quiet = () => {};
	const logger = {debug: quiet, info: quiet, warn: quiet, error: (_: object, message: string) => errors.push(message)};
	for (const error of [new MovedError('It is elsewhere.'), new UnavailableError('This node is stopping.', {retryable: true})]) {
		const {ask} = await serve(t, fakeIdentity({cycle: failing(error)}), {logger});
		t.is((await ask('POST', '/cycle', {content: 'a'})).status, 503);
	}

	t.deepEqual(errors, []);
	const {ask} = await serve(t, fakeIdentity({cycle: failing(new EmbeddingError('The vector is zero.'))}), {logger});
	await ask('POST', '/cycle', {content: 'a'});
	t.deepEqual(errors, ['request failed']);
});

test('without a journal, a past state is a conflict, not a failure', async (t) => {
	const {ask} = await serve(t, fakeIdentity({stateAt: failing(new NoJournalError('This identity keeps no journal.'))}));
	const answer = await ask('GET', '/state?at=7');
	t.is(answer.status, 409);
	t.deepEqual(answer.body, {detail: 'This identity keeps no journal.', code: 'no_journal', retryable: false});
});

test('a validation with too few texts is a conflict that says what is missing', async t => {
	const {ask} = await serve(
		t,
		fakeIdentity({validate: failing(new BaselineTooShortError('A validation needs 400 texts in 30 conversations; there are 120 in 9.'))}),
	);
	const answer = await ask('POST', '/validate', {note: 'As it is.'});
	t.is(answer.status, 409);
	t.deepEqual(answer.body, {
		detail: 'A validation needs 400 texts in 30 conversations; there are 120 in 9.',
		code: 'baseline_too_short',
		retryable: false,
	});
});

test('an unknown moment is an error in the query', async (t) => {
	const {ask} = await serve(t, fakeIdentity({stateAt: failing(new InputError('“soon” is not a moment.'))}));
	const answer = await ask('GET', '/state?at=soon');
	t.is(answer.status, 422);
	t.like((answer.body as {detail: unknown[]}).detail[0], {loc: ['query'], msg: '“soon” is not a moment.'});
});

const shows = (name: string, thrown: unknown, detail: string) => {
	test(`the detail of a 500 is ${name}`, async (t) => {
		const {ask} = await serve(t, fakeIdentity({cycle: async () => {
			throw thrown;
		}}));
		const answer = await ask('POST', '/cycle', {content: 'a text'});
		t.is(answer.status, 500);
		t.deepEqual(answer.body, {detail});
	});
};

shows('the message, without the stack that follows it', new Error('It broke.\n    at run (/srv/app/run.js:1:2)\n    at main'), 'It broke.');
shows(
	'the message, without a quoted path',
	new Error('ENOENT: no such file, open \'/srv/my app/model.onnx\''),
	'ENOENT: no such file, open …',
);
shows(
	'the message, without a bare path',
	new Error('Cannot read /srv/app/model.onnx: permission denied, see (/etc/x).'),
	'Cannot read …: permission denied, see (…).',
);
shows(
	'the message, without a file URL',
	new Error('Cannot import file:///srv/app/a.js from "file:///srv/app/b.js"'),
	'Cannot import … from …',
);
shows('the message, without a Windows path', new Error('Cannot open C:\\models\\a.onnx or \\\\host\\share\\b.onnx'), 'Cannot open … or …');
shows(
	'the message, with web addresses and slashes between words',
	new Error('https://api.example.com/v1/messages and/or 3 / 4 failed, see data/themes.json'),
	'https://api.example.com/v1/messages and/or 3 / 4 failed, see data/themes.json',
);
shows('the thrown value, if it is not an Error', 'just a word', 'just a word');
shows('the name of the status, if the error has no message', new Error(''), 'Internal Server Error');

test('input that the identity rejects is an error in the body', async (t) => {
	const {ask} = await serve(t, fakeIdentity({async cycle() {
		throw new InputError('The content of a cycle must be a text that is not blank.');
	}}));
	const {status, body} = await ask('POST', '/cycle', {content: 'a text'});
	t.is(status, 422);
	t.deepEqual(
		body,
		{detail: [{type: 'value_error', loc: ['body'], msg: 'The content of a cycle must be a text that is not blank.', input: {}}]},
	);
});

test('a state that does not exist is an error in the query', async (t) => {
	const {ask} = await serve(t, fakeIdentity({ledger: failing(new InputError('There is no state 9.'))}));
	const {status, body} = await ask('GET', '/ledger?since=9');
	t.is(status, 422);
	t.deepEqual(body, {detail: [{type: 'value_error', loc: ['query'], msg: 'There is no state 9.', input: {}}]});
});

test('without a journal, the ledger is a conflict', async (t) => {
	const {ask} = await serve(t, fakeIdentity({ledger: failing(new NoJournalError('This identity keeps no journal.'))}));
	const {status, body} = await ask('GET', '/ledger');
	t.is(status, 409);
	t.deepEqual(body, {detail: 'This identity keeps no journal.', code: 'no_journal', retryable: false});
});

test('a foreign error with a status and an expose flag is still a 500', async (t) => {
	const {ask} = await serve(
		t,
		fakeIdentity({cycle: failing(Object.assign(new Error('Upstream refused.'), {status: 401, statusCode: 401, expose: true}))}),
	);
	const answer = await ask('POST', '/cycle', {content: 'a text'});
	t.is(answer.status, 500);
	t.deepEqual(answer.body, {detail: 'Upstream refused.'});
});

test('a failure is logged with its error; a refused request is not logged', async (t) => {
	const logged: object[] = [];
	const thrown = new Error('Cannot read /srv/model.onnx');
	const logger = {error: (fields: object) => logged.push(fields), warn() {}, info() {}, debug() {}};
	const {ask} = await serve(t, fakeIdentity({state: failing(thrown)}), {logger});
	await ask('GET', '/state');
	await ask('GET', '/nowhere');
	await ask('POST', '/cycle', {});
	t.deepEqual(logged, [{err: thrown, method: 'GET', path: '/state', status: 500}]);
});

test('a translation that the model’s server defers is a 500 with its Retry-After', async t => {
	const busy = new LanguageError('The model answered 429. Try again later.', {retryable: true, retryAfter: 120});
	const {ask} = await serve(t, fakeIdentity({translate: failing(busy)}));
	const answer = await ask('POST', '/translate');
	t.is(answer.status, 500);
	t.is(answer.headers.get('retry-after'), '120');
	t.deepEqual(answer.body, {detail: 'The model answered 429. Try again later.', code: 'language', retryable: true});
});

test('a HEAD fails if its GET fails, without a body', async (t) => {
	const {ask} = await serve(t, fakeIdentity({state: failing(new UnavailableError('Booting.'))}));
	const answer = await ask('HEAD', '/state');
	t.is(answer.status, 503);
	t.is(answer.text, '');
});

test('a part that is not configured is not logged as a failure; a part that failed is', async t => {
	const logged: unknown[] = [];
	const logger = {error: (fields: object) => logged.push((fields as {err: unknown}).err), warn() {}, info() {}, debug() {}};
	const absent = new UnavailableError('Translator is unavailable: no language model is configured.');
	const broken = new UnavailableError('The process has failed: no memory', {cause: new Error('no memory')});
	const {ask} = await serve(t, fakeIdentity({translate: failing(absent), state: failing(broken)}), {logger});
	t.is((await ask('POST', '/translate')).status, 503);
	t.is((await ask('GET', '/state')).status, 503);
	t.deepEqual(logged, [broken]);
});
