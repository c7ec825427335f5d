/** A stop during the start of the service, and its log lines. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';

/** Starts the service, sends SIGTERM as soon as its log matches, and gives its output. */
const stopAt = async (line: RegExp, environment: Record<string, string>) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'stopping-'));
	const child = spawn(process.execPath, [
		cli, 'serve', '--host', '127.0.0.1', '--port', '0', '--data-dir', folder, '--log-level', 'debug',
	], {
		// Node 22 calls its SQLite experimental.
		env: {...childEnvironment, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', ...environment},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	let errors = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
		if (line.test(output) && !child.killed) {
			child.kill();
		}
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const [code] = await once(child, 'close');
	return {code: code as number | null, output, errors};
};

for (const step of ['"model:', 'new journal', '"translator:']) {
	test(`stopped at ${step}, the service does not become ready and ends without an error`, async t => {
		const {code, output, errors} = await stopAt(new RegExp(step), {RESUME_DAEMON: 'true'});
		t.regex(output, /stopping on SIGTERM[^]*stopped/);
		t.notRegex(output, /stopping on SIGTERM[^]*ready at/);
		t.is(errors, '');
		t.is(code, 0);
	});
}

test('the log shows the host of the inspector, and none of its credentials', async t => {
	await using model = await startFakeModel();
	const {output} = await stopAt(/inspector not connected/, {
		...model.settings(),
		INSPECTOR_URL: 'ws://bob:secret-word@127.0.0.1:9/?token=secret-token',
	});
	t.regex(output, /"inspector":"127\.0\.0\.1:9"/);
	t.notRegex(output, /secret/);
});
