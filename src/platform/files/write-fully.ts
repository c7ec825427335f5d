/** Writes bytes into an open file, all of them: one call of `writeSync` may write fewer. */
import {writeSync} from 'node:fs';

/** @param bytes Never a string: some runtimes ignore its position. @throws the file system's error; a part may be written then. */
export const writeFully = (descriptor: number, bytes: Uint8Array, position: number): void => {
	for (let written = 0; written < bytes.length;) {
		written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
	}
};
