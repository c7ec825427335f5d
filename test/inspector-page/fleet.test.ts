/** The page of the fleet: named identities come first, live, by keyboard, on a phone, with links to their pages. */
import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {hostIn, kernel} from '../host/host-in.ts';
import {serve} from '../http/service.ts';
import {temporaryFolder} from '../journal/records.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {keepRows, manyRows} from './many-rows.ts';
import {collectErrors, hasText, listBrokenWords} from './on-page.ts';
import {directions} from './service.ts';

const newPage = useBrowser();

/** Serves a fleet with rows of an earlier run, some of them named, whose identities it can open. */
const serveFleet = async (t: ExecutionContext, count: number, {named = 1, ...options}: HttpOptions & {named?: number} = {}) => {
	const folder = await temporaryFolder(t);
	const fleetFile = await keepRows(folder, manyRows(count, named));
	const open = async (_name: string, journal: Parameters<NonNullable<Parameters<typeof hostIn>[2]>['open'] & object>[1]) =>
		(await startIdentity({kernel, journal, directions, newId: () => crypto.randomUUID()})).identity;
	const {host, find} = hostIn(t, folder, {fleetFile, open});
	const {url} = await serve(t, host, {inspector: true, ...options});
	return {url, host, find};
};

const listed = (page: Page): Promise<string[]> => page.locator('#fleet-rows th').allTextContents();

inBrowser('the one named identity of 300 comes first, with its source and a link to its page', async t => {
	const {url} = await serveFleet(t, 300);
	const page = await newPage(t);
	await page.goto(`${url}/fleet`);
	await hasText(page, '#summary', '300 identities · 1 named · 1 alarm');
	const [first] = await page.locator('#fleet-rows tr').all();
	t.deepEqual(await first!.locator('.mark').allTextContents(), ['named', 'alarm']);
	const cells = await first!.locator('td.name, td.number').allTextContents();
	t.deepEqual(cells.slice(0, 2), ['Viktor (82 %)', '2.0 × 10⁻⁷']);
	t.is((await listed(page)).length, 100);
	await page.getByRole('button', {name: 'More'}).click();
	await page.locator('#fleet-rows tr:nth-child(200)').waitFor();

	await page.getByLabel('Show').selectOption('named');
	await hasText(page, '#fleet-rows', /identity-0200/);
	await page.waitForFunction(() => document.querySelectorAll('#fleet-rows tr').length === 1);
	t.is(await page.locator('#fleet-rows a').getAttribute('href'), `${url}/identities/identity-0200/inspector`);
});

inBrowser('a source that moves many identities is named above the table', async t => {
	const {url} = await serveFleet(t, 300, {named: 12});
	const page = await newPage(t);
	await page.goto(`${url}/fleet`);
	await hasText(page, '#fleet-sources', 'Viktor moves 12 identities (p 5.4 × 10⁻⁶)');
	await page.getByLabel('Show').selectOption('alarms');
	await hasText(page, '#fleet-sources', /Viktor moves 12/);

	const {url: other} = await serveFleet(t, 300);
	await page.goto(`${other}/fleet`);
	await hasText(page, '#summary', /1 named/);
	t.false(await page.locator('#fleet-sources').isVisible(), 'one identity is not many');
});

inBrowser('an identity can be found and opened by keyboard alone', async t => {
	const {url, host} = await serveFleet(t, 3);
	await host.create('ada');
	const page = await newPage(t);
	await page.goto(`${url}/fleet`);
	await hasText(page, '#summary', /4 identities/);
	await page.keyboard.press('/');
	await page.keyboard.press('ArrowDown');
	t.is(await page.evaluate(() => document.activeElement?.textContent), 'identity-0002');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowUp');
	t.is(await page.evaluate(() => document.activeElement?.textContent), 'identity-0002');
	await page.keyboard.press('/');
	await page.keyboard.type('ad');
	await page.keyboard.press('Enter');
	await hasText(page, '#identity-name', 'ada');
	t.is(page.url(), `${url}/identities/ada/inspector`);
	await page.getByRole('button', {name: 'Identity'}).click();
	await page.getByRole('link', {name: 'All identities at a glance'}).click();
	await hasText(page, '#summary', /4 identities/);
	t.is(page.url(), `${url}/fleet`);
});

inBrowser('changes are shown without a reload, and keep the focus where it was', async t => {
	const {url, host, find} = await serveFleet(t, 0);
	const page = await newPage(t);
	const errors = collectErrors(page);
	await page.goto(`${url}/fleet`);
	await hasText(page, '#fleet-note', /creates one/);
	await host.create('ada');
	await hasText(page, '#summary', /1 identity/);
	await page.locator('#fleet-rows a').focus();
	await (await find('ada')).cycle('I am Ada.');
	await page.waitForFunction(() => document.querySelector('#fleet-rows td.more')?.textContent === '1');
	t.is(await page.evaluate(() => document.activeElement?.textContent), 'ada');
	await host.putAside('ada');
	await hasText(page, '#summary', 'There is no identity yet.');
	t.deepEqual(errors, []);
});

inBrowser('while nothing changes the page receives no rows, and later changes are shown', async t => {
	const {url, host} = await serveFleet(t, 3);
	const page = await newPage(t);
	const bodies: number[] = [];
	page.on('response', async response => {
		if (response.url().includes('/fleet?')) {
			// The page may be closed before its last answer is read.
			const body = response.status() === 304 ? '' : await response.body().catch(() => '');
			bodies.push(body.length);
		}
	});
	await page.goto(`${url}/fleet`);
	await hasText(page, '#summary', /3 identities/);
	// The service first makes the rows of these journals again.
	while (bodies.slice(-2).join() !== '0,0') {
		await page.waitForResponse(response => response.url().includes('/fleet?'));
	}

	t.true(bodies[0]! > 0);
	await page.getByLabel('Show').selectOption('named');
	await page.waitForFunction(() => document.querySelectorAll('#fleet-rows tr').length === 1);
	await page.getByLabel('Show').selectOption('all');
	await page.waitForFunction(() => document.querySelectorAll('#fleet-rows tr').length === 3);
	await host.create('ada');
	await hasText(page, '#summary', /4 identities/);
});

inBrowser('on a phone it is no wider than the screen, and has no serious violation, light or dark', async t => {
	const {url} = await serveFleet(t, 300);
	for (const colorScheme of ['light', 'dark'] as const) {
		const page = await newPage(t, {viewport: {width: 320, height: 640}, colorScheme});
		await page.goto(`${url}/fleet`);
		await hasText(page, '#summary', /300 identities/);
		t.true(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		t.deepEqual(await listBrokenWords(page), []);
		await checkAccess(t, page, colorScheme);
	}
});

inBrowser('a service with a token serves the page to all, and the rows only with the token', async t => {
	const {url} = await serveFleet(t, 3, {token: 'a-long-secret'});
	t.is((await fetch(`${url}/fleet`, {headers: {connection: 'close'}})).status, 401);
	const page = await newPage(t);
	await page.goto(`${url}/fleet`);
	await page.locator('#token').fill('a-long-secret');
	await page.keyboard.press('Enter');
	await hasText(page, '#summary', /3 identities/);
});
