/** The printed page: its bars and marks, without controls. */
import {useBrowser, inBrowser} from './browser.ts';
import {open} from './on-page.ts';
import {serveHistory} from './service.ts';

const newPage = useBrowser();

inBrowser('a page that is dark on the screen is printed light, with its bars and without its buttons', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t, {colorScheme: 'dark'});
	await open(page, url);
	const name = page.locator('#shares-list button.plain').first();
	await name.waitFor();
	await page.emulateMedia({media: 'print', colorScheme: 'dark'});
	const [scheme, ground, ink, adjust] = await page.evaluate(() => {
		const body = getComputedStyle(document.body);
		const root = getComputedStyle(document.documentElement);
		const bar = getComputedStyle(document.querySelector('.share-bar')!);
		return [root.colorScheme, body.backgroundColor, body.color, bar.printColorAdjust];
	});
	t.deepEqual([scheme, ground, ink, adjust], ['light', 'rgba(0, 0, 0, 0)', 'rgb(35, 39, 47)', 'exact']);
	t.true(await name.isVisible());
	t.false(await page.locator('#validate').isVisible());
	t.notRegex(await page.locator('main').innerText(), /Loading/);
});
