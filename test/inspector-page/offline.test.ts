/**
 * The page sends requests to this service only, under any prefix, with or without a token.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {collectErrors, hasText, open, say, showView} from './on-page.ts';
import {servePage} from './service.ts';

/** The browser resolves no name, and reaches no address but that of this machine. */
const newPage = useBrowser(
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
	'--proxy-server=http://127.0.0.1:9',
	'--proxy-bypass-list=<-loopback>;127.0.0.1',
);

inBrowser('with only this machine reachable, the page works and requests no other host', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	const errors = collectErrors(page);
	const requested: string[] = [];
	const failed: string[] = [];
	page.context().on('request', (request) => requested.push(request.url()));
	page.context().on('requestfailed', (request) => failed.push(request.url()));
	page.on('websocket', (socket) => requested.push(socket.url()));
	await page.addInitScript(() => {
		document.addEventListener('securitypolicyviolation', ({blockedURI}) => {
			console.error(`The policy blocked ${blockedURI}`);
		});
	});
	await open(page, url);
	await say(page, 'The sea.');
	await hasText(page, '#who-note', /of 3 directions/);
	await showView(page, 'Machines');
	await page.getByRole('button', {name: 'Start the daemon'}).click();
	await hasText(page, '#mode', 'autonomous');
	t.true(requested.length > 10, `${requested.length}`);
	t.deepEqual(requested.filter((address) => !address.startsWith(`${url}/`)), []);
	t.deepEqual(failed, []);
	t.deepEqual(errors, []);
});

inBrowser('the browser of these tests reaches no other host', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await t.throwsAsync(page.context().newPage().then((other) => other.goto('http://192.0.2.1/')));
	await t.throwsAsync(page.context().newPage().then((other) => other.goto('http://example.com/')));
});

inBrowser('under a prefix, every request stays under it', async (t) => {
	const {url} = await servePage(t, {prefix: '/some/prefix'});
	const page = await newPage(t);
	const errors = collectErrors(page);
	const requested: string[] = [];
	page.context().on('request', (request) => requested.push(request.url()));
	await open(page, url);
	await say(page, 'The sea.');
	await hasText(page, '#without .unknown', /keeps no journal/, '#without');
	t.true(requested.length > 10, `${requested.length}`);
	t.deepEqual(requested.filter((address) => !address.startsWith(`${url}/`)), []);
	t.deepEqual(errors, []);
	await page.goto(`${url}/inspector/`);
	t.is(page.url(), `${url}/inspector`);
});

inBrowser('a required token is prompted for once, kept for the tab, and never part of an address', async (t) => {
	const token = 'a-token-of-this-test';
	const {url} = await servePage(t, {token: token.replaceAll(' ', '-')});
	const page = await newPage(t);
	const requested: string[] = [];
	page.context().on('request', (request) => requested.push(request.url()));
	await page.goto(`${url}/inspector`);
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Token').fill('a-wrong-one');
	await dialog.getByLabel('Token').press('Enter');
	await page.waitForFunction(() => (document.querySelector('#token-dialog') as HTMLDialogElement).open
		&& (document.querySelector('#token') as HTMLInputElement).value === '');
	await hasText(page, '#token-dialog output', 'The service does not know this token.');
	await dialog.getByLabel('Token').fill('ключ');
	await dialog.getByLabel('Token').press('Enter');
	await page.waitForFunction(() => (document.querySelector('#token') as HTMLInputElement).value === '');
	await dialog.getByLabel('Token').fill(token.replaceAll(' ', '-'));
	await dialog.getByRole('button').click();
	await hasText(page, '#connection', 'live');
	await hasText(page, '#mode', 'idle');
	await say(page, 'The sea.');

	await page.reload();
	await hasText(page, '#connection', 'live');
	await hasText(page, '#state-id', '1');
	t.false(await dialog.isVisible());
	t.deepEqual(requested.filter((address) => address.includes('a-token')), []);
});
