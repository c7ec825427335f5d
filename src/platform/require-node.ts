/** Imported first by every entry: throws if Node is too old, before anything else fails. */
import {describeOldNode} from './node-version.ts';

const problem = describeOldNode(globalThis);
if (problem !== null) {
	throw new Error(problem);
}
