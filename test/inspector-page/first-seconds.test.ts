/** The first seconds of the page: a new identity introduces itself, the drift comes first, and there are few requests. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import type {Page} from 'playwright-core';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {checkAccess} from './axe.ts';
import {inBrowser, useBrowser} from './browser.ts';
import {collectErrors, hasText, open, say} from './on-page.ts';
import {serveHistory, servePage} from './service.ts';

const newPage = useBrowser();

const sizes = {phone: {width: 390, height: 844}, desktop: {width: 1440, height: 1000}};

const execute = promisify(execFile);

/** The parts of the first screen of an identity with a past. */
const firstParts = ['#drift-sentence', '#who-words', '#timeline-note', '#ledger-note', '#shares-note'];

const listRequests = (page: Page): readonly string[] => {
	const requested: string[] = [];
	page.on('request', request => requested.push(request.url()));
	return requested;
};

const linesFor = async (page: Page, title: string): Promise<string> =>
	(await page.getByRole('region', {name: `The lines for ${title}`}).textContent())!;

for (const [name, viewport] of Object.entries(sizes)) {
	inBrowser(`a new identity says what it is and which language it reads, and its text box is on the first screen of a ${name}`, async t => {
		const {url} = await serveHistory(t, {texts: 0});
		const page = await newPage(t, {viewport, reducedMotion: 'reduce'});
		const errors = collectErrors(page);
		await open(page, url);
		await hasText(page, '#hello', /This identity is new[^]*one slowly changing state[^]*reads English only.*EMBEDDING_MODEL=/);
		const box = (await page.getByLabel('Say something').boundingBox())!;
		t.true(box.y + box.height < viewport.height, `${box.y}`);
		for (const section of ['#drift', '#who', '#how', '#without']) {
			t.false(await page.locator(section).isVisible(), `${section} has nothing to show`);
		}

		await checkAccess(t, page, 'a new identity');
		await say(page, 'The sea is quiet today.');
		await hasText(page, '#drift-sentence', /in 1 text/);
		t.false(await page.locator('#hello').isVisible());
		t.deepEqual(errors, []);
	});

	inBrowser(`on a ${name} the sentence of the drift comes first, and the page takes at most 12 requests`, async t => {
		const {url} = await serveHistory(t);
		const page = await newPage(t, {viewport});
		const requested = listRequests(page);
		await open(page, url);
		await Promise.all(firstParts.map(part => hasText(page, part, /\w/)));
		t.true(requested.length <= 12, requested.join(' '));
		const sentence = (await page.locator('#drift-sentence').boundingBox())!;
		t.true(sentence.y + sentence.height < viewport.height);
		t.is(await page.locator('main .summary:visible').first().getAttribute('id'), 'drift-sentence');
	});
}

// Questions about the past are asked one after another, the one about the present at the same time.
const ordersOfDrawing = {
	'the past': {late: /^\/(drift|history|ledger)/, others: ['#who-words']},
	'the present': {late: /^\/profile/, others: firstParts.filter(part => part !== '#who-words')},
};

for (const [name, {late, others}] of Object.entries(ordersOfDrawing)) {
	inBrowser(`what is below the window is not requested before what is in it is drawn, if ${name} comes last`, async t => {
		const {url} = await serveHistory(t);
		const page = await newPage(t, {viewport: sizes.desktop});
		const requested = listRequests(page);
		const {promise: areDrawn, resolve: answerLate} = Promise.withResolvers<void>();
		await page.route(({pathname}) => late.test(pathname), async route => {
			await areDrawn;
			await route.continue();
		});
		await open(page, url);
		await Promise.all(others.map(part => hasText(page, part, /\w/)));
		answerLate();
		await Promise.all(firstParts.map(part => hasText(page, part, /\w/)));
		await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
		await page.evaluate(() => fetch('readyz'));
		t.deepEqual(requested.filter(address => /[?&]direction=|\/held/.test(address)), []);
	});
}

inBrowser('before the first text, and after a reset, drift is not known and no direction asks why', async t => {
	const {url, identity} = await serveHistory(t, {texts: 3, beginsAs: 'The sea is quiet today.'});
	const page = await newPage(t);
	await open(page, url);
	await page.getByRole('button', {name: /^Why/}).first().waitFor();
	await page.evaluate(() => document.querySelector('#drift-level')!.replaceChildren('alarm'));
	await identity.reset();
	await hasText(page, '#drift-level', 'not known');
	await page.locator('#standouts .direction').first().waitFor();
	t.is(await page.getByRole('button', {name: /^Why/}).count(), 0);
	await say(page, 'A boat came in.');
	await hasText(page, '#drift-sentence', /Since the reset.* in 1 text/);
	await page.getByRole('button', {name: /^Why/}).first().waitFor();
});

inBrowser('a new identity receives a text by keyboard: Tab to the text box, a text, Enter', async t => {
	const {url, identity} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	for (let n = 0; n < 30 && !await page.evaluate(() => document.activeElement?.id === 'content'); n++) {
		await page.keyboard.press('Tab');
	}

	await page.keyboard.type('The sea is quiet today.');
	await page.keyboard.press('Enter');
	await hasText(page, '#outcome', /^State 1/);
	t.is(identity.state().stateId, 1);
	t.is(await page.evaluate(() => document.activeElement?.id), 'content', 'the next text can follow');
});

inBrowser('the lines for a terminal, an agent’s settings and a program work unchanged', async t => {
	t.true(await isBuilt(), notBuilt);
	const {url, identity} = await serveHistory(t, {texts: 0});
	const page = await newPage(t);
	await open(page, url);
	await execute('sh', ['-c', await linesFor(page, 'curl')]);
	t.is(identity.state().stateId, 1);

	await execute(process.execPath, ['--input-type=module', '--eval', await linesFor(page, 'A program')], {cwd: root});
	t.is(identity.state().stateId, 2);
	const {sources} = await identity.sources();
	t.is(sources.length, 1);
	t.like(sources[0]!, {source: 'Ada', texts: 2, conversations: 1});

	const {mcpServers: {identity: {command, args, env}}} = JSON.parse(await linesFor(page, 'Claude Desktop, Cursor')) as {
		mcpServers: {identity: {command: string; args: string[]; env: Record<string, string>}};
	};
	t.is(command, 'processual');
	const client = new Client({name: 'test', version: '1'});
	const environment = {...childEnvironment, ...env} as Record<string, string>;
	await client.connect(new StdioClientTransport({command: process.execPath, args: [cli, ...args], env: environment}));
	t.teardown(() => client.close());
	await client.callTool({name: 'say', arguments: {text: 'The harbour is full.', source: 'Ben'}});
	t.is(identity.state().stateId, 3);

	const [, address] = /--transport http identity (\S+)$/.exec(await linesFor(page, 'Claude Code'))!;
	t.is(address, `${url}/mcp`);
});

inBrowser('if a token is required, the lines name its variable and do not contain it', async t => {
	const {url} = await servePage(t, {token: 'a-token-of-this-test'});
	const page = await newPage(t);
	await page.goto(`${url}/inspector`);
	const field = page.getByRole('dialog').getByLabel('Token');
	await field.fill('a-token-of-this-test');
	await field.press('Enter');
	await hasText(page, '#ways', /PROCESSUAL_TOKEN/);
	t.notRegex((await page.locator('#ways').textContent())!, /a-token-of-this-test/);
	t.regex(await linesFor(page, 'curl'), /-H "Authorization: Bearer \$PROCESSUAL_TOKEN"/);
	t.regex(await linesFor(page, 'A program'), /token: process\.env\.PROCESSUAL_TOKEN/);
});
