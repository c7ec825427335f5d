/** A contestant: a separate program that does the kernels' work for each line of input. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

/** `rules` is a cycle with the rules that decide its pull, level and message. */
export type Task = 'cycle' | 'rules' | 'profile' | 'nearest';

/** The results of the tasks: 100 cycles, 128 directions on two states, and one search. */
export type Results = {
	/** 1024 floats of the new thirdness. */
	thirdness: ArrayLike<number>;
	/** 8, of the last input with the rows. */
	cosines: ArrayLike<number>;
	/** 3, of the last input from secondness, thirdness and valeurs. */
	gaps: ArrayLike<number>;
	/** 8, from the reference. */
	distances: ArrayLike<number>;
	/** The sum of the steps. */
	drift: number;
	/** 128 values of the state, then 128 of the reference. */
	profile?: ArrayLike<number>;
	/** 10, the nearest first. */
	places?: ArrayLike<number>;
	near?: ArrayLike<number>;
};

/** Runs each task a number of times, and returns the results. */
export type Work = {runs: Partial<Record<Task, (count: number) => unknown>>; results(): Results};

export type Contestant = {
	name: string;
	tasks: readonly Task[];
	/** Nanoseconds of one run, of `count` in a row. */
	time(task: Task, count: number): Promise<number>;
	results(): Promise<Results>;
	close(): void;
};

/** A contestant that cannot take part here, and why. */
export type Missing = {name: string; missing: string};

type Options = {tasks: readonly Task[]; env?: NodeJS.ProcessEnv};

/** A program that answers a line with a line: `<task> <count>` with nanoseconds, `results` with JSON. */
export const contestant = (name: string, command: string, words: readonly string[], {tasks, env}: Options): Contestant => {
	const child = spawn(command, words, {stdio: ['pipe', 'pipe', 'inherit'], env: {...process.env, ...env}});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const ask = async (line: string): Promise<string> => {
		child.stdin.write(`${line}\n`);
		const {done, value} = await lines.next();
		if (done) {
			const [code] = child.exitCode === null ? await once(child, 'exit') as [number | null] : [child.exitCode];
			throw new Error(`${name} ended with ${code} when it was asked for “${line}”.`);
		}

		return value;
	};

	return {
		name,
		tasks,
		time: async (task, count) => Number(await ask(`${task} ${count}`)),
		results: async () => JSON.parse(await ask('results')) as Results,
		close() {
			child.stdin.end();
		},
	};
};
