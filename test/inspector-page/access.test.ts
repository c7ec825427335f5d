/**
 * Accessibility: axe checks the page in both colour schemes and at the sizes of a phone, a
 * desktop and a wall display; the main controls work by keyboard alone.
 */
import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {checkAccess} from './axe.ts';
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, isActive, open, openMachines, showView, tick} from './on-page.ts';
import {serveHistory, servePage} from './service.ts';

const newPage = useBrowser();

for (const [width, height] of [[360, 740], [1440, 900], [3840, 2160]] as const) {
	inBrowser(`${width} wide: no serious violation, light or dark, and no horizontal overflow`, async (t) => {
		const {url, identity} = await serveHistory(t);
		const page = await newPage(t, {viewport: {width, height}, reducedMotion: 'reduce'});
		await open(page, url);
		await hasText(page, '#ledger-note', /^State/);
		await page.locator('details').evaluateAll((all) => {
			for (const details of all) {
				(details as HTMLDetailsElement).open = true;
			}
		});
		await page.getByLabel('Say something').fill('The harbour is full of boats.');
		await page.locator('#preview').waitFor();
		await tick(page, 'Ada');
		await page.locator('.selves li').first().waitFor();
		await page.locator('#ledger-entries button.plain').last().click();
		await page.locator('#how .word').first().focus();
		await checkAccess(t, page, 'the person, with a tooltip');

		await showView(page, 'Machines');
		await page.locator('[data-machine=daemon] .state').first().waitFor();
		await identity.cycle({content: 'The sea is quiet today.'});
		await page.locator('[data-type="cycle.recorded"]').waitFor();
		await page.locator('[data-state="cycle.embedding"]').focus();
		identity.daemon.start();
		await hasText(page, '#mode', 'autonomous');
		await page.getByRole('button', {name: 'Earlier'}).click();
		await checkAccess(t, page, 'the machines, autonomous, with an event selected');
		await page.getByRole('button', {name: 'Reset …'}).click();
		await checkAccess(t, page, 'with the dialog');
	});
}

/** Presses Tab until the element has the focus; fails after 60 times. */
const tabTo = async (t: ExecutionContext, page: Page, selector: string): Promise<void> => {
	for (let n = 0; n < 60; n++) {
		if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) {
			return;
		}

		await page.keyboard.press('Tab');
	}

	t.fail(`Tab does not reach ${selector}`);
};

inBrowser('the skip link leaves the view as it is', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await showView(page, 'Machines');
	await page.locator('.skip').press('Enter');
	t.is(await page.evaluate(() => document.activeElement?.id), 'main');
	t.true(await page.locator('#machines').isVisible());
	t.true(page.url().endsWith('#machines'));
});

inBrowser('a row keeps the focus when a text changes its list', async (t) => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	for (const [list, kind] of [['#ledger-entries', 'plain'], ['#waterfall-parts', 'plain'], ['#shares-list', 'small']] as const) {
		const control = page.locator(`${list} li:nth-child(3) button.${kind}`);
		await hasText(page, list, /Viktor/, list);
		await control.focus();
		const row = await control.evaluateHandle((button) => button.closest('li')!);
		const name = await page.evaluate(() => document.activeElement!.ariaLabel ?? document.activeElement!.textContent);
		await identity.cycle({content: 'A boat came in.', source: 'Ada'});
		await page.waitForFunction((old) => !old.isConnected, row);
		t.is(await page.evaluate(() => document.activeElement!.ariaLabel ?? document.activeElement!.textContent), name, list);
	}
});

inBrowser('the main controls work by keyboard alone', async (t) => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);

	await page.keyboard.press('Tab');
	t.is(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');

	await tabTo(t, page, '#content');
	await page.keyboard.type('The sea is quiet today.');
	await page.keyboard.press('Enter');
	await hasText(page, '#outcome', /^State 1/);

	await page.keyboard.press('Shift+Tab');
	await tabTo(t, page, '#person-tab');
	await page.keyboard.press('ArrowRight');
	await page.locator('[data-machine=daemon] .state').first().waitFor();
	await tabTo(t, page, '#daemon');
	await page.keyboard.press('Space');
	await hasText(page, '#mode', 'autonomous');
	await hasText(page, '#daemon', 'Stop the daemon');
	t.true(await page.evaluate(() => document.activeElement?.id === 'daemon'));
	await page.keyboard.press('Enter');
	await hasText(page, '#mode', 'idle');

	await tabTo(t, page, '#reset');
	await page.keyboard.press('Enter');
	t.is(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
	await page.keyboard.press('Escape');
	t.is(await page.evaluate(() => document.activeElement?.id), 'reset');
	t.is(identity.state().stateId, 1);

	await tabTo(t, page, '[data-machine=daemon] .state');
	await page.keyboard.press('End');
	const tooltip = page.locator('[data-machine=daemon] .tooltip');
	await tooltip.waitFor();
	const last = await page.evaluate(() => (document.activeElement as SVGElement).dataset['state']);
	await page.keyboard.press('ArrowLeft');
	t.not(await page.evaluate(() => (document.activeElement as SVGElement).dataset['state']), last);
	await page.keyboard.press('Escape');
	await tooltip.waitFor({state: 'hidden'});

	await tabTo(t, page, '#log');
	await page.keyboard.press('ArrowUp');
	await page.locator('#log [aria-selected=true]').waitFor();
	await page.keyboard.press('Home');
	await page.keyboard.press('Escape');
	await hasText(page, '#pause', 'Pause');
	await isActive(page, 'daemon.mode.idle');
});

inBrowser('assistive technology finds the states of a machine, and which are active', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	const states = page.getByRole('listbox', {name: 'States of daemon'});
	await states.getByRole('option', {name: 'idle', selected: true}).waitFor();
	t.is(await states.getByRole('option', {selected: true}).count(), 4);
	t.is(await page.getByRole('status').count() >= 1, true);
	t.is(await page.getByRole('main').count(), 1);
	t.is(await page.getByRole('heading', {level: 1}).textContent(), 'Processual State');
	t.is(await page.title(), 'Processual State · Inspector');
});

inBrowser('with forced colours, bars, marks and the selected view stay visible', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t, {forcedColors: 'active'});
	await open(page, url);
	await hasText(page, '#ledger-note', /^State/);
	await page.locator('#shares .share-bar').first().waitFor();
	const images = await page.locator('#shares .share-bar').evaluateAll((all) =>
		all.map((one) => getComputedStyle(one).backgroundImage));
	t.true(images.every((image) => image.includes('gradient')));
	const colours = await page.locator('.stack span').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
	t.true(new Set(colours).size > 2);
	const edges = await page.getByRole('tab').evaluateAll((all) => all.map((one) => getComputedStyle(one).borderBottomColor));
	t.not(edges[0], edges[1]);
});
