/**
 * The page of a service with many identities: which one it shows, how another is chosen, and links that name one.
 */
import {cpSync} from 'node:fs';
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import type {Page, Route} from 'playwright-core';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {hostIn, kernel} from '../host/host-in.ts';
import {startCluster} from '../helpers/cluster.ts';
import {serve} from '../http/service.ts';
import {temporaryFolder} from '../journal/records.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {collectErrors, hasText, isActive, open, openMachines, say, showView} from './on-page.ts';
import {directions} from './service.ts';

const newPage = useBrowser();

/** Serves the default identity and those with these names, on a free port of this machine. */
const serveMany = async (t: ExecutionContext, names: readonly string[], options: HttpOptions = {}) => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder, {open: async (_name, journal) => (await startIdentity({kernel, journal, directions})).identity});
	const {url} = await serve(t, host, {inspector: true, ...options});
	await find('default');
	for (const name of names) {
		await host.create(name);
	}

	return {url, host, find, folder};
};

const listedNames = (page: Page): Promise<string[]> => page.locator('#identity-list a').allTextContents();

const openChooser = async (page: Page): Promise<void> => {
	await page.getByRole('button', {name: 'Identity'}).click();
	await hasText(page, '#identity-note', /name/);
};

inBrowser('a single identity is shown without a chooser', async t => {
	const {url} = await serveMany(t, []);
	const page = await newPage(t);
	const errors = collectErrors(page);
	await open(page, url);
	t.false(await page.locator('#identity').isVisible());
	t.is(await page.title(), 'Processual State · Inspector');
	t.deepEqual(errors, []);
});

inBrowser('an identity is chosen by keyboard, with its own state and events in every view, and a reload keeps it', async t => {
	const {url, find} = await serveMany(t, ['ada', 'ben']);
	const page = await newPage(t);
	const errors = collectErrors(page);
	await openMachines(page, url);
	await hasText(page, '#identity-name', 'default');
	t.is(await page.title(), 'default · Processual State');

	await page.getByRole('button', {name: 'Identity default'}).focus();
	await page.keyboard.press('Enter');
	await hasText(page, '#identity-note', '3 names');
	t.deepEqual(await listedNames(page), ['ada', 'ben', 'default']);
	t.is(await page.locator('#identity-list [aria-current]').textContent(), 'default');
	await page.keyboard.press('Escape');
	t.is(await page.evaluate(() => document.activeElement?.id), 'identity');
	await page.keyboard.press('Enter');
	await page.keyboard.type('Be');
	await page.keyboard.press('Enter');

	await hasText(page, '#identity-name', 'ben');
	t.is(page.url(), `${url}/identities/ben/inspector#machines`);
	await isActive(page, 'daemon.mode.idle');
	await say(page, 'I am Ben.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	await hasText(page, '#state-id', '1');
	t.deepEqual([(await find('ben')).state().stateId, (await find('default')).state().stateId], [1, 0]);
	await page.getByRole('button', {name: 'Start the daemon'}).click();
	await hasText(page, '#mode', 'autonomous');
	t.false((await find('default')).daemon.status().daemonRunning);

	await page.reload();
	await hasText(page, '#identity-name', 'ben');
	await hasText(page, '#state-id', '1');
	await hasText(page, '#mode', 'autonomous');
	await showView(page, 'The person');
	await hasText(page, '#timeline-note', /^State 0 to 1, /);
	t.is(await page.locator('#docs').getAttribute('href'), `${url}/docs`);
	t.deepEqual(errors, []);
});

inBrowser('Enter selects the first name even while a list is loading', async t => {
	const {url} = await serveMany(t, ['ada', 'ben']);
	const page = await newPage(t);
	await openMachines(page, url);
	await page.getByRole('button', {name: 'Identity default'}).click();
	await hasText(page, '#identity-note', '3 names');
	// The answer for Enter comes once the list is requested, too.
	const pending: Route[] = [];
	let isReleased = false;
	await page.route('**/identities?*', async route => {
		pending.push(route);
		if (pending.length >= 2) {
			await Promise.all((isReleased ? [route] : pending).map(async each => each.continue()));
			isReleased = true;
		}
	});
	await page.getByLabel('The name begins with').evaluate((search: HTMLInputElement) => {
		search.value = 'Be';
		search.form!.requestSubmit();
		search.dispatchEvent(new Event('input'));
	});
	await hasText(page, '#identity-name', 'ben');
	t.is(page.url(), `${url}/identities/ben/inspector#machines`);
});

inBrowser('of over a thousand names, those with the typed prefix are listed, and more on demand', async t => {
	const {url, folder} = await serveMany(t, ['a']);
	const names = [...Array.from({length: 1200}, (_, n) => `user-${n}`), 'b', 'b-1', 'b.1', 'b_1', 'b0', 'bz'];
	for (const name of names) {
		cpSync(path.join(folder, 'identities/a'), path.join(folder, 'identities', name), {recursive: true});
	}

	const page = await newPage(t);
	await open(page, url);
	await openChooser(page);
	const search = page.getByLabel('The name begins with');
	for (const [prefix, found] of [
		['b', ['b', 'b-1', 'b.1', 'b0', 'b_1', 'bz']],
		['b.', ['b.1']],
		['b-', ['b-1']],
		['b_', ['b_1']],
		['bz', ['bz']],
		['user-119', [119, 1190, 1191, 1192, 1193, 1194, 1195, 1196, 1197, 1198, 1199].map(n => `user-${n}`)],
	] as const) {
		await search.fill(prefix);
		await hasText(page, '#identity-list', found.join(''));
		t.is(await page.locator('#identity-note').textContent(), `${found.length} name${found.length === 1 ? '' : 's'}`);
	}

	await search.fill('nowhere');
	await hasText(page, '#identity-note', '0 names');
	await search.press('Enter');
	await search.fill('user');
	await hasText(page, '#identity-note', '50 names, and more');
	await page.getByRole('button', {name: 'More'}).click();
	await hasText(page, '#identity-note', '100 names, and more');
	t.is(await page.evaluate(() => document.activeElement?.textContent), (await listedNames(page))[50]);
	t.deepEqual(await listedNames(page), names.filter(name => name.startsWith('user')).toSorted().slice(0, 100));
	t.is(page.url(), `${url}/inspector`);
});

inBrowser('the page of a missing identity says so, and another can be chosen', async t => {
	const {url, host} = await serveMany(t, ['ada']);
	const page = await newPage(t);
	await page.goto(`${url}/identities/eve/inspector`);
	await hasText(page, '#notices', 'There is no identity “eve”: it was put aside, or never created.');
	t.false(await page.getByRole('main').isVisible());
	await openChooser(page);
	await page.getByRole('link', {name: 'ada'}).click();
	await hasText(page, '#connection', 'live');
	t.is(await page.locator('#notices').textContent(), '');

	await host.putAside('ada');
	await hasText(page, '#notices', 'There is no identity “ada”: it was put aside, or never created.');
	await hasText(page, '#connection', 'no such identity');
	t.false(await page.getByRole('main').isVisible());
});

inBrowser('if the service has no room for the identity, the page shows the reason until there is', async t => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder, {maxLive: 1});
	const {url} = await serve(t, host, {inspector: true});
	await host.create('ada');
	const ada = await find('ada');
	const stopListening = ada.on('*', () => {});
	const page = await newPage(t);
	await page.goto(`${url}/inspector`);
	await hasText(page, '#notices', /^The limit of live identities \(1\) is reached, and none is idle/);
	stopListening();
	await hasText(page, '#connection', 'live');
	await hasText(page, '#notices', '');
	t.deepEqual((await host.list(null, 9)).filter(({isLive}) => isLive), [{name: 'default', isLive: true}]);
});

inBrowser('the token is asked for once for all identities', async t => {
	const token = 'a-token-of-this-test';
	const {url} = await serveMany(t, ['ada'], {token});
	const page = await newPage(t);
	await page.goto(`${url}/inspector`);
	await page.getByRole('textbox', {name: 'Token'}).fill(token);
	await page.keyboard.press('Enter');
	await hasText(page, '#identity-name', 'default');
	await openChooser(page);
	await page.getByRole('link', {name: 'ada'}).click();
	await hasText(page, '#identity-name', 'ada');
	await hasText(page, '#connection', 'live');
	t.false(await page.getByRole('dialog').isVisible());
});

inBrowser('under a prefix, the page of a chosen identity stays under it', async t => {
	const {url} = await serveMany(t, ['ada'], {prefix: '/some/identities'});
	const page = await newPage(t);
	await open(page, `${url}/some/identities`);
	await hasText(page, '#identity-name', 'default');
	await openChooser(page);
	await page.getByRole('link', {name: 'ada'}).click();
	await hasText(page, '#connection', 'live');
	t.is(page.url(), `${url}/some/identities/identities/ada/inspector`);
});

inBrowser('the page of an identity works at every node, and follows it to the next owner', async t => {
	await using cluster = await startCluster({nodes: 2});
	const [owner, other] = [cluster.nodes[0]!, cluster.nodes[1]!];
	const ask = async (url: string, init: RequestInit = {}) => fetch(url, {headers: {'content-type': 'application/json'}, ...init});
	t.is((await ask(`${owner.url}/identities/ada`, {method: 'PUT'})).status, 201);
	t.is((await ask(`${owner.url}/identities/ada/cycle`, {method: 'POST', body: '{"content": "I am Ada."}'})).status, 200);
	t.is((await cluster.ownerOf('ada'))?.url, owner.url);
	const page = await newPage(t);
	await open(page, other.url);
	await openChooser(page);
	await page.getByRole('link', {name: 'ada'}).click();
	await hasText(page, '#identity-name', 'ada');
	await hasText(page, '#connection', 'live');
	await hasText(page, '#state-id', '1');
	await say(page, 'I speak at the other node.');
	await hasText(page, '#state-id', '2');
	await owner.process.kill();
	while (!(await ask(`${other.url}/identities/ada/state`)).ok) {
		// The node answers with 503 as long as it may not take the identity over.
	}

	await say(page, 'I speak again.', /^State 3/);
	await hasText(page, '#connection', 'live');
	await hasText(page, '#state-id', '3');
	t.is((await cluster.ownerOf('ada'))?.url, other.url);
});

for (const [width, height] of [[360, 740], [1440, 900], [3840, 2160]] as const) {
	inBrowser(`${width} wide: the chooser has no serious violation, light or dark, and a name of 100 characters fits`, async t => {
		const long = 'x'.repeat(100);
		const {url, find} = await serveMany(t, ['ada', long]);
		await (await find(long)).cycle('The sea is quiet today.');
		const page = await newPage(t, {viewport: {width, height}, reducedMotion: 'reduce'});
		await page.goto(`${url}/identities/${long}/inspector`);
		await hasText(page, '#identity-name', long);
		await hasText(page, '#timeline-note', /^State/);
		await checkAccess(t, page, 'a long name');
		await openChooser(page);
		await checkAccess(t, page, 'with the dialog');
		t.true(await page.getByRole('dialog').evaluate(dialog => dialog.scrollWidth <= dialog.clientWidth));
	});
}
