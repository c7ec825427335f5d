/** What a process uses of the machine. Read from /proc, so on Linux alone. */
import {readdirSync, readFileSync} from 'node:fs';
import {setPriority} from 'node:os';

/** Linux counts the time of processes in hundredths of a second, whatever its own clock. */
const ticksPerSecond = 100;

/** Milliseconds of processor time so far, of all threads. */
export const processorTimeOf = (pid: number): number => {
	// After the program's name, which may contain blanks.
	const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond;
};

/** MB in memory: now, or at most so far. */
export const residentOf = (pid: number, which: 'now' | 'most' = 'now'): number =>
	Number(new RegExp(`^${which === 'now' ? 'VmRSS' : 'VmHWM'}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) * 1.024 / 1000;

/** Lets processes of usual priority go first. Linux has a priority for each thread; threads to come inherit it. */
export const giveWay = (pid: number): void => {
	for (const thread of readdirSync(`/proc/${pid}/task`)) {
		setPriority(Number(thread), 5);
	}
};
