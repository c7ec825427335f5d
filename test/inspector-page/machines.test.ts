/**
 * The view of the machines: its charts fit every window, and can be enlarged and moved.
 */
import type {Page} from 'playwright-core';
import {useBrowser, inBrowser} from './browser.ts';
import {openMachines} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

/** The states, labels and edges of all charts that are not wholly within the window and their chart's place. */
const cutOff = (page: Page): Promise<string[]> => page.evaluate(() => [...document.querySelectorAll('.drawing')].flatMap((host) => {
	const place = host.getBoundingClientRect();
	return [...host.querySelectorAll('.state, .edge .line, .edge text')]
		.filter((element) => {
			const {left, right, top, bottom} = element.getBoundingClientRect();
			return left < place.left - 1 || right > place.right + 1 || top < place.top - 1 || bottom > place.bottom + 1 || right > innerWidth;
		})
		.map((element) => (element as SVGElement).dataset['state'] ?? element.textContent ?? element.className.toString());
}));

for (const width of [360, 1280, 1440, 2560, 3840]) {
	inBrowser(`${width} wide: no part of a statechart is cut off`, async (t) => {
		const {url} = await servePage(t);
		const page = await newPage(t, {viewport: {width, height: 900}, reducedMotion: 'reduce'});
		await openMachines(page, url);
		t.deepEqual(await cutOff(page), []);
		t.is(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
	});
}

/** Where a state is on the screen. */
const boxOf = async (page: Page, state: string) => (await page.locator(`[data-state="${state}"]`).boundingBox())!;

inBrowser('a chart can be enlarged and moved, and fits again', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await openMachines(page, url);
	await page.locator('[data-machine=process]').scrollIntoViewIfNeeded();
	const before = await boxOf(page, 'process.ready.halted');
	await page.getByRole('button', {name: 'Zoom in on process'}).click();
	const larger = await boxOf(page, 'process.ready.halted');
	t.true(larger.width > before.width * 1.3);

	const place = (await page.locator('[data-machine=process] .drawing').boundingBox())!;
	await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
	await page.mouse.down();
	await page.mouse.move(place.x + place.width / 2 - 60, place.y + place.height / 2, {steps: 3});
	await page.mouse.up();
	const moved = await boxOf(page, 'process.ready.halted');
	t.true(Math.abs(larger.x - moved.x - 60) < 2, `${larger.x} → ${moved.x}`);

	await page.getByRole('button', {name: 'Fit process'}).click();
	t.deepEqual(await boxOf(page, 'process.ready.halted'), before);
});

inBrowser('focusing a state in an enlarged chart brings it into view', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await openMachines(page, url);
	for (let n = 0; n < 5; n++) {
		await page.getByRole('button', {name: 'Zoom in on cycle'}).click();
	}

	await page.locator('[data-state="cycle.done"]').focus();
	const place = (await page.locator('[data-machine=cycle] .drawing').boundingBox())!;
	const state = await boxOf(page, 'cycle.done');
	t.true(state.x + state.width <= place.x + place.width + 1 && state.x >= place.x - 1, JSON.stringify({place, state}));
});
