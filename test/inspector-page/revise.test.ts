/** Undoing texts in the view of the person, by keyboard: its effect is shown first, it is listed, and it can be taken back. */
import {checkAccess} from './axe.ts';
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, open, tick} from './on-page.ts';
import {serveHistory} from './service.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const newPage = useBrowser();

inBrowser('undoing the texts of a source shows its effect first, and can be taken back', async t => {
	const {url, identity} = await serveHistory(t);
	const before = identity.tensor();
	const expected = await identity.revise({without: {sources: ['Viktor']}, note: 'A dry run.', dryRun: true});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	t.false(await page.locator('#revised').isVisible(), 'nothing was undone yet');
	await tick(page, 'Viktor');
	await page.getByRole('button', {name: 'Undo these texts …'}).press('Enter');
	await hasText(page, '#decide-title', 'Undo the texts of Viktor?');
	await hasText(page, '#decide-effect', new RegExp(`^I would be made of ${expected.texts} texts; `
		+ `${expected.excluded} weigh nothing`));
	await checkAccess(t, page, 'before it is done');
	deepEqual(t, identity.tensor(), before, 'asking changes nothing');

	await page.getByRole('textbox', {name: 'Why'}).fill('Not theirs.');
	await page.getByRole('button', {name: 'Do it'}).press('Enter');
	await hasText(page, '#decide-outcome', `State ${expected.stateId}: without ${expected.excluded} texts.`);
	await hasText(page, '#revisions li', /Without Viktor; \d+ texts out, .*“Not theirs.”/);
	t.is(await page.evaluate(() => document.activeElement?.id), 'decide-outcome', 'the keyboard stays where it was');

	await page.getByLabel(/^Bo/).check();
	await page.getByRole('button', {name: 'Undo these texts …'}).click();
	await hasText(page, '#decide-title', 'Undo the texts of Viktor, Bo?');
	await page.getByRole('button', {name: 'Cancel'}).click();

	await page.getByRole('button', {name: 'Take back'}).press('Enter');
	await hasText(page, '#decide-title', 'Hear all texts again?');
	await page.getByRole('textbox', {name: 'Why'}).fill('It was him.');
	await page.getByRole('button', {name: 'Do it'}).press('Enter');
	await hasText(page, '#revisions li:first-child', /All texts again; 0 texts out.*“It was him.”/);
	await hasText(page, '#decide-outcome', /all texts are heard again\.$/);
	deepEqual(t, identity.tensor().dimensions, before.dimensions);
	await checkAccess(t, page, 'when it was taken back');
});

inBrowser('undoing further texts keeps what is undone and held, though the page could not read the decisions', async t => {
	const {url, identity} = await serveHistory(t);
	await identity.revise({without: {sources: ['Viktor']}, hold: true, note: 'Not theirs.'});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	const busy = {status: 429, json: {detail: 'Too many questions.'}};
	await page.route('**/revisions', route => route.fulfill(busy));
	await open(page, url);
	await tick(page, 'Bo');
	await page.getByRole('button', {name: 'Undo these texts …'}).click();
	await hasText(page, '#decide-outcome', 'Too many questions.');
	await page.unroute('**/revisions');
	await page.getByRole('button', {name: 'Undo these texts …'}).click();
	await hasText(page, '#decide-title', 'Undo the texts of Viktor, Bo?');
	await hasText(page, '#decide-effect', /further texts of “Viktor”, “Bo” wait\.$/);
	await page.getByLabel(/^Hold further texts too/).uncheck();
	await hasText(page, '#decide-effect', /no one is on hold\.$/);
	t.is((await identity.revisions()).revisions.length, 1, 'asking changes nothing');
});

inBrowser('the queue stays on the page if a later question about it fails', async t => {
	const {url, identity} = await serveHistory(t);
	await identity.hold({sources: ['Viktor'], note: 'Wait.'});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await tick(page, 'Bo');
	await hasText(page, '#hold-note', /^Further texts of Viktor wait/, '#held');
	await page.route('**/held?*', route => route.fulfill({status: 503, json: {detail: 'It took too long.'}}));
	const failed = page.waitForResponse(/\/held\?/);
	await identity.cycle({content: 'The sea is quiet.', source: 'Ada'});
	await failed;
	await hasText(page, '#other-self', /turned/);
	await page.getByLabel(/^Ada/).check();
	await page.locator('#held').waitFor();
	t.regex((await page.locator('#hold-note').textContent())!, /^Further texts of Viktor wait/);
});

inBrowser('a decision is listed even if the clock was set back after the beginning', async t => {
	let isAhead = true;
	const time = {now: () => isAhead ? Date.UTC(2096, 0, 1) : Date.now(), elapsed: () => performance.now()};
	const {url, identity} = await serveHistory(t, {texts: 0, time});
	isAhead = false;
	await identity.cycle({content: 'The sea is quiet.', source: 'Ada'});
	await identity.cycle({content: 'The bread is warm.', source: 'Bo'});
	await identity.revise({without: {sources: ['Ada']}, note: 'Not theirs.'});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await hasText(page, '#texts', /The bread is warm/, '#timeline');
	t.regex(await page.locator('#texts').textContent() ?? '', /Without Ada\. “Not theirs\.”/);
});

inBrowser('the list of decisions says that only a name was forgotten', async t => {
	const {url, identity} = await serveHistory(t, {texts: 0});
	await identity.cycle({content: 'The sea is quiet.', source: 'Ada'});
	await identity.hold({sources: ['Ada'], note: 'Wait.'});
	await identity.forget({sources: ['Ada'], note: 'A request.'});
	await identity.hold({takeBack: true, note: 'It is over.'});
	await identity.forget({sources: ['Ada'], note: 'The name, too.'});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await hasText(page, '#revisions', /“The name, too\.”/);
	t.regex(await page.locator('#revisions li').first().textContent() ?? '', /A name forgotten.*“The name, too\.”/);
});
