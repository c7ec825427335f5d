/**
 * The log of events: filters, pausing, and stepping back.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, isActive, listActiveStates, listEvents, openMachines, say} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('the log shows the events between actors, filtered by actor and type', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	await say(page, 'The sea.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	const [asked, counted, recorded, ...others] = await listEvents(page);
	t.deepEqual([asked, counted, others], ['outside → process cycle', 'process → daemon trigger', []]);
	t.regex(recorded!, /^cycle[ -]\w+ → process cycle\.recorded$/);

	await page.getByLabel('XState’s internal events').check();
	t.true((await listEvents(page)).some((event) => event.endsWith('xstate.done.actor.0.cycle.embedding')));
	await page.getByLabel('XState’s internal events').uncheck();
	await page.getByRole('combobox', {name: 'Actor'}).selectOption('daemon');
	t.deepEqual(await listEvents(page), ['process → daemon trigger']);
	await page.getByRole('combobox', {name: 'Actor'}).selectOption('');
	await page.getByRole('combobox', {name: 'Event'}).fill('recorded');
	t.deepEqual(await listEvents(page), [recorded]);
});

inBrowser('stepping back shows the machines as they were; resuming shows them as they are', async (t) => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	identity.daemon.start();
	await isActive(page, 'daemon.mode.autonomous');
	identity.daemon.stop();
	await isActive(page, 'daemon.mode.idle');
	await page.locator('[data-type="daemon.stopped"]').waitFor();

	await page.getByRole('combobox', {name: 'Actor'}).selectOption('daemon');
	t.deepEqual(await listEvents(page), [
		'outside → process daemon.start', 'process → daemon daemon.start', 'daemon → process daemon.started',
		'outside → process daemon.stop', 'process → daemon daemon.stop', 'daemon → process daemon.stopped',
	].filter((event) => event.includes('daemon ')));
	const earlier = page.getByRole('button', {name: 'Earlier'});
	await earlier.click();
	await earlier.click();
	await isActive(page, 'daemon.mode.idle');
	await earlier.click();
	await isActive(page, 'daemon.mode.autonomous');
	t.true((await listActiveStates(page, 'daemon')).includes('daemon.loop.running.waiting'));
	await hasText(page, '#event-detail', /"daemon.started"/);

	await page.getByRole('button', {name: 'Later'}).click();
	await isActive(page, 'daemon.mode.idle');
	await earlier.click();
	await page.getByRole('button', {name: 'Resume'}).click();
	await isActive(page, 'daemon.mode.idle');
	await page.locator('#event-detail').waitFor({state: 'hidden'});
});

inBrowser('while the log is paused, new events are counted, and shown when it resumes', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	await say(page, 'One.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	await page.getByRole('button', {name: 'Pause'}).click();
	await say(page, 'Two.', /^State 2/);
	await hasText(page, '#sequence-note', /[1-9]\d* have arrived since/);
	t.is(await page.locator('[data-type="cycle.recorded"]').count(), 1);
	await page.getByRole('button', {name: 'Resume'}).click();
	await page.locator('[data-type="cycle.recorded"]').nth(1).waitFor();
	t.is(await page.locator('[data-type="cycle.recorded"]').count(), 2);
});

inBrowser('1000 events are kept, and the first can be selected', async (t) => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	for (let n = 0; n < 200; n++) {
		await identity.cycle({content: `Thought ${n}.`});
	}

	await hasText(page, '#sequence-note', /of the last 1000 events/);
	await page.getByLabel('XState’s internal events').check();
	await page.locator('#log .event').nth(999).waitFor();
	await page.locator('#log').focus();
	await page.keyboard.press('Home');
	t.is(await page.locator('#log [aria-selected=true]').getAttribute('id'), await page.locator('#log .event').first().getAttribute('id'));
	await hasText(page, '#sequence-note', /^Paused at event /);
	t.is(await page.locator('#log .event').count(), 1000);
});
