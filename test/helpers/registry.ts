/** A package registry, for tests that install packages. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';

/** Where there is no network this cannot be known; a build server has one. */
const hasRegistry = async (): Promise<boolean> => {
	try {
		await promisify(execFile)('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000']);
		return true;
	} catch {
		return false;
	}
};

/** Where it is false, tests that install packages are skipped; where CI is set, they run. */
export const isNetworked = Boolean(process.env['CI']) || await hasRegistry();

export const networked = isNetworked ? test : test.skip;
