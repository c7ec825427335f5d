/**
 * A user's path over the page: what they do, and what they see of the process by it.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {startServer} from '../helpers/server-process.ts';
import {useBrowser, inBrowser} from './browser.ts';
import {lightsUntil, watchLights} from './lights.ts';
import {activeStates, errorsOf, isIn, log, open, say, shows} from './on-page.ts';
import {servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('idle, a sentence, conversation, the daemon, autonomous, a stop, idle; and after a reload all of it is there', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	const errors = errorsOf(page);
	await open(page, url);
	await shows(page, '#mode', 'idle');
	t.deepEqual(await activeStates(page, 'daemon'), ['daemon.mode', 'daemon.mode.idle', 'daemon.loop', 'daemon.loop.stopped']);
	t.deepEqual(await activeStates(page, 'process'), ['process.ready', 'process.ready.accepting']);

	await watchLights(page, 'cycle');
	await say(page, 'The sea is quiet today.');
	await shows(page, '#mode', 'conversation');
	await isIn(page, 'daemon.mode.conversation');
	t.deepEqual(await lightsUntil(page, 'cycle.done'), ['idle', 'embedding', 'dissonance', 'fixation', 'applying', 'done'].map((name) => `cycle.${name}`));
	await shows(page, '#announcement', 'The mode is conversation now.');
	await shows(page, '#state-id', '1');
	t.is(await page.locator('#cycle-rows tr').count(), 1);

	await page.getByRole('button', {name: 'Start the daemon'}).click();
	await shows(page, '#mode', 'autonomous');
	await isIn(page, 'daemon.mode.autonomous');
	await isIn(page, 'daemon.loop.running.waiting');
	await shows(page, '#loop', 'running');

	await page.getByRole('button', {name: 'Stop the daemon'}).click();
	await shows(page, '#mode', 'idle');
	await isIn(page, 'daemon.mode.idle');
	await isIn(page, 'daemon.loop.stopped');
	const told = await log(page);

	await page.reload();
	await shows(page, '#connection', 'live');
	await shows(page, '#mode', 'idle');
	await isIn(page, 'daemon.mode.idle');
	await shows(page, '#state-id', '1');
	await page.locator('#log .event').nth(told.length - 1).waitFor();
	t.deepEqual(await log(page), told);
	t.true(told.some((event) => event.endsWith('→ process cycle')));
	t.is(await page.locator('#cycle-rows tr').count(), 1);
	await page.locator('[data-state="cycle.done"].ended').waitFor();
	t.deepEqual(errors, []);
});

inBrowser('the service, started as it is in earnest, shows itself', async (t) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'inspector-'));
	t.teardown(() => rm(folder, {recursive: true}));
	await using server = startServer(folder);
	const page = await newPage(t);
	const errors = errorsOf(page);
	await open(page, await server.ready());
	await shows(page, '#mode', 'idle');
	await shows(page, '[data-machine=boot] .standing', 'ended: done');
	await watchLights(page, 'cycle');
	await say(page, 'The sea is quiet today.');
	await shows(page, '#mode', 'conversation');
	t.deepEqual(await lightsUntil(page, 'cycle.done'), ['idle', 'embedding', 'dissonance', 'fixation', 'applying', 'recording', 'done'].map((name) => `cycle.${name}`));
	await page.locator('#profile .category').nth(10).waitFor();
	t.deepEqual(errors, []);
});

inBrowser('a cycle under way is seen where it is', async (t) => {
	const {url, encoder} = await servePage(t);
	const held = encoder.hold('A long thought.');
	const page = await newPage(t);
	await open(page, url);
	await page.getByLabel('Say something').fill('A long thought.');
	await page.getByLabel('Say something').press('Enter');
	await isIn(page, 'cycle.embedding');
	held.resolve();
	await page.locator('[data-state="cycle.done"].ended').waitFor();
	t.deepEqual(await activeStates(page, 'cycle'), []);
});

inBrowser('a cycle that fails says why, and where', async (t) => {
	const {url, encoder} = await servePage(t);
	encoder.fail('Unspeakable.', new Error('The words are lost.'));
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'Unspeakable.', /The words are lost/);
	await shows(page, '#notice', /^The last cycle failed: .*The words are lost/);
	await page.locator('[data-state="cycle.failed"].ended').waitFor();
	t.is(await page.getByLabel('Say something').inputValue(), 'Unspeakable.');
	await say(page, 'The sea.');
	await page.locator('#notice').waitFor({state: 'hidden'});
});

inBrowser('a reset asks first', async (t) => {
	const {url, process} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'The sea.');
	await page.getByRole('button', {name: 'Reset …'}).click();
	await page.getByRole('dialog').getByRole('button', {name: 'Keep it'}).click();
	t.is(process.state().stateId, 1);
	await page.getByRole('button', {name: 'Reset …'}).click();
	await page.getByRole('dialog').getByRole('button', {name: 'Reset', exact: true}).click();
	await shows(page, '#outcome', 'Reset: the state is 0 again.');
	await shows(page, '#state-id', '0');
	await shows(page, '#mode', 'idle');
});

inBrowser('without a language model, the state cannot be put into words, and that is said', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: 'Put into words'}).click();
	await shows(page, '#outcome', /^Translator is unavailable/);
	t.false(await page.locator('#words').isVisible());
});

inBrowser('with one, the words are shown', async (t) => {
	const {url} = await servePage(t, {process: {translator: async () => templateTranslator}});
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: 'Put into words'}).click();
	await page.locator('#words').waitFor();
	t.regex((await page.locator('#words').textContent())!, /\w{3}/);
});

inBrowser('the person: distances, the last cycles, and the profile with the reference’s mark', async (t) => {
	const {url, process} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'The sea.');
	await shows(page, '[data-dimension=thirdness] .value', / × 10/);
	t.is(await page.locator('[data-dimension=valeurs] .value').textContent(), '0');
	await shows(page, '[data-curve=dissonance_total] .reading', / choc$/);
	t.regex((await page.locator('[data-curve=cumulative_drift] .plot').getAttribute('aria-label'))!, /^Cumulative drift over the last 1 cycles; now .* ok$/);
	const {profile, referenceProfile} = process.profile();
	const row = page.locator('[data-direction="cognitive.analysis"]');
	await page.waitForFunction((value) => document.querySelector('[data-direction="cognitive.analysis"] .value')?.textContent === value, profile['cognitive']!['analysis']!.value.toFixed(4).replace('-', '−'));
	const label = await row.locator('.track').getAttribute('aria-label');
	t.true(label!.endsWith(`the reference ${referenceProfile['cognitive']!['analysis']!.value.toFixed(4).replace('-', '−')}`), label!);
	t.is(await row.locator('.negative').textContent(), 'intuitive');
	t.is(await row.locator('.positive').textContent(), 'analytic');
});

inBrowser('without directions there is no profile, and that is said', async (t) => {
	const {url} = await servePage(t, {process: {directions: async () => ({directions: [], warnings: ['The shelf of directions is empty.']})}});
	const page = await newPage(t);
	await open(page, url);
	await shows(page, '#profile-note', /^Directions are not loaded/);
	await shows(page, '#warnings', 'The shelf of directions is empty.');
	t.is(await page.locator('#profile li').count(), 0);
});

inBrowser('an identity that began at random says so before anything else, and how to begin as somebody', async (t) => {
	const initialState = async () => {
		throw new Error('no store');
	};
	const {url} = await servePage(t, {process: {initialState}});
	const page = await newPage(t);
	await open(page, url);
	await shows(page, '#store', /^THE INITIAL STATE IS RANDOM: no store.*processual begin --again/);
	t.true(await page.locator('#store').isVisible());
});

inBrowser('an identity that began as somebody shows no such notice', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await shows(page, '#state-id', '0');
	t.true(await page.locator('#store').isHidden());
});

inBrowser('the boot, over before anyone could look, is told by its steps', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await page.locator('[data-state="boot.done"].ended').waitFor();
	await shows(page, '[data-machine=boot] .standing', 'ended: done');
	t.regex((await page.locator('[data-state="boot.model"] .note').textContent())!, / ms$/);
	t.is(await page.locator('#warnings li').count(), 0);
});

inBrowser('hovering a state tells its events and guards; escape takes that away', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await page.locator('[data-state="cycle.embedding"]').hover();
	const tip = page.locator('[data-machine=cycle] .tip');
	await tip.waitFor();
	const text = await tip.innerText();
	t.true(text.includes('done [hasScience] → corroborating / take'), text);
	t.true(text.includes('cancel → cancelled'), text);
	await page.mouse.move(0, 0);
	await tip.waitFor({state: 'hidden'});
});

inBrowser('who wants things to stand still sees the last path marked, and no light run along it', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await watchLights(page, 'cycle');
	await say(page, 'The sea.');
	await page.locator('[data-state="cycle.done"].last').waitFor();
	t.deepEqual(await page.evaluate(() => (window as Window & {lit?: string[]}).lit), []);
	t.is(await page.evaluate(() => document.getAnimations().filter(({playState}) => playState === 'running').length), 0);
});
