/** A name for what is put aside: `journal.1` beside `journal`, or the next number that is free. */
import {readdirSync} from 'node:fs';
import path from 'node:path';

export const findFreeName = (place: string): string => {
	const taken = new Set(readdirSync(path.dirname(place)));
	let number = 1;
	while (taken.has(`${path.basename(place)}.${number}`)) {
		number++;
	}

	return `${place}.${number}`;
};
