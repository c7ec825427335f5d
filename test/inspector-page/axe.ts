/** Accessibility of a page, as axe finds it. */
import {readFileSync} from 'node:fs';
import type {AxeResults, RunOptions} from 'axe-core';
import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Serious and critical violations, with their elements. */
const violationsOf = async (page: Page): Promise<string[]> => {
	if (!await page.evaluate(() => 'axe' in window)) {
		await page.evaluate(axe);
	}

	const {violations} = await page.evaluate(
		(options) => (window as unknown as {axe: {run(options: RunOptions): Promise<AxeResults>}}).axe.run(options),
		{resultTypes: ['violations']} satisfies RunOptions,
	);
	return violations
		.filter(({impact}) => impact === 'serious' || impact === 'critical')
		.flatMap(({id, nodes}) => nodes.map(({target, failureSummary}) => `${id} at ${target.join(' ')}: ${failureSummary}`));
};

/** How many pixels the page extends beyond the window's right edge. */
const overflow = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** No serious violation in either colour scheme, and no horizontal overflow. */
export const checkAccess = async (t: ExecutionContext, page: Page, when: string): Promise<void> => {
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({colorScheme});
		let violations: string[];
		// Loading parts are pale, and loading may begin during the check.
		do {
			await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
			violations = await violationsOf(page);
		} while (await page.locator('[aria-busy=true]').count() > 0);
		t.deepEqual(violations, [], `${colorScheme}, ${when}`);
	}

	t.is(await overflow(page), 0, when);
};
