/** The page of a service whose language is French: no section shows English. */
import test from 'ava';
import type {Page} from 'playwright-core';
import {readFrench} from '../../scripts/french/program.ts';
import {builtInCatalogue, loadCatalogue} from '../../src/sources/directions/catalogue.ts';
import {loadDirections} from '../../src/sources/directions/vectors.ts';
import type {Boot} from '../../src/sources/source.ts';
import {setLanguage} from '../../src/platform/phrase.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {collectErrors, hasText} from './on-page.ts';
import {serveHistory} from './service.ts';

const newPage = useBrowser();

test.before(async () => setLanguage('fr', await readFrench()));

/** Words of English that no French text has. */
const words = 'the of is was were are and from with this that which would what not by to it at each they has have state since now who why';

const english = new RegExp(`(?<!\\p{L})(?:${words.replaceAll(' ', '|')})(?!\\p{L})`, 'iu');

/** Elements with texts of sources, or with names in a program. */
const data = 'blockquote, q, code, pre, script, style, noscript, tbody, [data-machine] svg, #log, .names, #model, datalist, #since-moment';

/** All visible texts and all descriptions for assistive technology, without data. */
const readTexts = async (page: Page): Promise<string[]> => page.evaluate(excluded => {
	const texts: string[] = [];
	for (const element of document.querySelectorAll('body *')) {
		if (!element.checkVisibility() || element.closest(excluded)) {
			continue;
		}

		const own = [...element.childNodes].filter(node => node instanceof Text).map(node => node.textContent).join(' ');
		const attributes = ['aria-label', 'placeholder', 'title', 'label'].map(name => element.getAttribute(name) ?? '');
		texts.push(...[own, ...attributes].map(text => text.trim()).filter(text => /\p{L}{2}/u.test(text)));
	}

	return [...new Set(texts)];
}, data);

/** The name of the program, a command of it, and keys of directions are names. */
const isEnglish = (text: string): boolean =>
	english.test(text.replaceAll(/\b(?:processual[- ](?:import )?state|[a-z]+\.[a-z_]+)\b/gi, ''));

const openAll = (page: Page): Promise<void> => page.locator('details').evaluateAll(all => {
	for (const details of all) {
		(details as HTMLDetailsElement).open = true;
	}
});

const inFrench = async (boot: Boot) => loadDirections(await loadCatalogue(builtInCatalogue, {language: 'fr'}), boot);

const sizes = {phone: {width: 390, height: 844}, desktop: {width: 1440, height: 1000}};

for (const [name, viewport] of Object.entries(sizes)) {
	inBrowser(`the French page shows no English on a ${name}, and its phrases take no more requests`, async t => {
		const {url} = await serveHistory(t, {directions: inFrench});
		const page = await newPage(t, {viewport, locale: 'fr-FR', reducedMotion: 'reduce'});
		const errors = collectErrors(page);
		const requested: string[] = [];
		page.on('request', request => requested.push(request.url()));
		await page.goto(`${url}/inspector`);
		await hasText(page, '#connection', 'en direct');
		for (const [part, text] of Object.entries({
			'#drift-sentence': /^Depuis le .* en 60 textes\./, '#timeline-note': /^De l’état 0 à l’état 60/,
			'#ledger-note': /^L’état 60 se compose/,
			'#shares-note': /^La part de chaque source/, '#who-words': /\./,
		})) {
			await hasText(page, part, text);
		}

		t.deepEqual(
			requested.map(address => new URL(address).pathname).filter(each => each.startsWith('/inspector')),
			['/inspector', '/inspector/main.css', '/inspector/main.js'],
		);
		t.is(await page.locator('html').getAttribute('lang'), 'fr');
		await checkAccess(t, page, 'in French');

		await openAll(page);
		await hasText(page, '#since-note', /\.$/, '#since');
		await hasText(page, '#other-self', /\.$/, '#without');

		await page.getByLabel('Dites quelque chose').fill('La mer est calme.');
		await hasText(page, '#preview', /^Cela me ferait tourner de [\d,]+\u00A0mrad/);
		await page.getByRole('checkbox', {name: /^Viktor/}).check();
		await hasText(page, '#other-self', /^Sans 24 textes, je serais à/);
		t.deepEqual((await readTexts(page)).filter(isEnglish), []);

		await page.getByRole('button', {name: 'Dire', exact: true}).click();
		await hasText(page, '#outcome', /^État 61\u00A0: c’est dit/);
		for (const [button, title] of [['Valider…', /^Est-elle/], ['Annuler ces textes…', /^Annuler les textes de Viktor/]] as const) {
			await page.getByRole('button', {name: button}).click();
			const dialog = page.getByRole('dialog');
			t.regex((await dialog.getByRole('heading').textContent())!, title);
			t.deepEqual((await readTexts(page)).filter(isEnglish), []);
			await dialog.getByRole('button', {name: 'Annuler', exact: true}).click();
		}

		await page.getByRole('tab', {name: 'Machines'}).click();
		await hasText(page, '[data-machine=daemon] .status', /^mode/);
		await hasText(page, '#sequence-note', /derniers événements/);
		t.deepEqual((await readTexts(page)).filter(isEnglish), []);
		t.deepEqual(errors, []);
	});
}

inBrowser('a new identity and a word of the glossary are explained in French', async t => {
	const {url} = await serveHistory(t, {texts: 0});
	const page = await newPage(t);
	await page.goto(`${url}/inspector`);
	await hasText(page, '#hello', /Cette identité est nouvelle[^]*un état qui change lentement[^]*ne lit que\u00A0: anglais/);
	t.deepEqual((await readTexts(page)).filter(isEnglish), []);
	await page.locator('#hello .word').hover();
	await hasText(page, '#meaning', /^Ce qu’est l’identité à un moment/);
});
