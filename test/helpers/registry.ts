/** A package registry, for tests that install packages. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';

/** Whether npm reaches its registry within five seconds. */
const hasRegistry = async (): Promise<boolean> => {
	try {
		await promisify(execFile)('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000']);
		return true;
	} catch {
		return false;
	}
};

/** If false, tests that install packages are skipped. With CI set, they always run. */
export const isNetworked = Boolean(process.env['CI']) || await hasRegistry();

export const networked = isNetworked ? test : test.skip;
