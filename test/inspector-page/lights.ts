/** Notes what lights up in the drawings: a cycle is over before anyone could look. */
import type {Page} from 'playwright-core';

type Watched = Window & {lit?: string[]};

/** From now on, every state that lights up is noted. */
export const watchLights = (page: Page, machine: string): Promise<void> => page.evaluate((id) => {
	const noted: string[] = [];
	const shining = new Set<EventTarget>();
	(window as Watched).lit = noted;
	new MutationObserver((changes) => {
		for (const {target} of changes) {
			const {dataset, classList} = target as SVGElement;
			if (!classList.contains('lit')) {
				shining.delete(target);
			} else if (dataset['state'] !== undefined && !shining.has(target)) {
				shining.add(target);
				noted.push(dataset['state']);
			}
		}
	}).observe(document.querySelector(`[data-machine=${id}]`)!, {subtree: true, attributes: true, attributeFilter: ['class']});
}, machine);

/** What lit up, once this state is among it. */
export const lightsUntil = async (page: Page, state: string): Promise<string[]> => {
	await page.waitForFunction((last) => (window as Watched).lit?.includes(last), state);
	return page.evaluate(() => (window as Watched).lit!);
};
