/** Commands of the installed package, as users start them: at a terminal, or as a service. */
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import type {ExecutionContext} from 'ava';
import {userEnvironment, userFolder} from './installed.ts';

export type Place = {
	/** The working directory; by default a new one. */
	folder?: string;
	/** Settings, added to the environment of the shell. */
	environment?: Record<string, string>;
};

export type Running = {
	readonly pid: number;
	/** All that it wrote so far, on both streams. */
	readonly output: string;
	/** Its exit code, or null if a signal ended it. */
	readonly ended: Promise<number | null>;

	/** Waits until its output matches. @throws with the output if it ends first */
	waitFor(pattern: RegExp): Promise<RegExpExecArray>;

	/** Types at its terminal, or writes to its input. `interrupt` is Ctrl-C. */
	type(text: string): void;

	/** SIGTERM. @returns its exit code */
	stop(): Promise<number | null>;
};

export const interrupt = '\x03';

/** Ends a process that is still running when its test ends. */
const follow = (t: ExecutionContext, child: ChildProcess): Running => {
	const ended = once(child, 'close').then(([code]) => code as number | null);
	let output = '';
	for (const stream of [child.stdout!, child.stderr!]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
			child.emit('output');
		});
	}

	const stop = async (): Promise<number | null> => {
		child.kill('SIGTERM');
		return ended;
	};

	t.teardown(stop);
	return {
		pid: child.pid!,
		get output() {
			return output;
		},
		ended,
		stop,
		async waitFor(pattern) {
			const hasEnded = ended.then(() => true);
			for (;;) {
				const found = pattern.exec(output);
				if (found) {
					return found;
				}

				if (await Promise.race([once(child, 'output').then(() => false), hasEnded]) && !pattern.test(output)) {
					throw new Error(`The command ended before it printed ${pattern}: ${output}`);
				}
			}
		},
		type(text) {
			child.stdin!.write(text);
		},
	};
};

/** Runs a shell line at a new terminal, to which all three streams go unless the line redirects them. */
export const inTerminal = async (t: ExecutionContext, line: string, {folder, environment = {}}: Place = {}): Promise<Running> =>
	follow(t, spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
		cwd: folder ?? await userFolder(t),
		env: {...await userEnvironment(), TERM: 'xterm-256color', SHELL: '/bin/sh', ...environment},
	}));

/** Runs a command without a terminal, as a service manager does. */
const inPipes = async (
	t: ExecutionContext,
	[command, ...words]: readonly [string, ...string[]],
	{folder, environment = {}}: Place = {},
): Promise<Running> =>
	follow(t, spawn(command, words, {
		cwd: folder ?? await userFolder(t),
		env: {...await userEnvironment(), ...environment},
	}));

/**
 * Starts `processual-state serve` on a free port of the loopback interface, with its data in its folder.
 *
 * @param words More words of its command line.
 */
export const serve = async (t: ExecutionContext, words: readonly string[] = [], place: Place = {}): Promise<Running & {url: string}> => {
	const running = await inPipes(t, ['processual-state', 'serve', '--host', '127.0.0.1', '--port', '0', ...words], place);
	const [, url] = await running.waitFor(/ready at (\S+) after/);
	// Copied with its getter.
	return Object.defineProperties({url: url!}, Object.getOwnPropertyDescriptors(running)) as Running & {url: string};
};
