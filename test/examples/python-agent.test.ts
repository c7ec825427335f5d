/** The Python agent and its client with a real service: the bundled encoder, a journal, a port. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {listen} from '../../src/http/server.ts';
import {openIdentity} from '../../src/identity/create-identity.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {findFreePort} from '../helpers/find-free-port.ts';
import {createProxy} from '../inspector-page/proxy.ts';

const examples = fileURLToPath(new URL('../../examples/python/', import.meta.url));
const token = 'a-long-secret-of-tests';

const encoder = await loadEncoder();
test.after.always(async () => encoder.dispose());

/** Serves an identity that begins mistrustful, so that something stands out. */
const serve = async (t: ExecutionContext, options: HttpOptions = {}, port = 0) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'python-'));
	const identity = await openIdentity({
		journal: createSqliteJournal({folder}),
		encoder,
		initialState: async () => {
			const row = await encoder.embed('I do not trust anybody; they all lie and hide something.');
			return new StateTensor(0, '2026-01-01T00:00:00.000Z', dimensions.map(() => row));
		},
	});
	const http = createHttp(identity, {inspector: true, validateResponses: true, token, ...options});
	const listening = await listen(http, {host: '127.0.0.1', port, token});
	t.teardown(async () => {
		http.close();
		await listening.close();
		await identity.dispose();
		await rm(folder, {recursive: true});
	});
	return {identity, ...listening};
};

/** Python with the modules of the example; what it prints is collected. */
const startPython = (t: ExecutionContext, ...words: string[]) => {
	const child = spawn('python3', ['-B', '-X', 'utf8', ...words], {
		cwd: examples,
		env: {...childEnvironment, TOKEN: token, PYTHONUNBUFFERED: '1'},
	});
	t.teardown(() => child.kill('SIGKILL'));
	const printed = {out: '', errors: ''};
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		printed.out += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		printed.errors += text;
	});
	const ended = once(child, 'close').then(([code]) => code as number);
	/** Resolves when its output matches. */
	const until = async (stream: 'out' | 'errors', pattern: RegExp): Promise<void> => {
		while (!pattern.test(printed[stream])) {
			await Promise.race([once(stream === 'out' ? child.stdout : child.stderr, 'data'), ended.then(code => {
				throw new Error(`It ended with ${code}: ${printed.errors}`);
			})]);
		}
	};

	return {child, printed, ended, until};
};

/** @returns what the program prints, given a `service`. */
const runWithService = async (t: ExecutionContext, url: string, lines: readonly string[]): Promise<string> => {
	const program = [
		'import os, sys',
		'from processual import Service, ServiceError',
		'service = Service(sys.argv[1], token=os.environ["TOKEN"])',
		...lines,
	].join('\n');
	const {child, printed, ended} = startPython(t, '-c', program, url);
	child.stdin.end();
	t.is(await ended, 0, printed.errors);
	return printed.out;
};

test('the agent runs a cycle for each text of its user and of itself, and answers with what stands out', async t => {
	const {identity, url} = await serve(t);
	const {child, printed, ended, until} = startPython(t, 'agent.py', url, '--user', 'Ada');
	await until('errors', /\[state 0\]/);
	child.stdin.write('The sea is quiet today.\n\nShall we go “out”? 🌊\n');
	await until('out', /\n.*\n/);
	await until('errors', /\[state 4\]/);
	child.stdin.end();
	t.is(await ended, 0, printed.errors);
	t.regex(printed.out, /^(?:I hear you\. You lean .*towards “.+”\.\n){2}$/);
	const stands = identity.scaledProfile({lens: 'thirdness'}).directions
		.filter(({pole}) => pole !== null)
		.toSorted((a, b) => Math.abs(b.z!) - Math.abs(a.z!));
	t.true(printed.out.includes(`towards “${stands[0]!.pole}”.`));
	const {entries} = await identity.ledger({by: 'source'});
	t.deepEqual(entries.filter(({kind}) => kind === 'texts').map(({key, texts}) => [key, texts]).toSorted(), [['Ada', 2], ['self', 2]]);
});

test('the client has methods for operations of the OpenAPI document, and puts arguments where it says', async t => {
	const {identity, url} = await serve(t);
	t.is(await runWithService(t, `${url}/`, [
		'print("post_cycle" in dir(service), service.get_health()["state_id"])',
		'print(service.post_cycle(content="Ünïcode 🌊", metadata={"source": "Ada"})["state_id"])',
		'print(service.get_profile_scaled(lens="thirdness")["lens"])',
		'print(service.get_ledger(by="source")["entries"][-1]["key"])',
	]), 'True 0\n1\nthirdness\nAda\n');
	t.is(identity.state().stateId, 1);
});

test('errors name an unknown operation or parameter, and have the status and code of a refusal', async t => {
	const {url} = await serve(t);
	const raises = (call: string, kind: string, shown: string): string[] =>
		['try:', `\t${call}`, `except ${kind} as error:`, `\tprint(${shown})`];
	const printed = await runWithService(t, url, [
		...raises('service.put_nothing()', 'AttributeError', 'error'),
		...raises('service.get_state(nowhere=1)', 'TypeError', 'error'),
		...raises('service.post_cycle(content=" ")', 'ServiceError', 'error.status, error.retryable'),
		...raises('service.post_validate(note="As it should be.")', 'ServiceError', 'error.status, error.code, error.retryable'),
		...raises('Service(sys.argv[1]).get_state()', 'ServiceError', 'error.status, error.retryable'),
	]);
	t.is(
		printed,
		'The service has no operation put_nothing.\nget_state has no parameter nowhere.\n422 False\n409 baseline_too_short False\n401 False\n',
	);
});

test('a request over the rate limit is retried when the service says so', async t => {
	const {url} = await serve(t, {rateLimit: {requests: 3, seconds: 1}});
	t.is(await runWithService(t, url, ['for i in range(4): print(service.get_state()["state_id"])']), '0\n0\n0\n0\n');
});

test('the client waits for a service that is starting, and names one that cannot be reached in a sentence', async t => {
	const port = await findFreePort();
	const asking = (waits: string) => [
		'import os, sys, time', 'from processual import Service', `time.sleep = lambda seconds: ${waits}`,
		'print(Service(sys.argv[1], token=os.environ["TOKEN"]).get_health()["status"])',
	].join('\n');
	// Its pause ends when the service is there.
	const early = startPython(t, '-c', asking('(print("waits"), sys.stdin.readline())'), `http://127.0.0.1:${port}`);
	await early.until('out', /waits/);
	await serve(t, {}, port);
	early.child.stdin.end('\n');
	t.is(await early.ended, 0, early.printed.errors);
	t.is(early.printed.out, 'waits\nok\n');

	const none = startPython(t, '-c', asking('None'), `http://127.0.0.1:${await findFreePort()}`);
	t.is(await none.ended, 1);
	t.regex(none.printed.errors, /\nOSError: http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*refused\n$/);
	t.notRegex(none.printed.errors, /During handling/);
});

test('events are resumed after a break, each once', async t => {
	const {identity, port} = await serve(t);
	const proxy = await createProxy(t, port);
	const {printed, until} = startPython(t, '-c', [
		'import os, sys',
		'from processual import Service',
		'for kind, data in Service(sys.argv[1], token=os.environ["TOKEN"]).events(types="cycle.done,mode.changed"): print(kind, '
			+ 'data.get("state_id", ""))',
	].join('\n'), proxy.url);
	await until('out', /mode\.changed/);
	await identity.cycle('one');
	await until('out', /cycle\.done 1\n/);
	proxy.cut();
	await identity.cycle('two');
	await identity.cycle('three');
	await until('out', /cycle\.done 3\n/);
	t.deepEqual(printed.out.match(/cycle\.done \d/g), ['cycle.done 1', 'cycle.done 2', 'cycle.done 3']);
});
