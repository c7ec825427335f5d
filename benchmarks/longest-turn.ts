/**
 * Preloaded into a service: measures the longest turn of its event loop, in milliseconds of the
 * main thread's CPU time, which does not depend on other programs. On SIGWINCH it writes the
 * figure to a file and starts again.
 */
import {writeFileSync} from 'node:fs';
import {isMainThread} from 'node:worker_threads';

const file = process.env['LONGEST_TURN_FILE'];

const used = (): number => {
	const {user, system} = process.threadCpuUsage();
	return (user + system) / 1000;
};

if (isMainThread && file !== undefined) {
	let longest = 0;
	let last = used();
	setInterval(() => {
		const now = used();
		longest = Math.max(longest, now - last);
		last = now;
	}, 1).unref();
	process.on('SIGWINCH', () => {
		writeFileSync(file, String(longest));
		longest = 0;
	});
}
