/** The inspector of the installed package, as a new user opens it in a browser. */
import test from 'ava';
import {isNetworked} from '../helpers/registry.ts';
import {inBrowser as withBrowser, useBrowser} from '../inspector-page/browser.ts';
import {hasText, open} from '../inspector-page/on-page.ts';
import {serve} from './commands.ts';

const newPage = useBrowser();
const inBrowser = isNetworked ? withBrowser : test.serial.skip;

const say = async (url: string, texts: readonly string[]): Promise<void> => {
	for (const content of texts) {
		await fetch(`${url}/cycle`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({content, source: 'Ben'}),
		});
	}
};

inBrowser('after a random beginning and one text, the headline says that nothing stands out', async t => {
	const {url} = await serve(t);
	await say(url, ['The sea is quiet today.']);
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#who-words', 'Nothing stands out.');
	t.true(await page.locator('#random').isVisible());
	const icon = await page.locator('link[rel=icon]').getAttribute('href');
	t.is((await fetch(new URL(icon!, page.url()))).status, 200);
});

inBrowser('each panel says that it is loading until the service answers', async t => {
	const {url} = await serve(t);
	await say(url, ['The sea is quiet today.']);
	const page = await newPage(t);
	const release = new Map<string, () => void>();
	for (const question of ['profile/scaled', 'drift', 'history', 'limit=12']) {
		const {promise, resolve} = Promise.withResolvers<void>();
		release.set(question, resolve);
		await page.route(new RegExp(`[/&]${question}\\b`), async route => promise.then(async () => route.continue()));
	}

	const loading = async (): Promise<string[]> => page.locator('.unknown:visible').evaluateAll(places =>
		places.filter(place => place.textContent === 'Loading …').map(place => place.closest('section')!.id));
	await page.goto(`${url}/inspector`);
	await hasText(page, '#connection', 'live');
	t.deepEqual(await loading(), ['drift', 'who', 'timeline']);
	for (const question of ['profile/scaled', 'drift', 'history']) {
		release.get(question)!();
	}

	// The others appear once the history is known.
	for (const part of ['#timeline > .known', '#ledger > .known', '#waterfall > .unknown']) {
		await page.locator(part).waitFor();
	}

	t.deepEqual((await loading()).slice(-2), ['waterfall', 'since']);
	// They load only near the window.
	await page.locator('#since').scrollIntoViewIfNeeded();
	release.get('limit=12')!();
	await page.locator('#since .known').waitFor();
	t.deepEqual(await loading(), []);
});

inBrowser('after 70 texts the page says that critical vigilance is not an alarm, and shows no share as zero', async t => {
	const {url} = await serve(t);
	await say(url, Array.from({length: 70}, (_, i) => `Boat ${i} comes home.`));
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#vigilance-note', /^Vigilance: critical\. It is the length of the path.*not an alarm/);
	await hasText(page, '#drift-level', 'not known');
	await page.getByLabel('Parts by', {exact: true}).selectOption('text');
	await page.locator('#ledger-entries > li').nth(12).waitFor();
	t.deepEqual((await page.locator('#ledger-entries .value').allTextContents()).filter(share => /^0\s?%$/.test(share)), []);
	t.notRegex((await page.locator('main').innerText()), /\b(?:GET|POST) \//);
});

inBrowser('after French texts the page shows a notice beside its numbers, and asks before it validates', async t => {
	const {url} = await serve(t);
	await say(url, [
		'Je me souviens de la mer et du silence après la pluie.',
		'Il ne faut jamais oublier ceux qui nous ont aidés.',
		'Demain je voudrais marcher seul dans la forêt.',
	]);
	const page = await newPage(t);
	await open(page, url);
	const notice = /3 of the last 3 texts are in languages that the embedding model does not read \(3 in “fr”.*EMBEDDING_MODEL/;
	await hasText(page, '#who-note', notice);
	await hasText(page, '#drift-note', notice);
	await page.getByRole('button', {name: 'Validate …'}).click();
	await page.getByLabel('What for').fill('As it is.');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-failure', notice);
	await page.getByRole('button', {name: 'Validate anyway'}).click();
	await hasText(page, '#validate-failure', /400 texts/);
	t.pass();
});
