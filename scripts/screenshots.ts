/**
 * Takes the screenshots of the inspector for the README, of the real service in a real browser:
 * `node scripts/screenshots.ts`, or with the address of a running service as the argument.
 */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BrowserContextOptions} from 'playwright-core';
import {launch} from '../test/inspector-page/launch.ts';
import {startServer} from '../test/helpers/server-process.ts';

const screenshots: {name: string; content: string; daemon: boolean; options: BrowserContextOptions}[] = [
	{name: 'inspector-light.png', content: 'The tide went out, and left the sand in ripples.', daemon: false, options: {colorScheme: 'light', viewport: {width: 1360, height: 900}}},
	{name: 'inspector-dark.png', content: 'What stays, when everything moves?', daemon: true, options: {colorScheme: 'dark', viewport: {width: 390, height: 844}, deviceScaleFactor: 1.5}},
];

const sentences = [
	'I walked along the shore this morning and felt calm.', 'A gull stood on one leg and looked at me.', 'The water was colder than yesterday.',
	'Somebody had built a tower of flat stones.', 'I thought of my brother, who never liked the sea.', 'The accountant filed the quarterly tax return.',
	'Far out a ship moved so slowly that it seemed to stand.', 'Every wave is new, and I call them all by one name.', 'My shoes were full of sand.',
	'An old man asked me what day it was.', 'I could not say at once.', 'Then the rain began, without any wind.',
];

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
const server = process.argv[2] === undefined ? startServer(folder) : undefined;
const browser = await launch();
try {
	const url = process.argv[2] ?? await server!.ready();
	const post = async (path: string, body?: unknown): Promise<void> => {
		const response = await fetch(`${url}/${path}`, {method: 'POST', headers: {'content-type': 'application/json'}, ...(body !== undefined && {body: JSON.stringify(body)})});
		if (!response.ok) {
			throw new Error(`POST /${path} returned ${response.status}: ${await response.text()}`);
		}
	};

	for (const content of sentences) {
		await post('cycle', {content});
	}

	for (const {name, content, daemon, options} of screenshots) {
		const page = await browser.newPage({...options, reducedMotion: 'reduce'});
		await page.goto(`${url}/inspector`);
		await page.locator('.drawing > svg').nth(3).waitFor();
		await page.locator('[data-connection=live]').waitFor();
		await page.getByLabel('Say something').fill(content);
		await page.getByLabel('Say something').press('Enter');
		await page.getByText(/^State \d+: /).waitFor();
		if (daemon) {
			await page.getByRole('button', {name: 'Start the daemon'}).click();
			await page.locator('[data-state="daemon.mode.autonomous"].active').waitFor();
		}

		// The profile and the curves are drawn shortly after the answer.
		await page.waitForTimeout(1500);
		const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
		const screenshot = await page.screenshot();
		await writeFile(file, screenshot);
		console.log(`docs/${name}: ${Math.round(screenshot.length / 1024)} KB`);
		await page.close();
	}

	await post('daemon/stop');
} finally {
	await browser.close();
	await server?.stop();
	await rm(folder, {recursive: true, force: true});
}
