/** The types and the client’s names, which are generated from the table of questions, match its schemas. */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import {askedRows} from '../../scripts/asked-rows.ts';
import {rowsText} from '../../scripts/generated-types.ts';
import type {Static, TSchema} from '../../src/platform/typebox.ts';
import type {Asking, CycleRequest, CycleResponse, Questions} from '../../src/generated/types.ts';
import {rows} from '../../src/generated/rows.ts';
import type {AnswerBySchema} from '../../src/http/question.ts';
import {questions} from '../../src/http/questions.ts';
import type * as cycle from '../../src/http/schemas/changes.ts';
import {toWire} from '../../src/wire/names.ts';
import {camelName, renameAll, snakeName} from '../../src/wire/rename.ts';

type Row = (typeof questions)[number];
type Same<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false;

test('the generated types are those that TypeBox derives from the schemas', t => {
	// The compiler compares; a difference is an error here.
	const answers: Same<
		{[Name in Row['name']]: Awaited<ReturnType<Asking[Name]>>},
		{[Each in Row as Each['name']]: AnswerBySchema<Each['answer']>}
	> = true;
	type Asked = Extract<Row, {ask?: TSchema}>;
	const asked: {[Each in Asked as Each['name']]: Static<NonNullable<Each['ask']>>} extends
		{[Name in Asked['name']]: NonNullable<Parameters<Asking[Name]>[0]>} ? true : false = true;
	const ofCycle: [
		Same<CycleResponse, AnswerBySchema<typeof cycle.CycleResponse>>,
		Static<typeof cycle.CycleRequestSchema> extends CycleRequest ? true : false,
	] = [
		true, true,
	];
	const ofLibrary: keyof Questions extends keyof Asking ? true : false = true;
	t.true(answers && asked && ofLibrary && ofCycle.every(Boolean));
});

test('the generated rows are those of the table', async t => {
	t.is(await readFile(new URL('../../src/generated/rows.ts', import.meta.url), 'utf8'), rowsText(askedRows), 'run npm run generate');
});

for (const {name, answer, ask} of questions) {
	test(`a client of ${name} receives names in camel case, and sends those of the wire`, t => {
		const [, , answerData, askData, renames] = rows[name]!;
		const [answered] = (answer as unknown as {examples: object[]}).examples;
		t.deepEqual(renameAll(toWire(answer)(answered), camelName, answerData), answered);
		const [asked = {}] = (ask as {examples?: object[]} | undefined)?.examples ?? [];
		t.deepEqual(renameAll(asked, own => renames?.[own] ?? snakeName(own), askData), ask ? toWire(ask)(asked) : {});
	});
}

test('metadata is sent unchanged, at every depth', t => {
	const request = {content: 'A text.', metadata: {noteBook: {pageNumber: [{lineNumber: 7}]}}};
	t.deepEqual(renameAll(request, snakeName, rows['dryRun']![3]), request);
});
