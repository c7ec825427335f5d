/**
 * The drift in the view of the person: what is known before a validation, how one is made, and
 * what the page then tells from chance.
 */
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, open} from './on-page.ts';
import {lifeLength, serveLife} from './service.ts';

const newPage = useBrowser();

inBrowser('without a validation the page says what is known, and the button how many texts are missing', async (t) => {
	const {url, identity} = await serveLife(t);
	const page = await newPage(t);
	await open(page, url);
	const {sentence, note} = await identity.drift();
	await hasText(page, '#drift-sentence', sentence);
	await hasText(page, '#drift-note', note!);
	await hasText(page, '#drift-level', 'not known');
	await hasText(page, '#vigilance-note', /^Vigilance: /);
	await page.locator('#shares-list li').nth(2).waitFor();
	t.deepEqual((await page.locator('#shares-list button.plain').allTextContents()).toSorted(), ['Ada', 'Bo', 'Viktor']);
	for (const section of ['#fan', '#stand-out', '#visit-chart']) {
		t.false(await page.locator(section).isVisible(), section);
	}

	await page.getByRole('button', {name: 'Validate …'}).press('Enter');
	await page.getByLabel('What for').fill('After the first hour.');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-failure', new RegExp(`400 texts.*${lifeLength}`));
	await page.keyboard.press('Escape');
	t.is(await page.evaluate(() => document.activeElement?.id), 'validate');
});

inBrowser('the button validates, with what for', async (t) => {
	const {url} = await serveLife(t, {texts: 420});
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: 'Validate …'}).click();
	await page.getByLabel('What for').fill('As it should be');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-outcome', /^Validated at state 420, with 420 texts in \d+ visits\.$/);
	t.false(await page.getByRole('dialog').isVisible());
});
