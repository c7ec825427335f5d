/**
 * Takes the pictures of the inspector that the README shows, of the real service in a real
 * browser: `node scripts/screenshots.ts`, or with the address of a service that runs already.
 */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BrowserContextOptions} from 'playwright-core';
import {launch} from '../test/inspector-page/launch.ts';
import {startServer} from '../test/helpers/server-process.ts';

const pictures: {name: string; says: string; daemon: boolean; options: BrowserContextOptions}[] = [
	{name: 'inspector-light.png', says: 'The tide went out, and left the sand in ripples.', daemon: false, options: {colorScheme: 'light', viewport: {width: 1360, height: 900}}},
	{name: 'inspector-dark.png', says: 'What stays, when everything moves?', daemon: true, options: {colorScheme: 'dark', viewport: {width: 390, height: 844}, deviceScaleFactor: 1.5}},
];

const sentences = [
	'I walked along the shore this morning and felt calm.', 'A gull stood on one leg and looked at me.', 'The water was colder than yesterday.',
	'Somebody had built a tower of flat stones.', 'I thought of my brother, who never liked the sea.', 'The accountant filed the quarterly tax return.',
	'Far out a ship moved so slowly that it seemed to stand.', 'Every wave is new, and I call them all by one name.', 'My shoes were full of sand.',
	'An old man asked me what day it was.', 'I could not say at once.', 'Then the rain began, without any wind.',
];

const folder = await mkdtemp(path.join(tmpdir(), 'screenshots-'));
const server = process.argv[2] === undefined ? startServer(folder) : undefined;
const browser = await launch();
try {
	const url = process.argv[2] ?? await server!.ready();
	const post = async (at: string, body?: unknown): Promise<void> => {
		const response = await fetch(`${url}/${at}`, {method: 'POST', headers: {'content-type': 'application/json'}, ...(body !== undefined && {body: JSON.stringify(body)})});
		if (!response.ok) {
			throw new Error(`POST /${at} was answered with ${response.status}: ${await response.text()}`);
		}
	};

	for (const content of sentences) {
		await post('cycle', {content});
	}

	for (const {name, says, daemon, options} of pictures) {
		const page = await browser.newPage({...options, reducedMotion: 'reduce'});
		await page.goto(`${url}/inspector`);
		await page.locator('.drawing > svg').nth(3).waitFor();
		await page.locator('[data-connection=live]').waitFor();
		await page.getByLabel('Say something').fill(says);
		await page.getByLabel('Say something').press('Enter');
		await page.getByText(/^State \d+: /).waitFor();
		if (daemon) {
			await page.getByRole('button', {name: 'Start the daemon'}).click();
			await page.locator('[data-state="daemon.mode.autonomous"].active').waitFor();
		}

		// The profile and the curves come a moment after the answer.
		await page.waitForTimeout(1500);
		const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
		const picture = await page.screenshot();
		await writeFile(file, picture);
		console.log(`docs/${name}: ${Math.round(picture.length / 1024)} KB`);
		await page.close();
	}

	await post('daemon/stop');
} finally {
	await browser.close();
	await server?.stop();
	await rm(folder, {recursive: true, force: true});
}
