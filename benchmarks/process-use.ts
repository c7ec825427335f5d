/** The resources that a process uses, read from /proc, so on Linux only. */
import {readdirSync, readFileSync} from 'node:fs';
import {setPriority} from 'node:os';

/** Linux counts the time of processes in hundredths of a second, whatever the rate of its own clock. */
const ticksPerSecond = 100;

/** Milliseconds of processor time so far, from a file of /proc. */
const timeIn = (file: string): number => {
	// After the program's name, which may contain blanks.
	const fields = readFileSync(file, 'latin1').split(') ').at(-1)!.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond;
};

/** Milliseconds of processor time so far, of all threads. */
export const processorTimeOf = (pid: number): number => timeIn(`/proc/${pid}/stat`);

/** The same of each thread, by its number. Threads of V8 have names; the first thread is the main one. */
export const processorTimesOf = (pid: number): Map<string, {name: string; time: number}> => new Map(readdirSync(`/proc/${pid}/task`).map(thread => {
	const folder = `/proc/${pid}/task/${thread}`;
	return [thread, {name: readFileSync(`${folder}/comm`, 'utf8').trim(), time: timeIn(`${folder}/stat`)}];
}));

/** MB in memory: now, or at most so far. */
export const residentOf = (pid: number, which: 'now' | 'most' = 'now'): number =>
	Number(new RegExp(`^${which === 'now' ? 'VmRSS' : 'VmHWM'}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) * 1.024 / 1000;

/** Lets processes of usual priority go first. Linux has a priority for each thread; new threads inherit it. */
export const giveWay = (pid: number): void => {
	for (const thread of readdirSync(`/proc/${pid}/task`)) {
		setPriority(Number(thread), 5);
	}
};
