/**
 * The page and its connection: after a break it goes on behind what it has seen, and a service
 * that was started anew is not mistaken for the old one.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {cable} from './cable.ts';
import {isIn, log, open, say, shows} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('after a break, what happened meanwhile is there, and nothing twice', async (t) => {
	const {port, process} = await servePage(t);
	const {url, cut} = await cable(t, port);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'One.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	cut();
	await shows(page, '#connection', /^lost/);
	await process.cycle({content: 'Two.'});
	await page.locator('[data-type="cycle.recorded"]').nth(1).waitFor();
	await shows(page, '#state-id', '2');
	t.is((await log(page)).filter((event) => event.endsWith('cycle.recorded')).length, 2);
	t.is(await page.locator('#cycle-rows tr').count(), 2);
});

inBrowser('a service that was started anew begins an empty page', async (t) => {
	const first = await servePage(t);
	const second = await servePage(t);
	const {url, lead} = await cable(t, first.port);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'One.');
	first.process.daemon.start();
	await isIn(page, 'daemon.mode.autonomous');
	await page.locator('[data-type="daemon.started"]').waitFor();
	lead(second.port);
	await isIn(page, 'daemon.mode.idle');
	await shows(page, '#mode', 'idle');
	await shows(page, '#state-id', '0');
	t.deepEqual(await log(page), []);
	t.is(await page.locator('#cycle-rows tr').count(), 0);
	t.false(await page.locator('#notice').isVisible());
});
