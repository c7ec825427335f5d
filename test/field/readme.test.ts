/** The commands of the README and a guide, run with the installed package as a reader runs them. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {replay} from '../helpers/replay.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import {sourceOf} from '../../src/instruments/source-of.ts';
import type {StoredRecord} from '../../src/journal/journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {root} from '../helpers/built-package.ts';
import {findFreePort} from '../helpers/find-free-port.ts';
import {networked} from '../helpers/registry.ts';
import {interrupt, inTerminal} from './commands.ts';
import {userEnvironment, userFolder} from './installed.ts';

const readme = await readFile(path.join(root, 'README.md'), 'utf8');

/** The commands in the console blocks of a section, each with the output that the document shows. */
const consolesOf = (title: string, document = readme): Array<[command: string, prints: string]> => {
	const section = document.split(/^##+ /m).find(text => text.startsWith(`${title}\n`))!;
	return Array.from(section.matchAll(/^```console\n(.*?)^```/gms)).flatMap(([, console]) =>
		console!.split(/^\$ /m).slice(1).map((entry): [string, string] => {
			const [command = '', ...prints] = entry.trim().split('\n');
			return [command, prints.join('\n')];
		}));
};

/** A value without what depends on the random beginning: numbers, and the order of names. */
const withoutChance = (value: unknown): unknown => {
	if (typeof value === 'number') {
		return 'a number';
	}

	if (Array.isArray(value)) {
		return value.every(each => typeof each === 'string') ? value.length : value.map(withoutChance);
	}

	return value !== null && typeof value === 'object'
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutChance(each)]))
		: value;
};

/** The lines that a command printed, without what depends on the random beginning. */
const linesOf = (printed: string): unknown[] => printed.trim().split('\n').map(line => withoutChance(JSON.parse(line)));

networked('the first conversation of the README prints what it shows', async t => {
	const [, start] = /^\| \*\*a service\*\* \| `(processual serve)`/m.exec(readme)!;
	const service = await inTerminal(t, `${start!} --host 127.0.0.1 --port 0`);
	const [, url] = await service.waitFor(/ready at (\S+) after/);
	const conversation = consolesOf('A first conversation');
	t.true(conversation.length >= 3);
	for (const [command, prints] of conversation) {
		const {stdout} = await promisify(execFile)('sh', ['-c', command.replaceAll('localhost:8100', url!)]);
		t.deepEqual(linesOf(stdout), linesOf(prints), command);
	}

	t.regex(await (await fetch(`${url!}/inspector`)).text(), /<title>/);
	service.type(interrupt);
	await service.ended;
	t.regex(service.output, /stopped/);
});

networked('the story of Viktor in the README prints what it shows, to the last digit', async t => {
	const folder = path.join(await userFolder(t), 'story');
	const commands = consolesOf('The story of Viktor');
	t.is(commands.length, 7);
	for (const [command, prints] of commands) {
		const printed = await promisify(execFile)('sh', ['-c', command.replaceAll('/tmp/life', folder)], {env: await userEnvironment()});
		t.is(printed.stdout.trimEnd(), prints, command);
	}

	using reader = new JournalReader(path.join(folder, 'journal'));
	const {initial, reference} = reader.genesis;
	const rules = {kernel: selectKernel(), authority: minimalAuthority, initial, reference};
	const heard: StoredRecord[] = [];
	for await (const {record} of reader.replay()) {
		if (record.kind === 'cycle' && sourceOf(record) !== 'Viktor') {
			heard.push(record);
		}
	}

	t.is(heard.length, 3674);
	t.deepEqual(reader.current.rows, replay(rules, startReplay(rules), heard).state.rows, 'the state is that of a history '
		+ 'without Viktor, bit for bit');
});

networked('the pasted commands for durability show that an answered cycle survives a kill', async t => {
	const guide = await readFile(path.join(root, 'docs/operations.md'), 'utf8');
	const port = await findFreePort();
	const lines = consolesOf('Durability', guide).map(([command]) => command).join('\n')
		.replaceAll('processual serve', `processual serve --host 127.0.0.1 --port ${port} >> log`)
		.replaceAll('localhost:8100', `localhost:${port}`);
	const place = {cwd: await userFolder(t), env: await userEnvironment()};
	const {stdout} = await promisify(execFile)('bash', ['-c', `${lines}\nkill $PID\nwait`], place);
	t.regex(stdout, /^1\n([\da-f]{16})\1$/);
	t.notRegex(stdout, /e3b0c44298fc1c14/, 'the digest of empty output');
});
