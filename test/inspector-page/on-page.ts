/** What a user sees of the page, by the names of its parts. */
import type {Page} from 'playwright-core';

/** Opens the page, and waits until everything is drawn and the stream is live. */
export const open = async (page: Page, url: string): Promise<void> => {
	await page.goto(`${url}/inspector`);
	await page.waitForFunction(() => document.querySelectorAll('.drawing > svg').length === 4);
	await shows(page, '#connection', 'live');
	await shows(page, '[data-machine=daemon] .standing', /^mode/);
};

/** Waits until an element's text is this, or is like this. */
export const shows = (page: Page, selector: string, text: string | RegExp): Promise<unknown> => page.waitForFunction(
	([place, source, isExact]) => {
		const shown = document.querySelector(place!)?.textContent ?? '';
		return isExact === 'yes' ? shown === source : new RegExp(source!).test(shown);
	},
	typeof text === 'string' ? [selector, text, 'yes'] : [selector, text.source, 'no'],
);

/** Says something, and waits for what came of it. */
export const say = async (page: Page, text: string, outcome: RegExp = /^State \d+/): Promise<void> => {
	await page.getByLabel('Say something').fill(text);
	await page.getByRole('button', {name: 'Say it'}).click();
	await shows(page, '#outcome', outcome);
};

/** The states that a machine is in, as its drawing shows them. */
export const activeStates = (page: Page, machine: string): Promise<string[]> =>
	page.locator(`[data-machine=${machine}] .state.active`).evaluateAll((states) => states.map((state) => (state as SVGElement).dataset['state']!));

/** Waits until the drawing shows a state as active. */
export const isIn = (page: Page, state: string): Promise<void> => page.locator(`[data-state="${state}"].active`).waitFor();

/** The events in the log, as `who type`. */
export const log = (page: Page): Promise<string[]> =>
	page.locator('#log .event').evaluateAll((rows) => rows.map((row) => `${row.querySelector('.who')!.textContent} ${row.querySelector('.type')!.textContent}`));

/** The errors that a page has, and what it does against its own policy, from now on. */
export const errorsOf = (page: Page): readonly string[] => {
	const errors: string[] = [];
	page.on('pageerror', (error) => errors.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error') {
			errors.push(message.text());
		}
	});
	return errors;
};
