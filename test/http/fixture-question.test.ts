/**
 * A question that is added to the tables is available everywhere: in the library, over HTTP, in the document,
 * in the clients, as a command, and in the types.
 */
import test from 'ava';
import {Command} from 'commander';
import {rowsText, typesText} from '../../scripts/generated-types.ts';
import {ClientError} from '../../src/client/client-error.ts';
import {connectIdentity} from '../../src/client/connect-identity.ts';
import {createClient} from '../../src/client/create-client.ts';
import {declareAsking, printAnswer, type AskingCommand} from '../../src/commands/questions.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {givenTo} from '../../src/commands/setting-options.ts';
import {createAsking} from '../../src/http/create-http.ts';
import {question} from '../../src/http/question.ts';
import {questions} from '../../src/http/questions.ts';
import {computations} from '../../src/identity/computations.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {NoJournalError} from '../../src/platform/errors.ts';
import {Type} from '../../src/platform/typebox.ts';
import {integer, map, number, shape} from '../../src/wire/builders.ts';
import type {QuestionRow} from '../../src/wire/rename.ts';
import {FakeEncoder} from '../actors/fixtures.ts';

const Age = shape('Age', 'How old it is.', {
	ageInStates: integer('How many states there were.', 7, {unit: 'states'}),
	byReader: map('Reader → years.', number('Years.', 1), {ada_l: 2}),
});
const age = question({
	name: 'age',
	group: 'Past',
	summary: 'How old it is',
	description: 'The states since the beginning.',
	ask: Type.Object({perReader: Type.Optional(integer('Years of each reader.', 3, {default: 3, minimum: 1}))}, {title: 'AgeRequest'}),
	answer: Age,
	failures: [409, 422],
	isCancellable: true,
});
const asked = [...questions, age];

const make = (compute = async ({state}: {state: {stateId: number}}, {perReader}: {perReader: number}) => ({
	ageInStates: state.stateId,
	byReader: {ada_l: perReader},
})) => {
	Object.assign(computations, {age: compute});
	const identity = createIdentity({encoder: async () => new FakeEncoder()});
	const http = createAsking(asked, identity);
	const [line] = /^\tage: (.*),$/m.exec(rowsText(asked))!.slice(1);
	const rows = {age: JSON.parse(line!) as QuestionRow};
	const service = {
		baseUrl: 'http://service.example',
		fetch: async (input: string | URL | Request, init?: RequestInit) => http.fetch(new Request(input, init)),
	};
	return {
		identity,
		http,
		ask: createClient(service, rows) as unknown as {age: (request?: object) => Promise<object>},
		far: connectIdentity(service, rows),
	};
};

test('a question with a row and a computation is answered by the library, over HTTP and by the client', async t => {
	const {identity, http, ask} = make();
	t.teardown(() => identity.dispose());
	await identity.cycle('The sea is quiet today.');
	t.deepEqual(
		await (identity as unknown as {age: (request: object) => Promise<object>}).age({perReader: 5}),
		{ageInStates: 1, byReader: {ada_l: 5}},
	);
	const response = await http.fetch(new Request('http://service.example/age?per_reader=4'));
	t.deepEqual(await response.json(), {age_in_states: 1, by_reader: {ada_l: 4}});
	t.deepEqual(await ask.age({perReader: 6}), {ageInStates: 1, byReader: {ada_l: 6}});
	t.deepEqual(await ask.age(), {ageInStates: 1, byReader: {ada_l: 3}});
});

test('a remote identity answers it, and the command shows its answer', async t => {
	const {identity, far} = make();
	t.teardown(() => identity.dispose());
	await identity.cycle('The sea is quiet today.');
	t.deepEqual(
		await (far as unknown as {age: (request: object) => Promise<object>}).age({perReader: 5}),
		{ageInStates: 1, byReader: {ada_l: 5}},
	);

	const row = {question: 'age', show: ({ageInStates}: {ageInStates: number}) => `${ageInStates} states`} as unknown as AskingCommand;
	const print = async (...words: string[]) => {
		const command = declareAsking(new Command('age'), row, asked).parse(words, {from: 'user'});
		return printAnswer(readSettings({}, {}), row, givenTo(command), {all: asked, ask: async (_settings, _needs, perform) => perform(far)});
	};
	t.is(await print(), '1 states');
	t.deepEqual(JSON.parse(await print('--per-reader', '2', '--json')), {age_in_states: 1, by_reader: {ada_l: 2}});
	await far.dispose();
});

test('its invalid requests and its errors have the statuses of other questions', async t => {
	const {identity, ask} = make(async () => {
		throw new NoJournalError('There is no journal.');
	});
	t.teardown(() => identity.dispose());
	await identity.ready();
	const wrong = await t.throwsAsync(ask.age({perReader: 0}), {instanceOf: ClientError, message: /^query\.per_reader: /});
	t.is(wrong.status, 422);
	t.is((await t.throwsAsync(ask.age(), {instanceOf: ClientError})).status, 409);
});

test('it is in the document, and in the types with its comments', async t => {
	const {identity, http} = make();
	t.teardown(() => identity.dispose());
	const document = await (await http.fetch(new Request('http://service.example/openapi.json'))).json() as {paths: Record<string, {get: {
		tags: string[];
		parameters: Array<{name: string}>;
	}}>};
	t.deepEqual(document.paths['/age']!.get.tags, ['Past']);
	t.deepEqual(document.paths['/age']!.get.parameters.map(({name}) => name), ['per_reader']);
	const types = typesText(asked, {asked: [], answered: []});
	t.regex(types, /\/\*\* How many states there were\. In states\. \*\/\n\treadonly ageInStates: number;/);
	t.is(types.match(/\tage\(request\?: AgeRequest, options\?: CallOptions\): Promise<Age>;/g)!.length, 2);
});
