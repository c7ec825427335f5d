/**
 * The log of events: filtered, paused, and stepped back through.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {activeStates, isIn, log, open, say, shows} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('the log tells who said what to whom, and is filtered by actor and type', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'The sea.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	t.deepEqual(await log(page), ['outside → process cycle', 'process → daemon trigger', 'process → cycle-1 run', 'cycle-1 → process cycle.recorded']);

	await page.getByLabel('XState’s own').check();
	t.true((await log(page)).some((event) => event.endsWith('xstate.done.actor.0.cycle.embedding')));
	await page.getByLabel('XState’s own').uncheck();
	await page.getByRole('combobox', {name: 'Actor'}).selectOption('daemon');
	t.deepEqual(await log(page), ['process → daemon trigger']);
	await page.getByRole('combobox', {name: 'Actor'}).selectOption('');
	await page.getByRole('combobox', {name: 'Event'}).fill('recorded');
	t.deepEqual(await log(page), ['cycle-1 → process cycle.recorded']);
});

inBrowser('stepping back shows the machines as they were; going on shows them as they are', async (t) => {
	const {url, process} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	process.daemon.start();
	await isIn(page, 'daemon.mode.autonomous');
	process.daemon.stop();
	await isIn(page, 'daemon.mode.idle');
	await page.locator('[data-type="daemon.stopped"]').waitFor();

	await page.getByRole('combobox', {name: 'Actor'}).selectOption('daemon');
	t.deepEqual(await log(page), ['outside → process daemon.start', 'process → daemon daemon.start', 'daemon → process daemon.started', 'outside → process daemon.stop', 'process → daemon daemon.stop', 'daemon → process daemon.stopped'].filter((event) => event.includes('daemon ')));
	const earlier = page.getByRole('button', {name: 'Earlier'});
	await earlier.click();
	await earlier.click();
	await isIn(page, 'daemon.mode.idle');
	await earlier.click();
	await isIn(page, 'daemon.mode.autonomous');
	t.true((await activeStates(page, 'daemon')).includes('daemon.loop.running.waiting'));
	await shows(page, '#event-detail', /"daemon.started"/);

	await page.getByRole('button', {name: 'Later'}).click();
	await isIn(page, 'daemon.mode.idle');
	await earlier.click();
	await page.getByRole('button', {name: 'Go on'}).click();
	await isIn(page, 'daemon.mode.idle');
	await page.locator('#event-detail').waitFor({state: 'hidden'});
});

inBrowser('while the log is paused, events are counted and come when it goes on', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'One.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	await page.getByRole('button', {name: 'Pause'}).click();
	await say(page, 'Two.', /^State 2/);
	await shows(page, '#sequence-note', /[1-9]\d* have come since/);
	t.is(await page.locator('[data-type="cycle.recorded"]').count(), 1);
	await page.getByRole('button', {name: 'Go on'}).click();
	await page.locator('[data-type="cycle.recorded"]').nth(1).waitFor();
	t.is(await page.locator('[data-type="cycle.recorded"]').count(), 2);
});

inBrowser('a thousand events are kept, and the first of them can be gone back to', async (t) => {
	const {url, process} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	for (let n = 0; n < 200; n++) {
		await process.cycle({content: `Thought ${n}.`});
	}

	await shows(page, '#sequence-note', /of the last 1000 events/);
	await page.getByLabel('XState’s own').check();
	await page.locator('#log .event').nth(999).waitFor();
	await page.locator('#log').focus();
	await page.keyboard.press('Home');
	t.is(await page.locator('#log [aria-selected=true]').getAttribute('id'), await page.locator('#log .event').first().getAttribute('id'));
	await shows(page, '#sequence-note', /^Paused at event /);
	t.is(await page.locator('#log .event').count(), 1000);
});
