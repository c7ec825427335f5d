/**
 * A user's path through the page: what they do, and what the page then shows.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {startServer} from '../helpers/server-process.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {highlightsUntil, watchHighlights} from './highlights.ts';
import {collectErrors, hasText, isActive, listActiveStates, listEvents, open, openMachines, say, showView} from './on-page.ts';
import {useOpenPage} from './open-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

/** One page for the tests that change nothing, since opening one takes seconds. */
const openShared = useOpenPage(newPage);

inBrowser('a text, the start of the daemon and its stop change the mode, and a reload shows all events again', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	const errors = collectErrors(page);
	await openMachines(page, url);
	await hasText(page, '#mode', 'idle');
	t.deepEqual(await listActiveStates(page, 'daemon'), ['daemon.mode', 'daemon.mode.idle', 'daemon.loop', 'daemon.loop.stopped']);
	t.deepEqual(await listActiveStates(page, 'process'), ['process.ready', 'process.ready.accepting']);

	await watchHighlights(page, 'cycle');
	await say(page, 'The sea is quiet today.');
	await hasText(page, '#mode', 'conversation');
	await isActive(page, 'daemon.mode.conversation');
	t.deepEqual(
		await highlightsUntil(page, 'cycle.done'),
		['embedding', 'dissonance', 'fixation', 'applying', 'done'].map((name) => `cycle.${name}`),
	);
	await hasText(page, '#announcement', 'The mode is now conversation.');
	await hasText(page, '#state-id', '1');

	await page.getByRole('button', {name: 'Start the daemon'}).click();
	await hasText(page, '#mode', 'autonomous');
	await isActive(page, 'daemon.mode.autonomous');
	await isActive(page, 'daemon.loop.running.waiting');
	await hasText(page, '#loop', 'running');

	await page.getByRole('button', {name: 'Stop the daemon'}).click();
	await hasText(page, '#mode', 'idle');
	await isActive(page, 'daemon.mode.idle');
	await isActive(page, 'daemon.loop.stopped');
	const events = await listEvents(page);

	await page.reload();
	await hasText(page, '#connection', 'live');
	await hasText(page, '#mode', 'idle');
	await isActive(page, 'daemon.mode.idle');
	await hasText(page, '#state-id', '1');
	await page.locator('#log .event').nth(events.length - 1).waitFor();
	t.deepEqual(await listEvents(page), events);
	t.true(events.some((event) => event.endsWith('→ process cycle')));
	await page.locator('[data-state="cycle.done"].ended').waitFor();
	t.deepEqual(errors, []);
});

inBrowser('the service, started by its command, serves the page', async (t) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'inspector-'));
	t.teardown(() => rm(folder, {recursive: true}));
	await using server = startServer(folder);
	const page = await newPage(t);
	const errors = collectErrors(page);
	await openMachines(page, await server.ready());
	await hasText(page, '#mode', 'idle');
	await hasText(page, '[data-machine=boot] .status', 'ended: done');
	await watchHighlights(page, 'cycle');
	await say(page, 'The sea is quiet today.');
	await hasText(page, '#mode', 'conversation');
	t.deepEqual(
		await highlightsUntil(page, 'cycle.done'),
		['embedding', 'dissonance', 'fixation', 'applying', 'recording', 'done'].map((name) => `cycle.${name}`),
	);
	await showView(page, 'The person');
	await hasText(page, '#who-words', 'Nothing stands out.');
	t.is(await page.locator('#standouts .direction').count(), 0);
	t.is(await page.locator('#all-directions h4').count(), 11);
	t.deepEqual(errors, []);
});

inBrowser('the page of an identity with a given initial state does not mention a random beginning', async (t) => {
	const page = await openShared();
	await hasText(page, '#state-id', '0');
	t.is(await page.locator('#beginning').textContent(), '');
});

inBrowser('a boot that ended before the page opened is shown with the duration of its steps', async (t) => {
	const page = await openShared();
	await page.locator('[data-state="boot.done"].ended').waitFor();
	await hasText(page, '[data-machine=boot] .status', 'ended: done');
	t.regex((await page.locator('[data-state="boot.model"] .note').textContent())!, / ms$/);
	t.is(await page.locator('#warnings li').count(), 0);
});

inBrowser('hovering a state shows its events and guards; leaving it hides them', async (t) => {
	const page = await openShared();
	await page.locator('[data-state="cycle.embedding"]').hover();
	const tooltip = page.locator('[data-machine=cycle] .tooltip');
	await tooltip.waitFor();
	const text = await tooltip.innerText();
	t.true(text.includes('done [hasScience] → corroborating / take'), text);
	t.true(text.includes('cancel → cancelled'), text);
	await page.mouse.move(0, 0);
	await tooltip.waitFor({state: 'hidden'});
});

inBrowser('without a language model, a message says that the state cannot be translated', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: 'Put into words'}).click();
	await hasText(page, '#translation', /^Translator is unavailable/);
	t.false(await page.locator('#words').isVisible());
});

inBrowser('a cycle in progress is shown in its state', async (t) => {
	const {url, encoder, identity} = await servePage(t);
	const held = encoder.hold('A long thought.');
	const page = await newPage(t);
	await openMachines(page, url);
	const cycle = identity.cycle({content: 'A long thought.'});
	await isActive(page, 'cycle.embedding');
	held.resolve();
	await cycle;
	await page.locator('[data-state="cycle.done"].ended').waitFor();
	t.deepEqual(await listActiveStates(page, 'cycle'), []);
});

inBrowser('a failed cycle shows its reason and its last state, until one succeeds', async (t) => {
	const {url, encoder} = await servePage(t);
	encoder.fail('Unspeakable.', new Error('The words are lost.'));
	const page = await newPage(t);
	await openMachines(page, url);
	await say(page, 'Unspeakable.', /The words are lost/);
	await hasText(page, '#notices', /^The last cycle failed: .*The words are lost/);
	await page.locator('[data-state="cycle.failed"].ended').waitFor();
	t.is(await page.locator('#content').inputValue(), 'Unspeakable.');
	await say(page, 'The sea.');
	await hasText(page, '#notices', '');
});

inBrowser('a reset asks for confirmation', async (t) => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await openMachines(page, url);
	await say(page, 'The sea.');
	await page.getByRole('button', {name: 'Reset …'}).click();
	await page.getByRole('dialog').getByRole('button', {name: 'Cancel'}).click();
	t.is(identity.state().stateId, 1);
	await page.getByRole('button', {name: 'Reset …'}).click();
	await page.getByRole('dialog').getByRole('button', {name: 'Reset', exact: true}).click();
	await hasText(page, '#machine-outcome', 'Reset: the state is 0 again.');
	await hasText(page, '#state-id', '0');
	await hasText(page, '#mode', 'idle');
});

inBrowser('with a translator, the words are shown', async (t) => {
	const {url} = await servePage(t, {identity: {translator: async () => templateTranslator}});
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: 'Put into words'}).click();
	await page.locator('#words').waitFor();
	t.regex((await page.locator('#words').textContent())!, /\w{3}/);
});

inBrowser('with reduced motion the last path is marked, and nothing is animated', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await openMachines(page, url);
	await watchHighlights(page, 'cycle');
	await say(page, 'The sea.');
	await page.locator('[data-state="cycle.done"].last').waitFor();
	t.deepEqual(await page.evaluate(() => (window as Window & {highlighted?: string[]}).highlighted), []);
	t.is(await page.evaluate(() => document.getAnimations().filter(({playState}) => playState === 'running').length), 0);
});
