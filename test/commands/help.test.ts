/** `--help`: short by default, with examples that exist; with `--all` every setting. */
import {execFile} from 'node:child_process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import type {AnyQuestion} from '../../src/http/question.ts';
import {questions} from '../../src/http/questions.ts';
import {toFlag} from '../../src/commands/setting-options.ts';
import {Settings} from '../../src/commands/settings.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';

const flags = Object.keys(Settings.properties).map(toFlag);

const optionsIn = (text: string): string[] => [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option!);

const commandsIn = (text: string): string[] =>
	[...text.slice(text.indexOf('Commands:')).matchAll(/^ {2}([a-z][\w-]*)(?:\|[\w-]+)?(?= \[|\n| {2})/gm)].map(([, name]) => name!);

/** The lines of examples that call the program. */
const examplesIn = (text: string): string[] =>
	[...text.slice(text.indexOf('Examples:')).matchAll(
		/^ {2}(?:\w+=\S+ )?processual ([^|\n]*?)(?: {2,}.*| \|.*)?$/gm,
	)].map(([, example]) => example!.trim());

const run = async (...given: string[]): Promise<string> =>
	(await promisify(execFile)(process.execPath, given, {env: childEnvironment, maxBuffer: 2 ** 24})).stdout;

/** As a user asks for it. */
const ofProgram = await run(cli, '--help');

const commands = commandsIn(ofProgram).filter(name => name !== 'help');

/** The help texts that the tests read, by arguments. One process prints them all: each start takes half a second of processor time. */
const asked = ['', '--all', 'serve', 'history', 'what-if', 'validate', ...commands.map(name => `${name} --all`)];
const lists = asked.map(given => [...given.split(' ').filter(Boolean), '--help']);
const printHelp = fileURLToPath(new URL('../helpers/print-help.ts', import.meta.url));
const program = path.join(path.dirname(cli), `commands/program${path.extname(cli)}`);
const printed = JSON.parse(await run(printHelp, program, JSON.stringify(lists))) as string[];
const helps = new Map(asked.map((given, i) => [given, printed[i]!]));

const help = (given: string): string => helps.get(given)!;

test('the program\'s help is short, and shows no settings', t => {
	const text = help('');
	t.is(text, ofProgram);
	t.true(commands.includes('serve'));
	t.deepEqual(optionsIn(text), ['--version', '--help']);
	t.true(text.split('\n').length < 70, text);
	t.true(text.split('\n').every(line => line.length <= 100));
});

test('the program\'s help with --all shows every setting', t => {
	const shown = new Set(optionsIn(help('--all')));
	t.deepEqual(flags.filter(flag => !shown.has(flag)), []);
});

test('the help of serve is short, and with --all shows every setting', t => {
	const few = help('serve');
	t.true(few.split('\n').length < 50, few);
	t.regex(few, /--port <value>[^]*PORT[^]*Default: 8100/);
	const whole = new Set(optionsIn(help('serve --all')));
	t.deepEqual(flags.filter(flag => !whole.has(flag)), []);
});

test('every command has examples, which use only existing commands and options', t => {
	const known = new Map<string, Set<string>>();
	const examples = examplesIn(help(''));
	for (const command of commands) {
		const text = help(`${command} --all`);
		known.set(command, new Set(optionsIn(text)));
		const own = examplesIn(text);
		t.true(own.length > 0 && own.every(example => example.startsWith(command)), `${command} has no examples in src/commands/help.ts`);
		examples.push(...own);
	}

	for (const example of examples) {
		const [command = '', ...rest] = example.split(' ');
		t.true(known.has(command), example);
		t.deepEqual(rest.filter(word => word.startsWith('--') && !known.get(command)!.has(word)), [], example);
	}
});

/** Without line breaks. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

for (const command of ['look', 'demo']) {
	test(`the help of ${command} shows its own default folder and address`, t => {
		const text = flat(help(`${command} --all`));
		t.regex(text, /\(DATA_DIR\) Default: a temporary folder, which the same command finds again\./);
		t.regex(text, /\(HOST\) Default: "127\.0\.0\.1"\./);
		t.regex(flat(help('serve')), /\(DATA_DIR\) Default: "\.processual"\./);
	});
}

for (const {question, name = question} of [{question: 'history'}, {question: 'whatIf', name: 'what-if'}, {question: 'validate'}]) {
	test(`the help of ${name} describes every field of its question as the API does`, t => {
		const {summary, ask} = questions.find(row => row.name === question)! as AnyQuestion;
		const text = flat(help(name));
		t.true(text.includes(`${summary}.`));
		const fields = Object.values(ask!.properties) as Array<{description: string; properties?: Record<string, {description: string}>}>;
		for (const {description} of fields.flatMap(field => field.properties ? Object.values(field.properties) : [field])) {
			t.true(text.includes(flat(description)), description);
		}
	});
}
