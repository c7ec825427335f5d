/**
 * The page's connection: after a break it resumes after the last event, and it notices a service
 * that was restarted.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {createProxy} from './proxy.ts';
import {hasText, isActive, listEvents, open, say} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('after a break the page shows the events of the break, and none twice', async (t) => {
	const {port, identity} = await servePage(t);
	const {url, cut} = await createProxy(t, port);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'One.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	cut();
	await hasText(page, '#connection', /^lost/);
	await identity.cycle({content: 'Two.'});
	await page.locator('[data-type="cycle.recorded"]').nth(1).waitFor();
	await hasText(page, '#state-id', '2');
	t.is((await listEvents(page)).filter((event) => event.endsWith('cycle.recorded')).length, 2);
	t.is(await page.locator('#cycle-rows tr').count(), 2);
});

inBrowser('after a restart of the service the page starts empty', async (t) => {
	const first = await servePage(t);
	const second = await servePage(t);
	const {url, redirect} = await createProxy(t, first.port);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'One.');
	first.identity.daemon.start();
	await isActive(page, 'daemon.mode.autonomous');
	await page.locator('[data-type="daemon.started"]').waitFor();
	redirect(second.port);
	await isActive(page, 'daemon.mode.idle');
	await hasText(page, '#mode', 'idle');
	await hasText(page, '#state-id', '0');
	t.deepEqual(await listEvents(page), []);
	t.is(await page.locator('#cycle-rows tr').count(), 0);
	t.false(await page.locator('#notice').isVisible());
});
