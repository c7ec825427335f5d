#!/usr/bin/env node
/** The command `processual`. It imports the program only where Node is new enough to load it. */
import {describeOldNode} from './platform/node-version.ts';

const problem = describeOldNode(globalThis);
if (problem === null) {
	// An older Node does not have what these modules export.
	const [{enableCompileCache}, {setFlagsFromString}] = await Promise.all([import('node:module'), import('node:v8')]);
	enableCompileCache();
	// Loading some 500 modules would let the young space grow, which a service limits when it is ready (`tune-v8.ts`).
	setFlagsFromString('--semi-space-growth-factor=1');
	await import('./commands/program.ts');
} else {
	process.stderr.write(`${problem}\n`);
	process.exitCode = 1;
}
