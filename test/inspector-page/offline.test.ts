/**
 * The page asks this service and nobody else, under any prefix, with or without a token.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {errorsOf, open, say, shows} from './on-page.ts';
import {servePage} from './service.ts';

/** No name is resolved, and no address but this machine's own is reached. */
const newPage = useBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>;127.0.0.1');

inBrowser('with everything but this machine out of reach, nothing remote is asked and everything works', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	const errors = errorsOf(page);
	const asked: string[] = [];
	const failed: string[] = [];
	page.context().on('request', (request) => asked.push(request.url()));
	page.context().on('requestfailed', (request) => failed.push(request.url()));
	page.on('websocket', (socket) => asked.push(socket.url()));
	await page.addInitScript(() => {
		document.addEventListener('securitypolicyviolation', ({blockedURI}) => {
			console.error(`against the policy: ${blockedURI}`);
		});
	});
	await open(page, url);
	await say(page, 'The sea.');
	await page.getByRole('button', {name: 'Start the daemon'}).click();
	await shows(page, '#mode', 'autonomous');
	await shows(page, '#profile-note', /similarity/);
	t.true(asked.length > 30, `${asked.length}`);
	t.deepEqual(asked.filter((address) => !address.startsWith(`${url}/`)), []);
	t.deepEqual(failed, []);
	t.deepEqual(errors, []);
});

inBrowser('that test’s browser really reaches nothing else', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await t.throwsAsync(page.context().newPage().then((other) => other.goto('http://192.0.2.1/')));
	await t.throwsAsync(page.context().newPage().then((other) => other.goto('http://example.com/')));
});

inBrowser('under a prefix, everything stays under it', async (t) => {
	const {url} = await servePage(t, {prefix: '/some/prefix'});
	const page = await newPage(t);
	const errors = errorsOf(page);
	const asked: string[] = [];
	page.context().on('request', (request) => asked.push(request.url()));
	await open(page, url);
	await say(page, 'The sea.');
	t.true(asked.length > 30);
	t.deepEqual(asked.filter((address) => !address.startsWith(`${url}/`)), []);
	t.deepEqual(errors, []);
	await page.goto(`${url}/inspector/`);
	t.is(page.url(), `${url}/inspector`);
});

inBrowser('where a token is required, it is asked for once, kept for the tab, and never put into an address', async (t) => {
	const token = 'a token of this test';
	const {url} = await servePage(t, {token: token.replaceAll(' ', '-')});
	const page = await newPage(t);
	const asked: string[] = [];
	page.context().on('request', (request) => asked.push(request.url()));
	await page.goto(`${url}/inspector`);
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Token').fill('a-wrong-one');
	await dialog.getByLabel('Token').press('Enter');
	await page.waitForFunction(() => (document.querySelector('#token-dialog') as HTMLDialogElement).open && (document.querySelector('#token') as HTMLInputElement).value === '');
	await dialog.getByLabel('Token').fill(token.replaceAll(' ', '-'));
	await dialog.getByRole('button').click();
	await shows(page, '#connection', 'live');
	await shows(page, '#mode', 'idle');
	await say(page, 'The sea.');

	await page.reload();
	await shows(page, '#connection', 'live');
	await shows(page, '#state-id', '1');
	t.false(await dialog.isVisible());
	t.deepEqual(asked.filter((address) => address.includes('a-token')), []);
});
