/** `--help`: short by default, with examples that exist; with `--all` every setting. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';
import type {AnyQuestion} from '../../src/http/question.ts';
import {questions} from '../../src/http/questions.ts';
import {toFlag} from '../../src/commands/setting-options.ts';
import {Settings} from '../../src/commands/settings.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';

/** What was printed, by what was given: each help is printed once for all tests. */
const printed = new Map<string, Promise<{stdout: string}>>();

const help = async (...given: string[]): Promise<string> => {
	const key = given.join(' ');
	if (!printed.has(key)) {
		printed.set(key, promisify(execFile)(process.execPath, [cli, ...given, '--help'], {env: childEnvironment}));
	}

	return (await printed.get(key)!).stdout;
};

const flags = Object.keys(Settings.properties).map(toFlag);

const optionsIn = (text: string): string[] => [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option!);

const commandsIn = (text: string): string[] =>
	[...text.slice(text.indexOf('Commands:')).matchAll(/^ {2}([a-z][\w-]*)(?:\|[\w-]+)?(?= \[|\n| {2})/gm)].map(([, name]) => name!);

/** The lines of examples that call the program. */
const examplesIn = (text: string): string[] =>
	[...text.slice(text.indexOf('Examples:')).matchAll(
		/^ {2}(?:\w+=\S+ )?processual ([^|\n]*?)(?: {2,}.*| \|.*)?$/gm,
	)].map(([, example]) => example!.trim());

test('the program\'s help names every command in short, and shows no setting', async t => {
	const text = await help();
	t.true(commandsIn(text).includes('serve'));
	t.deepEqual(optionsIn(text), ['--version', '--help']);
	t.true(text.split('\n').length < 70, text);
	t.true(text.split('\n').every(line => line.length <= 100));
});

test('with --all it shows every setting', async t => {
	const shown = new Set(optionsIn(await help('--all')));
	t.deepEqual(flags.filter(flag => !shown.has(flag)), []);
});

test('the help of serve shows the settings that are changed most, and with --all every one', async t => {
	const few = await help('serve');
	t.true(few.split('\n').length < 50, few);
	t.regex(few, /--port <value>[^]*PORT[^]*Default: 8100/);
	const whole = new Set(optionsIn(await help('serve', '--all')));
	t.deepEqual(flags.filter(flag => !whole.has(flag)), []);
});

test('every command has examples, of commands and options that exist', async t => {
	const commands = commandsIn(await help()).filter(name => name !== 'help');
	const known = new Map<string, Set<string>>();
	const examples = examplesIn(await help());
	for (const command of commands) {
		const text = await help(command, '--all');
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

/** Without the breaks of lines. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

for (const {question, name = question} of [{question: 'history'}, {question: 'whatIf', name: 'what-if'}, {question: 'validate'}]) {
	test(`${name} has every field of its question as an argument or an option, in the words of the interface`, async t => {
		const {summary, ask} = questions.find(row => row.name === question)! as AnyQuestion;
		const text = flat(await help(name));
		t.true(text.includes(`${summary}.`));
		const fields = Object.values(ask!.properties) as Array<{description: string; properties?: Record<string, {description: string}>}>;
		for (const {description} of fields.flatMap(field => field.properties ? Object.values(field.properties) : [field])) {
			t.true(text.includes(flat(description)), description);
		}
	});
}
