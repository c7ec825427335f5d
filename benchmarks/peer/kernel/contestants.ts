/** The contestants: ours and simsimd in processes of Node, C compiled for this machine, and NumPy with the installed BLAS libraries. */
import {execFile} from 'node:child_process';
import {globSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {contestant, type Contestant, type Missing, type Task} from './lines.ts';
import {library} from './simsimd.ts';

const run = promisify(execFile);

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const reasonOf = (error: unknown): string => String((error as {stderr?: string}).stderr || error).trim().split('\n').at(-1)!;

const vectorTasks: readonly Task[] = ['cycle', 'profile', 'nearest'];

const tasksInNode = {
	'wasm in place': ['cycle', 'profile'],
	'wasm': ['cycle', 'rules', 'profile', 'nearest'],
	'js': ['cycle', 'rules', 'profile', 'nearest'],
	'simsimd': vectorTasks,
} satisfies Record<string, readonly Task[]>;

export type InNode = keyof typeof tasksInNode;

/** A process for each, as a service has only one kernel: V8 optimises for the calls that it has seen. */
export const inNode = (name: string, which: InNode, scene: string): Contestant | Missing => {
	if (which === 'simsimd') {
		try {
			import.meta.resolve(library);
		} catch {
			return {name, missing: 'it is not installed (npm install --no-save simsimd)'};
		}
	}

	return contestant(name, process.execPath, [fileOf('in-node.ts'), scene, which], {tasks: tasksInNode[which]});
};

/** @param folder where the program goes */
export const inC = async (name: string, scene: string, folder: string): Promise<Contestant | Missing> => {
	const compiler = process.env['CC'] ?? 'gcc';
	const program = path.join(folder, 'limit');
	try {
		await run(compiler, ['-O3', '-march=native', '-Wno-psabi', '-o', program, fileOf('limit.c'), '-lm']);
	} catch (error) {
		return {name, missing: `${compiler} does not compile it: ${reasonOf(error)}`};
	}

	return contestant(name, program, [scene], {tasks: vectorTasks});
};

/** Where Debian and its derivatives keep each BLAS, whichever is the default. */
const libraries = {OpenBLAS: '/usr/lib/*/openblas-pthread/libblas.so.3', 'the reference BLAS': '/usr/lib/*/blas/libblas.so.3'};

/** All compute on one thread. */
const oneThread = {OPENBLAS_NUM_THREADS: '1'};

export const inNumPy = async (name: string, blas: keyof typeof libraries, scene: string, {plainly = false} = {}): Promise<Contestant | Missing> => {
	const python = process.env['PYTHON'] ?? '/usr/bin/python3';
	const [file] = globSync(libraries[blas]);
	if (!file) {
		return {name, missing: `${blas} is not installed (Debian: libopenblas0-pthread, libblas3)`};
	}

	const env = {...oneThread, LD_LIBRARY_PATH: path.dirname(file)};
	try {
		const {stdout} = await run(python, ['-c', 'import numpy; a = numpy.ones((2, 2)); a @ a; print(open("/proc/self/maps").read())'], {env: {...process.env, ...env}, maxBuffer: 2 ** 24});
		if (!stdout.includes(path.dirname(file))) {
			return {name, missing: `this NumPy brings a separate BLAS (Debian: python3-numpy; PYTHON names the interpreter)`};
		}
	} catch (error) {
		return {name, missing: `no NumPy (Debian: python3-numpy): ${reasonOf(error)}`};
	}

	return contestant(name, python, [fileOf('numpy_kernel.py'), scene, ...(plainly ? ['plainly'] : [])], {tasks: plainly ? ['cycle'] : vectorTasks, env});
};
