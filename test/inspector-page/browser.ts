/**
 * A browser for the tests of the page. If there is none and none can be installed, a warning
 * names what to do and the tests are skipped. If CI is set, they fail instead.
 */
import test, {type ExecutionContext} from 'ava';
import type {Browser, BrowserContextOptions, Page} from 'playwright-core';
import {canHaveBrowser, launch} from './launch.ts';

const hasBrowser = canHaveBrowser();

if (!hasBrowser) {
	const how = 'The tests of the inspector found no browser. Install Chromium (Debian: apt-get install chromium), or set '
		+ 'CHROMIUM to the path of one.';
	if (process.env['CI']) {
		throw new Error(how);
	}

	console.warn(`${how} These tests are skipped.`);
}

/** `test`, for tests that need a browser; one page after another, so that each gets enough processor time. */
export const inBrowser = hasBrowser ? test.serial : test.serial.skip;

/** One browser for the tests of a file; each test gets its own pages. */
export const useBrowser = (...more: readonly string[]) => {
	let browser: Browser | undefined;
	if (hasBrowser) {
		test.before('the browser starts', async (t) => {
			// Long enough to install one.
			t.timeout(900_000);
			browser = await launch(more);
		});
		test.after.always('the browser ends', async () => browser?.close());
	}

	return async (t: Pick<ExecutionContext, 'teardown' | 'timeout'>, options: BrowserContextOptions = {}): Promise<Page> => {
		t.timeout(600_000);
		const context = await browser!.newContext({viewport: {width: 1440, height: 1000}, ...options});
		t.teardown(() => context.close());
		const page = await context.newPage();
		page.setDefaultTimeout(300_000);
		return page;
	};
};
