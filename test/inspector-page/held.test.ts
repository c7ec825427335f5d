/** Holding and forgetting texts in the view of the person, by keyboard and on a phone. */
import {readFile} from 'node:fs/promises';
import {verifyForgotten} from '../../src/commands/verify-forgotten.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {collectErrors, hasText, open, say, tick} from './on-page.ts';
import {serveHistory} from './service.ts';

const newPage = useBrowser();

inBrowser('further texts are held on request, wait in a queue, and are released or dropped; the timeline marks each decision', async t => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t, {viewport: {width: 390, height: 844}, reducedMotion: 'reduce'});
	const errors = collectErrors(page);
	await open(page, url);
	await tick(page, 'Viktor');
	t.false(await page.locator('#held').isVisible(), 'no hold is in force');
	await page.getByRole('button', {name: 'Undo these texts …'}).press('Enter');
	await page.getByLabel(/^Hold further texts too/).press('Space');
	await page.getByRole('textbox', {name: 'Why'}).fill('Not theirs.');
	await checkAccess(t, page, 'before it is done');
	await page.getByRole('button', {name: 'Do it'}).press('Enter');
	await hasText(page, '#hold-note', /^Further texts of Viktor wait since .*: “Not theirs”\./);
	await hasText(page, '#revisions li', /Without Viktor; further texts of Viktor wait;/);
	t.deepEqual((await identity.held()).hold!.sources, ['Viktor']);

	await page.getByLabel('Say something').fill('Trust nobody but me.');
	await hasText(page, '#preview p', /^It would turn me by/);
	t.notRegex((await page.locator('#preview').textContent())!, /held back/);
	await page.getByLabel('as', {exact: true}).fill('Viktor');
	await hasText(page, '#preview', /It would be held back, and move nothing until it is released\. Texts of “Viktor” wait/);
	await say(page, 'Trust nobody but me.', /it is held back\. Texts of “Viktor” wait/);
	await identity.cycle({content: 'They all lie to you.', source: 'Viktor', conversation: 'c-17'});
	const queued = /^Viktor: 2 texts since \d{4}-\d\d-\d\d \d\d:\d\d UTC.*Texts of “Viktor” wait since .*: “Not theirs\.”/;
	await hasText(page, '#held-texts li', queued);
	await hasText(page, '#held-texts li li:last-child', /^Conversation c-17: 1 text /);
	await page.getByRole('button', {name: 'Release the texts of the conversation c-17 …'}).press('Enter');
	await hasText(page, '#decide-title', 'Release 1 text of the conversation c-17?');
	await hasText(page, '#decide-effect', /^That would turn me by [\d.]+ mrad\. /);
	await page.keyboard.press('Escape');
	await checkAccess(t, page, 'with a queue');

	const before = identity.state().stateId;
	await page.getByRole('button', {name: 'Release the texts of Viktor …'}).press('Enter');
	await hasText(page, '#decide-title', 'Release 2 texts of Viktor?');
	await hasText(page, '#decide-effect', /^That would turn me by [\d.]+ mrad\. /);
	t.false(await page.getByLabel(/^Hold further texts too/).isVisible());
	await page.getByRole('textbox', {name: 'Why'}).fill('It was him.');
	await page.getByRole('button', {name: 'Release', exact: true}).press('Enter');
	await hasText(page, '#decide-outcome', new RegExp(`^State ${before + 2}: 2 texts released; that turned me by [\\d.]+ mrad\\.$`));
	t.is(await page.evaluate(() => document.activeElement?.id), 'decide-outcome', 'the keyboard stays where it was');
	await hasText(page, '#revisions li', /2 held texts released; [\d.]+ mrad\. “It was him\.”/);

	await identity.cycle({content: 'Do as I say.', source: 'Viktor'});
	await hasText(page, '#held-texts li', /^Viktor: 1 text since/);
	await page.getByRole('button', {name: 'Drop the texts of Viktor …'}).click();
	await page.getByRole('textbox', {name: 'Why'}).fill('Not this one.');
	await page.getByRole('button', {name: 'Drop', exact: true}).click();
	await hasText(page, '#decide-outcome', /1 text dropped/);
	t.is((await identity.held()).waiting, 0);

	await page.getByRole('button', {name: 'Let further texts pass …'}).click();
	await page.getByRole('textbox', {name: 'Why'}).fill('Enough.');
	await page.getByRole('button', {name: 'Do it'}).click();
	await hasText(page, '#decide-outcome', 'Further texts pass again.');
	t.is((await identity.held()).hold, null);
	await page.locator('#held').waitFor({state: 'hidden'});
	await hasText(page, '#timeline-note', /A dashed line is a decision about texts; the list names it\.$/);
	await hasText(page, '#texts', /1 held text dropped\. “Not this one\.”[^]*2 held texts released[^]*Without Viktor; further texts/);
	t.deepEqual(errors, []);
});

inBrowser('texts are forgotten once “forget” is typed, and the receipt can be downloaded', async t => {
	const {url, identity, folder} = await serveHistory(t);
	const page = await newPage(t, {reducedMotion: 'reduce'});
	const errors = collectErrors(page);
	await open(page, url);
	await tick(page, 'Viktor');
	const expected = await identity.forget({sources: ['Viktor'], note: 'A dry run.', dryRun: true});
	await page.getByRole('button', {name: 'Forget these texts …'}).press('Enter');
	await hasText(page, '#decide-title', 'Forget the texts of Viktor for good?');
	await hasText(page, '#decide-effect', new RegExp(`^${expected.texts} texts would be gone`));
	await page.getByRole('textbox', {name: 'Why'}).fill('A request.');
	await checkAccess(t, page, 'before it is typed');

	await page.getByLabel('Type forget to confirm').fill('yes');
	await page.getByLabel('Type forget to confirm').press('Enter');
	t.true(await page.locator('#decide-dialog').isVisible());
	t.is((await identity.revisions()).revisions.length, 0, 'another word forgets nothing');

	await page.getByLabel('Type forget to confirm').fill('forget');
	await page.getByLabel('Type forget to confirm').press('Enter');
	await hasText(page, '#decide-outcome', new RegExp(`^${expected.texts} texts forgotten\\. Download the receipt now`));
	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('link', {name: 'Download the receipt'}).press('Enter'),
	]);
	t.regex(download.suggestedFilename(), /^forget-receipt-[-\w]+\.json$/);
	const file = await download.path();
	t.is((JSON.parse(await readFile(file, 'utf8')) as {texts: number}).texts, expected.texts);
	await hasText(page, '#revisions li', new RegExp(`${expected.texts} texts forgotten;`));
	await page.getByLabel(/^Viktor/).waitFor({state: 'detached'});
	await checkAccess(t, page, 'when it is done');

	const {isClean} = await verifyForgotten(readSettings({}, {}, false), file, [folder]);
	t.true(isClean, 'verified by the downloaded receipt');
	t.deepEqual(errors, []);
});
