/** The README's own commands, run from the installed package as a reader runs them. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {root} from '../helpers/built-package.ts';
import {networked} from '../helpers/registry.ts';
import {interrupt, inTerminal} from './commands.ts';

const readme = await readFile(path.join(root, 'README.md'), 'utf8');

/** The commands of the consoles in a section, each with what the README says that it prints. */
const consolesOf = (title: string): Array<[command: string, prints: string]> => {
	const section = readme.split(/^##+ /m).find(text => text.startsWith(`${title}\n`))!;
	return Array.from(section.matchAll(/^```console\n(.*?)^```/gms)).flatMap(([, console]) =>
		console!.split(/^\$ /m).slice(1).map((entry): [string, string] => {
			const [command = '', ...prints] = entry.trim().split('\n');
			return [command, prints.join('\n')];
		}));
};

/** What holds for every random beginning: all but the numbers, and the order of names that follows from them. */
const withoutChance = (value: unknown): unknown => {
	if (typeof value === 'number') {
		return 'a number';
	}

	if (Array.isArray(value)) {
		return value.every(each => typeof each === 'string') ? value.length : value.map(withoutChance);
	}

	return value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutChance(each)])) : value;
};

networked('its first conversation goes as it says', async t => {
	const [, start] = /^\| \*\*a service\*\* \| `(npx processual-state serve)`/m.exec(readme)!;
	const service = await inTerminal(t, `${start!} --host 127.0.0.1 --port 0`);
	const [, url] = await service.said(/ready at (\S+) after/);
	const conversation = consolesOf('A first conversation');
	t.true(conversation.length >= 5);
	for (const [command, prints] of conversation) {
		const {stdout} = await promisify(execFile)('sh', ['-c', command.replaceAll('localhost:8100', url!)]);
		t.deepEqual(withoutChance(JSON.parse(stdout)), withoutChance(JSON.parse(prints)), command);
	}

	t.regex(await (await fetch(`${url!}/inspector`)).text(), /<title>/);
	service.type(interrupt);
	await service.ended;
	t.regex(service.output, /stopped/);
});
