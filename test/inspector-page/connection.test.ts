/**
 * The page's connection: after a break it resumes after the last event, it notices a restarted
 * service, and it marks what may be out of date.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {createProxy} from './proxy.ts';
import {hasText, isActive, listEvents, open, openMachines, say, showView} from './on-page.ts';
import {textCount, serveHistory, servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('without the stream the page is grey and says “last seen”; afterwards it shows each missed event once', async (t) => {
	const {port, identity} = await servePage(t);
	const {url, cut} = await createProxy(t, port);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await openMachines(page, url);
	await say(page, 'One.');
	await page.locator('[data-type="cycle.recorded"]').waitFor();
	const colourOf = (selector: string) => page.locator(selector).evaluate((element) => getComputedStyle(element).fill);
	const lit = await colourOf('[data-state="process.ready.accepting"] rect');
	cut();
	await hasText(page, '#connection', /^lost/);
	await hasText(page, '[data-machine=process] .status', 'last seen: ready.accepting');
	t.not(await colourOf('[data-state="process.ready.accepting"] rect'), lit);

	await identity.cycle({content: 'Two.'});
	await page.locator('[data-type="cycle.recorded"]').nth(1).waitFor();
	await hasText(page, '#state-id', '2');
	await hasText(page, '[data-machine=process] .status', 'ready.accepting');
	t.is(await colourOf('[data-state="process.ready.accepting"] rect'), lit);
	t.is((await listEvents(page)).filter((event) => event.endsWith('cycle.recorded')).length, 2);
});

inBrowser('after a restart of the service nothing of its earlier run is shown', async (t) => {
	const first = await servePage(t);
	const second = await servePage(t);
	first.encoder.fail('Unspeakable.', new Error('The words are lost.'));
	const {url, redirect} = await createProxy(t, first.port);
	const page = await newPage(t);
	await openMachines(page, url);
	await say(page, 'Unspeakable.', /The words are lost/);
	first.identity.daemon.start();
	await isActive(page, 'daemon.mode.autonomous');
	await page.locator('[data-type="daemon.started"]').waitFor();
	await hasText(page, '#notices', /The words are lost/);
	redirect(second.port);
	await isActive(page, 'daemon.mode.idle');
	await hasText(page, '#mode', 'idle');
	await hasText(page, '#state-id', '0');
	await hasText(page, '#notices', '');
	await hasText(page, '#outcome', '');
	t.deepEqual(await listEvents(page), []);
});

inBrowser('a question that failed during a break is repeated after it, even without a new text', async (t) => {
	const {port} = await serveHistory(t);
	const {url, redirect} = await createProxy(t, port);
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	await page.locator('#ledger .known').waitFor();
	// No service listens there.
	redirect(1);
	await hasText(page, '#connection', /^lost/);
	await page.getByLabel('Parts by', {exact: true}).selectOption('trigger');
	await hasText(page, '#ledger .unknown', 'The service cannot be reached.');
	redirect(port);
	await hasText(page, '#connection', 'live');
	await page.locator('#ledger .known').waitFor();
	t.true(await page.locator('#ledger .unknown').isHidden());
});

inBrowser('a text whose answer was lost moves the state once, though it is said again', async (t) => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await page.route('**/cycle', async (route) => {
		await route.fetch();
		await route.abort();
	}, {times: 1});
	await say(page, 'One.', /^The service cannot be reached\.$/);
	t.is(identity.state().stateId, 1);
	await say(page, 'One.');
	t.is(identity.state().stateId, 1);
	await say(page, 'One.', /^State 2/);
});

inBrowser('meanings of words, machines and what the model reads are requested again after a break', async (t) => {
	const {port} = await serveHistory(t, {texts: 0});
	const {url, cut} = await createProxy(t, port);
	const page = await newPage(t);
	let isBroken = true;
	await page.route(/\/(readyz|words\.json|machines\.json)$/, (route) => isBroken ? route.abort() : route.continue());
	await open(page, url);
	const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('words.json'));
	await page.locator('.facts .word').first().focus();
	await failed;
	await showView(page, 'Machines');
	isBroken = false;
	cut();
	await page.locator('.drawing > svg').nth(3).waitFor();
	await page.locator('.facts .word').nth(1).focus();
	await page.locator('#meaning').waitFor();
	await showView(page, 'The person');
	await hasText(page, '#languages', /./);
	t.regex((await page.locator('#languages').textContent())!, /reads English only/);
});
