#!/usr/bin/env node
/** The command `processual`. It imports the program only where Node is new enough to load it. */
import {describeOldNode} from './node-version.ts';

const problem = describeOldNode(globalThis);
if (problem === null) {
	await import('./commands/program.ts');
} else {
	process.stderr.write(`${problem}\n`);
	process.exitCode = 1;
}
