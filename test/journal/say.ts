/** Output of processes that tests kill. */
import {writeSync} from 'node:fs';

/** Writes the whole line at once, so that the parent reads it even if this process is killed next. */
export const say = (line: string): void => {
	for (;;) {
		try {
			writeSync(1, line);
			return;
		} catch (error) {
			// The pipe is full: the parent reads slowly.
			if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
				throw error;
			}
		}
	}
};
