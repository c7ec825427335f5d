/** Finds a free name for a file or folder that is moved aside: `journal~1` beside `journal`, or the next free number. No identity can be named so. */
import {existsSync} from 'node:fs';

export const findFreeName = (file: string): string => {
	let number = 1;
	while (existsSync(`${file}~${number}`)) {
		number++;
	}

	return `${file}~${number}`;
};
