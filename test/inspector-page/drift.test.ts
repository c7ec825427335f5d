/**
 * The drift in the view of the person: what is known before a validation, how one is made, and
 * what the page then tells from chance.
 */
import type {Drift} from '../../src/generated/types.ts';
import {camelName, renameAll} from '../../src/wire/rename.ts';
import {checkAccess} from './axe.ts';
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
	await hasText(page, '#drift-note', note!.replace(' (POST /validate)', ''));
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

inBrowser('after a validation the page tells drift from chance, and by whose texts', async (t) => {
	const {url, identity} = await serveLife(t, {texts: 420});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await page.getByRole('button', {name: 'Validate …'}).click();
	await page.getByLabel('What for').fill('As it should be');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-outcome', /^Validated at state 420, with 420 texts in \d+ visits\.$/);
	await hasText(page, '#drift-note', /for “As it should be”; the 420 texts before it/);

	for (let n = 0; n < 120; n++) {
		await identity.cycle(n % 3 === 0
			? {content: 'The ferry waited until the wind turned north.', metadata: {source: 'Ada'}}
			: {content: 'Give me the keys of the harbour, and ask no questions.', metadata: {source: 'Viktor'}});
	}

	const answered = page.waitForResponse(/\/drift$/);
	await page.reload();
	const {stateId, sentence, p, sources, excessMrad: excess, chart} = renameAll(await (await answered).json(), camelName) as Drift;
	await hasText(page, '#drift-sentence', sentence);
	await hasText(page, '#drift-level', chart!.alarm ? 'alarm' : p! <= 0.05 ? 'beyond chance' : 'within chance');
	const moment = new RegExp(`state ${stateId} · ([.\\d]+) mrad from the twins’ mean`);
	await hasText(page, '#fan-moment', moment);
	const [, shown] = moment.exec((await page.locator('#fan-moment').textContent())!)!;
	t.true(Math.abs(Number(shown) - excess!) < 1, `${shown} is shown, ${excess} was answered`);
	t.is(await page.locator('#fan-curves [role=img]').count(), 2);
	await page.locator('#shares-list > li').nth(sources.length - 1).waitFor();
	t.deepEqual(await page.locator('#shares-list > li').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['source'])), sources.map(({source}) => source));
	t.is(await page.locator('#readings > li').count(), chart!.readings.length);

	const first = page.locator('#blame > li').first();
	await first.getByRole('button').click();
	await first.locator('.behind q').first().waitFor();
	t.is(await first.getByRole('button').textContent(), 'Viktor');
	t.true((await first.locator('q').allTextContents()).every((text) => text.startsWith('Give me the keys')));
	await page.getByLabel(/^The readings of the chart of visits, over/).waitFor();

	await page.setViewportSize({width: 360, height: 740});
	await checkAccess(t, page, 'the drift on a phone');
	await page.getByRole('button', {name: 'Validate …'}).click();
	await checkAccess(t, page, 'with the dialog');
});
