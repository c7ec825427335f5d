/** The packed command at a terminal. */
import {readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {serve as startEmbedder} from '../embedding/server.ts';
import {networked} from '../helpers/registry.ts';
import {interrupt, inTerminal} from './commands.ts';
import {userFolder} from './installed.ts';

networked('serve answers, logs plain lines, and stops on Ctrl-C', async t => {
	const service = await inTerminal(t, 'npx processual-state serve --host 127.0.0.1 --port 0');
	const [, url] = await service.waitFor(/INFO.*ready at (\S+) after/);
	t.like(await (await fetch(`${url!}/health`)).json(), {status: 'ok'});
	service.type(interrupt);
	// The exit code is that of npx, which reports the interrupt.
	await service.ended;
	t.regex(service.output, /INFO.*stopped/);
	t.notRegex(service.output, /"level"|Error/);
});

networked('import and doctor succeed, without escape codes at a dumb terminal', async t => {
	const folder = await userFolder(t);
	await writeFile(
		path.join(folder, 'thoughts.jsonl'),
		'{"content": "The sea is quiet today."}\n{"content": "The harbour is full of boats."}\n',
	);
	for (const line of ['processual-state import thoughts thoughts.jsonl', 'processual-state doctor']) {
		const running = await inTerminal(t, line, {folder, environment: {TERM: 'dumb'}});
		t.is(await running.ended, 0, running.output);
		t.false(running.output.includes('\u001B'), 'a dumb terminal would show it');
	}
});

networked('mcp answers its client while its log is at the terminal, and reembed runs its cycle again', async t => {
	const folder = await userFolder(t);
	const requests = [
		{id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}}},
		{id: 2, method: 'tools/call', params: {name: 'say', arguments: {text: 'The sea is quiet today.', source: 'Ben'}}},
	];
	await writeFile(path.join(folder, 'requests'), requests.map(request => `${JSON.stringify({jsonrpc: '2.0', ...request})}\n`).join(''));
	const server = await inTerminal(t, 'processual-state mcp < requests > answers', {folder});
	t.is(await server.ended, 0, server.output);
	t.regex(await readFile(path.join(folder, 'answers'), 'utf8'), /"state_id":1\b/);
	const url = await startEmbedder(t, (request, response) => {
		response.setHeader('content-type', 'application/json').end(JSON.stringify({
			data: [{index: 0, embedding: Array.from({length: 1024}, () => 1 / 32)}],
		}));
	});
	const environment = {EMBEDDING_MODEL: 'openai:other', EMBEDDING_BASE_URL: `${url}/v1`};
	const reembed = await inTerminal(t, 'processual-state reembed', {folder, environment});
	t.is(await reembed.ended, 0, reembed.output);
	t.regex(reembed.output, /1 cycle was run again/);
});

networked('say reports that a text is held, and verify-forgotten checks a folder by the receipt of a forgetting', async t => {
	const folder = await userFolder(t);
	const run = async (line: string, status = 0): Promise<string> => {
		const running = await inTerminal(t, `processual-state ${line} --data-dir ada`, {folder});
		t.is(await running.ended, status, running.output);
		return running.output;
	};

	await writeFile(
		path.join(folder, 'talk.jsonl'),
		'{"content": "The sea is quiet today.", "source": "Ada"}\n{"content": "They are hiding something from us.", "source": "Viktor"}\n',
	);
	t.false((await run('look talk.jsonl')).includes('\u001B[?'), 'Ctrl-C would leave the terminal in another mode');
	await rm(path.join(folder, 'talk.jsonl'));
	await run('revise "Not theirs." --without-source Viktor --hold');
	t.regex(await run('say "They lie." --source Viktor'), /State 3\..*is held back and moved nothing: Texts of “Viktor” wait/);
	// A killed `look` leaves this file.
	await writeFile(path.join(folder, 'ada/history-under-way.sqlite'), 'They are hiding something from us.');
	const [, file] = /The receipt is in (forgotten-\S+\.json)\. Keep it/.exec(await run('forget "A request." --source Viktor'))!;
	t.regex(await run(`verify-forgotten ${file!} .`), /has the same tombstones[^]*no trace of them was found/);
	await writeFile(path.join(folder, 'backup'), 'They are hiding something from us.');
	t.regex(await run(`verify-forgotten ${file!} .`, 1), /backup: \d+ passages? of texts and 0 of vectors, the first at byte 0/);
});
