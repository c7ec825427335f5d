/**
 * Fault injection for the processes that a test starts: their environment, in which file operations
 * are counted, fail, are torn, or kill the process. The preloaded library `shim.c` does it; it is
 * compiled once for each of its versions.
 */
import {execFileSync} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, realpathSync, renameSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** `read` counts only at the beginning of a file, and only if a rule names it. */
export type Operation = 'create' | 'read' | 'write' | 'truncate' | 'sync' | 'rename' | 'unlink' | 'link' | 'mkdir' | 'copy';

/**
 * `short`: half is written, and the call returns that half, which POSIX allows.
 * `torn`: half is written, and the call fails with ENOSPC.
 */
export type Fault = 'EIO' | 'ENOSPC' | 'short' | 'torn';

export type Rule = {
	operations: readonly Operation[];
	/** The end of the path; any path unless given. */
	file?: string;
	fault: Fault;
	/** The first and the last matching operation that fails; or a probability. */
	when: readonly [number, number] | number;
};

export type Injection = {
	/** Only operations on this folder and below it count. It must exist. */
	under: string;
	/** A file for a line per operation: {@link readOperations}. */
	log?: string;
	/** The operation, from 1 on, at which the process is killed: before it, or half way through a write. */
	kill?: {at: number; how: 'before' | 'half'};
	rules?: readonly Rule[];
	/** The rules hold while this file begins with `1`; always unless given. */
	control?: string;
	/** The seed of the probabilities. */
	seed?: number;
	/** A file for every operation with its bytes. */
	record?: string;
};

const source = fileURLToPath(new URL('shim.c', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/fault-injection', import.meta.url));

/** Several test files may compile at once, in threads of one process: each compiles a separate copy, and the rename is atomic. */
const compile = (): string => {
	const library = path.join(cache, `${createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)}-${process.arch}.so`);
	if (!existsSync(library)) {
		const own = `${library}.${randomUUID()}`;
		mkdirSync(cache, {recursive: true});
		execFileSync(
			'cc',
			['-O1', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror', '-o', own, source, '-ldl', '-lpthread'],
			{stdio: ['ignore', 'ignore', 'pipe']},
		);
		renameSync(own, library);
	}

	return library;
};

const build = (): {library: string; missing: null} | {library: null; missing: string} => {
	if (process.platform !== 'linux') {
		return {library: null, missing: 'needs Linux'};
	}

	try {
		return {library: compile(), missing: null};
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return {library: null, missing: 'needs a C compiler, cc'};
		}

		throw error;
	}
};

const {library, missing} = build();

/** Why no faults can be injected here; null if they can. */
export const whyNoFaults: string | null = missing;

/** The environment variables of a process with these faults. */
export const environmentOf = ({under, log, kill, rules, control, seed, record}: Injection): Record<string, string> => {
	if (library === null) {
		throw new Error(`No faults can be injected: this ${missing}.`);
	}

	return {
		LD_PRELOAD: library,
		FAULTS_UNDER: realpathSync(under),
		...(log !== undefined && {FAULTS_LOG: log}),
		...(record !== undefined && {FAULTS_RECORD: record}),
		...(kill && {FAULTS_KILL_AT: String(kill.at), FAULTS_KILL_HOW: kill.how}),
		...(rules && {FAULTS_RULES: rules.map(textOf).join(';')}),
		...(control !== undefined && {FAULTS_SWITCH: control}),
		...(seed !== undefined && {FAULTS_SEED: String(seed)}),
	};
};

const textOf = ({operations, file = '*', fault, when}: Rule): string =>
	[operations.join(','), file, fault, typeof when === 'number' ? when : when.join('-')].join(':');

export type LoggedOperation = {
	/** From 1 on. */
	number: number;
	operation: Operation;
	file: string;
	/** Bytes of a write; else 0. */
	size: number;
	/** Whether it was done, or how it failed. */
	outcome: 'done' | 'killed' | Fault;
};

/** The operations of a process, in order. */
export const readOperations = async (log: string): Promise<LoggedOperation[]> => {
	const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
	return lines.map(line => {
		const [number, operation, file, size, outcome] = line.split('\t') as [string, Operation, string, string, LoggedOperation['outcome']];
		return {number: Number(number), operation, file, size: Number(size), outcome};
	});
};
