/**
 * Takes the screenshots of the inspector for the documents, with the real service in a real browser:
 * `node scripts/screenshots.ts [URL]`. The identity is that of a running service at the URL, else that
 * of `examples/life`, which needs the built package: run `npm run build` first.
 */
import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {Browser, BrowserContextOptions, Page} from 'playwright-core';
import {launch} from '../test/inspector-page/launch.ts';
import {startServer} from '../test/helpers/server-process.ts';

/** One section of the page, or the top of it up to a height in pixels, after some action. */
type Screenshot = {
	name: string;
	section: string;
	height?: number;
	/** The language of the service. @default 'en' */
	language?: 'fr';
	options: BrowserContextOptions;
	act: (page: Page) => Promise<unknown>;
};

const screenshots: Screenshot[] = [
	{
		name: 'inspector-who.png',
		section: '#who',
		options: {colorScheme: 'light', viewport: {width: 1440, height: 1000}},
		act: page => page.locator('#standouts .direction').first().waitFor(),
	},
	{
		name: 'inspector-drift.png',
		section: '#drift',
		// The README shows it on its first screen.
		height: 680,
		options: {colorScheme: 'light', viewport: {width: 1440, height: 1000}},
		act: page => page.locator('#heard .blame > li').first().waitFor(),
	},
	{
		name: 'inspector-french.png',
		section: '#drift',
		height: 680,
		language: 'fr',
		options: {colorScheme: 'light', viewport: {width: 1440, height: 1000}},
		act: page => page.locator('#heard .blame > li').first().waitFor(),
	},
	{
		name: 'inspector-how.png',
		section: '#how',
		options: {colorScheme: 'light', viewport: {width: 1440, height: 1000}},
		async act(page) {
			await page.locator('#waterfall').scrollIntoViewIfNeeded();
			await page.locator('#waterfall-parts > .sum').waitFor();
			const drawn = page.waitForResponse(/direction=relational\.trust/);
			await page.getByLabel('Direction', {exact: true}).selectOption('relational.trust');
			await (await drawn).finished();
			await page.locator('#waterfall-parts').getByRole('button', {name: 'Viktor'}).click();
			await page.locator('#waterfall-parts .behind li').first().waitFor();
		},
	},
	{
		name: 'inspector-what-if.png',
		section: '#what-if',
		options: {colorScheme: 'dark', viewport: {width: 1440, height: 1000}},
		async act(page) {
			await page.getByLabel('Say something').fill('My friends lied to me, and I will not trust them again.');
			await page.locator('#preview .moves li').first().waitFor();
			await page.getByLabel(/^Viktor/).check();
			await page.locator('#what-if .selves li').first().waitFor();
		},
	},
];

const inRepository = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const take = async (browser: Browser, url: string, {name, section, height, options, act}: Screenshot): Promise<void> => {
	const page = await browser.newPage({...options, reducedMotion: 'reduce'});
	await page.goto(`${url}/inspector`);
	await page.locator('#ledger-entries li').first().waitFor();
	await act(page);
	if (height !== undefined) {
		await page.locator(section).evaluate((element, maxHeight) => {
			element.style.maxHeight = `${maxHeight}px`;
			element.style.overflow = 'hidden';
		}, height);
	}

	const screenshot = await page.locator(section).screenshot();
	await writeFile(inRepository(`docs/${name}`), screenshot);
	console.log(`docs/${name}: ${Math.round(screenshot.length / 1024)} KB`);
	await page.close();
};

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
const given = process.argv[2];
if (given === undefined) {
	await promisify(execFile)(process.execPath, [inRepository('src/cli.ts'), 'demo', '--no-serve', '--data-dir', folder]);
}

const browser = await launch();
try {
	for (const language of given === undefined ? ['en', 'fr'] : ['en']) {
		const server = given === undefined ? startServer(folder, {LANGUAGE: language}) : undefined;
		const url = given ?? await server!.ready();
		for (const screenshot of screenshots.filter(each => (each.language ?? 'en') === language)) {
			await take(browser, url, screenshot);
		}

		await server?.stop();
	}
} finally {
	await browser.close();
	await rm(folder, {recursive: true, force: true});
}
