/** Records highlighted states: a cycle ends too soon to be observed step by step. */
import type {Page} from 'playwright-core';

type Watched = Window & {highlighted?: string[]};

/** From now on, records every state that is highlighted. */
export const watchHighlights = (page: Page, machine: string): Promise<void> => page.evaluate((id) => {
	const recorded: string[] = [];
	const current = new Set<EventTarget>();
	(window as Watched).highlighted = recorded;
	new MutationObserver((changes) => {
		for (const {target} of changes) {
			const {dataset, classList} = target as SVGElement;
			if (!classList.contains('highlighted')) {
				current.delete(target);
			} else if (dataset['state'] !== undefined && !current.has(target)) {
				current.add(target);
				recorded.push(dataset['state']);
			}
		}
	}).observe(document.querySelector(`[data-machine=${id}]`)!, {subtree: true, attributes: true, attributeFilter: ['class']});
}, machine);

/** The highlighted states in order, once this state is among them. */
export const highlightsUntil = async (page: Page, state: string): Promise<string[]> => {
	await page.waitForFunction((last) => (window as Watched).highlighted?.includes(last), state);
	return page.evaluate(() => (window as Watched).highlighted!);
};
