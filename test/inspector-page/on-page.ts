/** What a user sees and does on the page. */
import type {Page} from 'playwright-core';

/** Opens the page, and waits until its stream is live. */
export const open = async (page: Page, url: string): Promise<void> => {
	await page.goto(`${url}/inspector`);
	await hasText(page, '#connection', 'live');
	await hasText(page, '#state-id', /^\d+$/);
};

/** Opens the page at its machines, and waits until all charts are drawn and follow the service. */
export const openMachines = async (page: Page, url: string): Promise<void> => {
	await page.goto(`${url}/inspector#machines`);
	await page.waitForFunction(() => document.querySelectorAll('.drawing > svg').length === 4);
	await hasText(page, '#connection', 'live');
	await hasText(page, '[data-machine=daemon] .status', /^mode/);
};

/** Shows a view of the page. */
export const showView = (page: Page, name: 'The person' | 'Machines'): Promise<void> => page.getByRole('tab', {name}).click();

/**
 * Waits until an element's text equals the string or matches the expression.
 *
 * @param section A section that loads only near the window. It is kept in view until then, since content above may move it out.
 */
export const hasText = (page: Page, selector: string, text: string | RegExp, section = ''): Promise<unknown> => page.waitForFunction(
	([place, source, isExact, near]) => {
		if (near) {
			document.querySelector(near)!.scrollIntoView({block: 'nearest'});
		}

		const content = document.querySelector(place!)?.textContent ?? '';
		return isExact === 'yes' ? content === source : new RegExp(source!).test(content);
	},
	[selector, typeof text === 'string' ? text : text.source, typeof text === 'string' ? 'yes' : 'no', section],
);

/** Sends a text in the view of the person, and waits for the outcome. The view that was shown is shown again. */
export const say = async (page: Page, text: string, outcome: RegExp = /^State \d+/): Promise<void> => {
	const isShown = await page.locator('#person').isVisible();
	await showView(page, 'The person');
	await page.getByLabel('Say something').fill(text);
	await page.getByRole('button', {name: 'Say it'}).click();
	await hasText(page, '#outcome', outcome);
	if (!isShown) {
		await showView(page, 'Machines');
	}
};

/** Ticks a source among those to leave out: the choices load once they are near the window. */
export const tick = async (page: Page, source: string): Promise<void> => {
	await hasText(page, '#sources', new RegExp(`${source} \\(\\d`), '#without');
	await page.getByLabel(new RegExp(`^${source}`)).check();
};

/** The states that the chart of a machine shows as active. */
export const listActiveStates = (page: Page, machine: string): Promise<string[]> =>
	page.locator(
		`[data-machine=${machine}] .state.active`,
	).evaluateAll((states) => states.map((state) => (state as SVGElement).dataset['state']!));

/** Waits until a chart shows a state as active. */
export const isActive = (page: Page, state: string): Promise<void> => page.locator(`[data-state="${state}"].active`).waitFor();

/** The events in the log, as `from → to type`. */
export const listEvents = (page: Page): Promise<string[]> =>
	page.locator(
		'#log .event',
	).evaluateAll((rows) => rows.map((row) => `${row.querySelector('.actors')!.textContent} ${row.querySelector('.type')!.textContent}`));

/** The errors of a page from now on, with violations of its policy. Without a journal, a question about the past is answered with 409. */
export const collectErrors = (page: Page): readonly string[] => {
	const errors: string[] = [];
	page.on('pageerror', (error) => errors.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error' && !message.text().includes('status of 409')) {
			errors.push(message.text());
		}
	});
	return errors;
};

/** Words of at most `maxLetters` letters that are broken across lines: every screen has room for ten. */
export const listBrokenWords = (page: Page, maxLetters = 10): Promise<string[]> => page.evaluate((max) => {
	const broken: string[] = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const text = texts.currentNode;
		const words = text.parentElement!.checkVisibility() ? text.textContent!.matchAll(/[\p{L}\p{N}]+/gu) : [];
		for (const {0: word, index} of words) {
			const range = document.createRange();
			range.setStart(text, index);
			range.setEnd(text, index + word.length);
			const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
			if (word.length <= max && lines.size > 1) {
				broken.push(word);
			}
		}
	}

	return broken;
}, maxLetters);
