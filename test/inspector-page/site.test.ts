/** The static site: every link works, the search finds sections, and the playground runs the library in a page, offline. */
import {execFile} from 'node:child_process';
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {existsSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import type {Page} from 'playwright-core';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {collectErrors, hasText} from './on-page.ts';

/** No such host exists: no name is resolved. */
const origin = 'https://site.test';

const newPage = useBrowser('--host-resolver-rules=MAP * ~NOTFOUND');

let folder: string;

test.before('the site is built', async t => {
	t.timeout(600_000);
	t.true(await isBuilt(), notBuilt);
	folder = await mkdtemp(path.join(tmpdir(), 'site-'));
	await promisify(execFile)(process.execPath, [path.join(root, 'scripts/site/build.ts'), folder]);
});

test.after.always('the site is removed', async () => rm(folder, {recursive: true, force: true}));

const htmlOf = async (): Promise<Map<string, string>> => {
	const names = (await readdir(folder, {recursive: true})).filter(name => name.endsWith('.html'));
	return new Map(await Promise.all(names.map(async name => [name, await readFile(path.join(folder, name), 'utf8')] as const)));
};

test.serial('every link of every page leads to an existing file and heading', async t => {
	const pages = await htmlOf();
	t.true(pages.size > 25, `${pages.size}`);
	const broken: string[] = [];
	let links = 0;
	for (const [name, html] of pages) {
		for (const [, address] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
			if (!/^\w+:/.test(address!)) {
				links++;
				const [target = '', anchor] = address!.split('#');
				const file = target === '' ? name : path.join(path.dirname(name), target);
				const isThere = existsSync(path.join(folder, file)) && statSync(path.join(folder, file)).isFile()
					&& (anchor === undefined || pages.get(file)?.includes(`id="${anchor}"`));
				if (!isThere) {
					broken.push(`${name}: ${address!}`);
				}
			}
		}
	}

	t.deepEqual(broken, []);
	t.true(links > 1000, `${links}`);
});

test.serial('no page, list or skill shows a placeholder address', async t => {
	for (const [name, html] of await htmlOf()) {
		t.notRegex(html, /example\.invalid/, name);
	}

	for (const name of ['SKILL.md', 'llms.txt', 'llms-full.txt']) {
		t.notRegex(await readFile(path.join(root, name), 'utf8'), /example\.invalid/, name);
	}
});

/** Serves the site to a page, and nothing else. */
const visit = async (page: Page, name: string): Promise<string[]> => {
	const asked: string[] = [];
	await page.route('**/*', async route => {
		const {origin: from, pathname} = new URL(route.request().url());
		asked.push(pathname);
		await (from === origin ? route.fulfill({path: path.join(folder, pathname)}) : route.abort());
	});
	await page.goto(`${origin}/${name}`);
	return asked;
};

inBrowser('the search finds a section of a document while a query is typed, and Enter opens it', async t => {
	const page = await newPage(t);
	const errors = collectErrors(page);
	await visit(page, 'docs/drift.html');
	await page.getByLabel('Search').fill('leaves texts out');
	await page.locator('#found a').first().waitFor();
	await page.getByLabel('Search').fill('changesets raises version');
	await page.locator('#found a', {hasText: 'Contributing'}).first().waitFor();
	await page.getByLabel('Search').press('Enter');
	await page.waitForURL(/CONTRIBUTING\.html#/);
	t.deepEqual(errors, []);
	await checkAccess(t, page, 'a document');
	await page.setViewportSize({width: 390, height: 844});
	await checkAccess(t, page, 'a document on a phone');
});

inBrowser('the playground runs in the page: texts move the identity, without a service', async t => {
	const page = await newPage(t);
	const errors = collectErrors(page);
	const asked = await visit(page, 'playground.html');
	t.false(asked.includes('/weights/use-lite-q8.bin'), 'the weights are not loaded before Begin');
	await page.getByRole('button', {name: 'Begin'}).click();
	await hasText(page, '#outcome', 'State 0: it begins.');
	await hasText(page, '#standouts', /fear \(vital\.daring/);
	await page.getByLabel('this often').fill('30');
	await page.getByRole('button', {name: 'Say it'}).press('Enter');
	await hasText(page, '#outcome', /^State 30: dissonance [\d.]+\.$/);
	t.is(await page.locator('#moves li').count(), 6);
	await checkAccess(t, page, 'the playground');
	await page.setViewportSize({width: 390, height: 844});
	await checkAccess(t, page, 'the playground on a phone');
	t.deepEqual(errors, []);
});

inBrowser('the playground’s encoder gives the same bits as the service’s', async t => {
	const page = await newPage(t);
	await visit(page, 'playground.html');
	const text = 'The harbour is full of boats, and the wind turned north.';
	const inPage = await page.evaluate(async given => {
		// It exists after Begin.
		(document.querySelector('#begin') as HTMLFormElement).requestSubmit();
		while (!('embedInPage' in globalThis)) {
			await new Promise(resolve => {
				setTimeout(resolve, 50);
			});
		}

		return [...await (globalThis as unknown as {embedInPage: (text: string) => Promise<Float32Array>}).embedInPage(given)];
	}, text);
	const encoder = await loadEncoder();
	t.deepEqual(inPage, [...await encoder.embed(text)]);
	await encoder.dispose();
});
